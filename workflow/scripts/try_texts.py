"""Try texts on a model, and print what was found."""

from hinter.job import run_job
from hinter.trying import try_texts

if __name__ == "__main__":
    run_job(try_texts, snakemake)
