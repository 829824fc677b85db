"""Merge the shards of a result, each of which is sorted."""

from hinter.blocks import gather_shards
from hinter.job import run_job

if __name__ == "__main__":
    run_job(gather_shards, snakemake)
