"""Select the mutants that the models are run on."""

from hinter.job import run_job
from hinter.oracle import select_suite

if __name__ == "__main__":
    run_job(select_suite, snakemake)
