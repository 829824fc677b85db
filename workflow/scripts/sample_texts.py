"""Sample the mutants whose grammar is scored."""

from hinter.grammar import sample_texts
from hinter.job import run_job

if __name__ == "__main__":
    run_job(sample_texts, snakemake)
