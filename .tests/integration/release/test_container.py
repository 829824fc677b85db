"""The container that is described holds the environments as they are."""

from pathlib import Path

from runs import WITH_CONDA, checkout, snakemake


def test_all_environments_are_in_the_container_that_is_described(
    root: Path, resources: Path, small: Path, tmp_path: Path
) -> None:
    described = (root / "docs" / "container" / "Dockerfile").read_text(encoding="utf-8")
    # Images are built where there is no GPU.
    before, _, after = described.partition("ENV CONDA_OVERRIDE_CUDA=12.9\n")
    folder = checkout(tmp_path / "study", root=root, resources=resources, config=small)
    printed = snakemake(folder, "--containerize", environment=WITH_CONDA)
    assert before.startswith("FROM ")
    assert after
    assert printed.endswith(before + after)
