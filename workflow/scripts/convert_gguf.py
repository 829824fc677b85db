"""Convert a model's GGUF weights once, so that later jobs load it quickly."""

from hinter.job import run_job
from hinter.models.loading import convert_gguf

if __name__ == "__main__":
    run_job(convert_gguf, snakemake)
