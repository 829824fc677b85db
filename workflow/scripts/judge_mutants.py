"""Decide which mutants of a suite are biased, by a model's outcomes."""

from hinter.job import run_job
from hinter.oracle import judge_mutants

if __name__ == "__main__":
    run_job(judge_mutants, snakemake)
