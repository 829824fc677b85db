"""Print for each model of a study whether it can be reached and loaded."""

from hinter.job import run_job
from hinter.trying import check_models

if __name__ == "__main__":
    run_job(check_models, snakemake)
