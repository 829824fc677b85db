"""Draw source prompts, and rewrite them by every metamorphic relation."""

from pathlib import Path

from hinter.config import RelationsSheet, read_sheet
from hinter.job import logged_to
from hinter.relations import check_prompts, draw_sources, write_follow_ups


def main(*, prompts: str, sources: int, seed: int, corpus: str, suite: str) -> None:
    """Write the follow-ups of `sources` prompts, and what they are compared with as their corpus.

    The file `prompts` is the sheet with templates and attributes.
    """
    sheet = read_sheet(prompts, RelationsSheet).model_dump()
    drawn = draw_sources(check_prompts(sheet, path=prompts), size=sources, seed=seed, path=prompts)
    write_follow_ups(drawn, corpus=Path(corpus), suite=Path(suite))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
