"""Convert a model's GGUF weights once, so that later jobs load it quickly."""

from pathlib import Path

from hinter.job import run_job
from hinter.models.loading import convert_gguf


def main(*, resource: str, gguf: str, folder: str) -> None:
    """Write the model in `resource` to `folder`."""
    convert_gguf(Path(resource, gguf), Path(folder))


if __name__ == "__main__":
    run_job(main, snakemake)
