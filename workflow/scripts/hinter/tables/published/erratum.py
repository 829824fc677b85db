"""The erratum: where the paper's numbers are not what they say."""

import pandas as pd

from ..shown import shown, titled
from ..table import Table
from .counts import Published
from .erratum_figures import rq3_entries, rq4_entries
from .erratum_tables import prompt_entries, rq1_entries
from .numbers import Entry

COLUMNS = {
    "place": "where in the paper",
    "what": "what the number is of",
    "published": "as published",
    "recomputed": "recomputed in the same way from the published counts",
    "corrected": "corrected",
    "why": "why they differ",
}


def tabulate_erratum(published: Published) -> pd.DataFrame:
    """Return the entries (see `Entry`), those of RQ4 first, as they change most."""
    entries = [
        *rq4_entries(published),
        *rq1_entries(published),
        *prompt_entries(published),
        *rq3_entries(published),
    ]
    return pd.DataFrame(entries, columns=list(Entry._fields))


TABLE = Table(
    question="Published",
    title="Erratum",
    reads=("published",),
    columns=COLUMNS,
    compute=tabulate_erratum,
    show=shown(
        lambda rows: {"#": range(1, len(rows) + 1)},
        titled(place="where", what="what", published="published"),
        titled(recomputed="recomputed as published", corrected="corrected", why="why"),
    ),
    latex_columns="rp{15mm}p{22mm}p{22mm}p{24mm}p{24mm}p{60mm}",
    caption=(
        "Published numbers that are wrong or misleading: as published, recomputed in the same way "
        "from the published counts, and corrected."
    ),
)
