"""The erratum: the paper's numbers that are wrong or misleading, as a table and as a page."""

from collections.abc import Iterator

import pandas as pd

from ..table import Table
from .counts import Published
from .entries import Entry
from .erratum_rq1 import rq1_entries
from .erratum_rq3 import rq3_entries
from .erratum_rq4 import rq4_entries

COLUMNS = {
    "place": "where in the paper",
    "what": "what the number is of",
    "published": "as published",
    "recomputed": "recomputed in the same way from the published counts",
    "corrected": "corrected",
    "why": "why they differ",
}
HEADINGS = {
    "place": "where",
    "what": "what",
    "published": "published",
    "recomputed": "recomputed as published",
    "corrected": "corrected",
    "why": "why",
}


def tabulate_erratum(published: Published) -> pd.DataFrame:
    """Return the entries (see `Entry`), those of RQ4 first, as they change most."""
    entries = [
        *rq4_entries(published),
        *rq1_entries(published),
        *rq3_entries(published),
    ]
    return pd.DataFrame(entries, columns=list(Entry._fields))


def show_erratum(entries: pd.DataFrame) -> pd.DataFrame:
    """Return the entries as they are read, numbered."""
    shown = entries.rename(columns=HEADINGS)
    shown.insert(0, "#", range(1, len(shown) + 1))
    return shown


def erratum_page(published: Published) -> str:
    """Return the erratum in Markdown, with what cannot be derived."""
    underived = published.underived.rename(columns={"place": "where"})
    parts = [INTRODUCTION, *_table(show_erratum(tabulate_erratum(published)))]
    return "\n".join([*parts, UNDERIVED, *_table(underived)]) + "\n"


def _table(rows: pd.DataFrame) -> Iterator[str]:
    yield f"| {' | '.join(rows.columns)} |"
    yield "|---" * len(rows.columns) + "|"
    for row in rows.itertuples(index=False, name=None):
        yield f"| {' | '.join(map(str, row))} |"


INTRODUCTION = """# Erratum to the published numbers

`snakemake published` recomputes the paper's numbers (Souani et al., *HInter: Exposing Hidden
Intersectional Bias in Large Language Models*, arXiv 2503.11962) from the counts that its authors
published (`data/published`, with the source of both). All numbers that are not listed here are
reproduced to the last digit; `results/published/` has each beside the printed one. The column
"published" quotes the paper; all other numbers are computed. Line numbers are those of the authors'
code.
"""

UNDERIVED = """
## What cannot be derived from the published counts
"""


TABLE = Table(
    question="Published",
    title="Erratum",
    reads=("published",),
    columns=COLUMNS,
    compute=tabulate_erratum,
    show=show_erratum,
    latex_columns="rp{15mm}p{22mm}p{22mm}p{24mm}p{24mm}p{60mm}",
    caption=(
        "Published numbers that are wrong or misleading: as published, recomputed in the same way "
        "from the published counts, and corrected."
    ),
)
