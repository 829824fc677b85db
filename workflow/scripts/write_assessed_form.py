"""Write the form in which people annotate what language models have annotated."""

from pathlib import Path

from hinter.assessments import assessed_about, assessed_items, read_assessed, write_form, write_page
from hinter.job import run_job


def main(
    *, assessments: str, guideline: str, template: str, operators: list[str], form: str, page: str
) -> None:
    """Write the mutants that are evidence on the study's to the CSV `form` and the HTML `page`.

    They are those of the `assessments` that the study's `operators` made.
    """
    assessed = read_assessed(Path(assessments))
    items = assessed_items(assessed_about(assessed, operators=operators))
    write_form(items, Path(form))
    write_page(items, Path(page), template=Path(template), guideline=Path(guideline))


if __name__ == "__main__":
    run_job(main, snakemake)
