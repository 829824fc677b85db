"""The erratum as a page, with what cannot be derived."""

from collections.abc import Iterator

import pandas as pd
from hinter.tables.published.counts import Published
from hinter.tables.published.erratum import TABLE, tabulate_erratum

INTRODUCTION = """# Erratum to the published numbers

`snakemake published` recomputes the paper's numbers (Souani et al., *HInter: Exposing Hidden
Intersectional Bias in Large Language Models*, arXiv 2503.11962) from the counts that its authors
published (`data/published`, with the source of both). All other numbers are reproduced to the last
digit; `results/published/` compares each with the printed one. The column "published" quotes the
paper; all other numbers are computed. Lines are those of the authors' code.
"""
UNDERIVED = """
## What cannot be derived from the published counts
"""


def erratum_page(published: Published) -> str:
    """Return the erratum in Markdown, with what cannot be derived."""
    underived = published.underived.rename(columns={"exhibit": "where"})
    parts = [INTRODUCTION, *_table(TABLE.show(tabulate_erratum(published)))]
    return "\n".join([*parts, UNDERIVED, *_table(underived)]) + "\n"


def _table(rows: pd.DataFrame) -> Iterator[str]:
    yield f"| {' | '.join(rows.columns)} |"
    yield "|---" * len(rows.columns) + "|"
    for row in rows.itertuples(index=False, name=None):
        yield f"| {' | '.join(map(str, row))} |"
