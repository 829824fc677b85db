"""Limit a suite to the part that a model is run on."""

from hinter.job import run_job
from hinter.oracle import limit_suite

if __name__ == "__main__":
    run_job(limit_suite, snakemake)
