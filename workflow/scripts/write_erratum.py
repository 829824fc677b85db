"""Write the erratum to the published numbers."""

from pathlib import Path

from hinter.job import logged_to
from hinter.published import erratum_page, read_published


def main(*, published: list[str], page: str) -> None:
    """Write the page from the files of data/published."""
    Path(page).write_text(erratum_page(read_published(published)), encoding="utf-8")


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
