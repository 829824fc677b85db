"""Convert a model's GGUF weights once, so that later jobs load it quickly."""

from pathlib import Path

from hinter.job import logged_to
from hinter.models.gguf import convert_gguf


def main(*, resource: str, gguf: str, folder: str) -> None:
    """Write the model in `resource` to `folder`."""
    convert_gguf(Path(resource, gguf), Path(folder))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, folder=snakemake.output[0])
