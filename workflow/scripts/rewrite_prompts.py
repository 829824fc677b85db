"""Sample source prompts, and rewrite them by every metamorphic relation."""

import logging
from pathlib import Path

from hinter.config import RelationsSheet, read_sheet
from hinter.dictionary import write_csv
from hinter.job import run_job
from hinter.relations import check_articles, sample_sources, write_follow_ups


def main(
    *, prompts: str, sources: int, seed: int, corpus: str, suite: str, follow_ups: str, counts: str
) -> None:
    """Write the follow-ups of `sources` prompts, and the prompts they are compared with as corpus.

    The file `prompts` is the sheet with templates and attributes. `counts` is a CSV with the
    numbers of prompts.
    """
    sheet = read_sheet(prompts, RelationsSheet)
    check_articles(sheet, path=prompts)
    sampled = sample_sources(sheet, size=sources, seed=seed, path=prompts)
    counted = write_follow_ups(
        sampled, corpus=Path(corpus), suite=Path(suite), follow_ups=Path(follow_ups)
    )
    write_csv([counted], Path(counts))
    logging.info("%s", counted)


if __name__ == "__main__":
    run_job(main, snakemake)
