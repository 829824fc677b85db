"""What holds of every table file, whatever the study."""

import csv
import re
from pathlib import Path

# All other columns hold words or whole numbers.
REAL = re.compile(
    r".*(accuracy|_f1|share|rate|ratio|coverage|agreement|kappa|no_label|excess).*"
    r"|(precision|recall|sound_discarded|(grammar|meaning)_precision|lowest|highest)"
    r"|(bias_(valid|discarded)|sound_biased|paper|ours|margin|noise|difference|correlation)"
    r"|(score|difference|valid)_.*(originals|mutants|discarded)"
    r"|.*(_p|[pq]_value)|(rate_)?contrast.*"
    r"|(control_)?mean_.*|step|distance|(additive|joint)_from"
    r"|(?!biased_valid).*_(low|high)"
)


def fractions_among_counts(table: Path) -> list[tuple[str, str]]:
    """Return the numbers with a point, with their columns, where whole numbers should be."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        (column, cell)
        for row in rows
        for column, cell in row.items()
        if not REAL.fullmatch(column) and re.fullmatch(r"-?\d+\.\d*", cell)
    ]
