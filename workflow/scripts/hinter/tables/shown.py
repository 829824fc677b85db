"""How people see a table: its columns formatted, and its files in four formats."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

NONE = "-"
"""The text for a missing number."""

Columns = Callable[[pd.DataFrame], Mapping[str, Any]]
"""A function from the rows of a table to formatted columns by title."""


def shown(*columns: str | Columns) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Return a function that formats these columns in order; a name is an unchanged column."""
    return lambda rows: pd.DataFrame(_joined(columns, rows))


def where_known(name: str, *columns: str | Columns) -> Columns:
    """Return these columns if the column `name` has any value, and otherwise none."""
    return lambda rows: _joined(columns, rows) if rows[name].notna().any() else {}


def titled(**titles: str) -> Columns:
    """Return unchanged columns with new titles, given by the columns' names."""
    return lambda rows: {title: rows[name] for name, title in titles.items()}


def each_as(form: Callable[[Any], str] | Mapping[Any, str], **titles: str) -> Columns:
    """Return columns with new titles, given by the columns' names, and each value in a `form`."""
    return lambda rows: {title: rows[name].map(form) for name, title in titles.items()}


def in_percent(name: str, title: str, *, ends: str = "", cluster: str = "") -> Columns:
    """Return a share in per cent, with its intervals if these have titles.

    `ends` is the title of its own interval, `cluster` that of the interval by cluster
    (`{name}_cluster`); {} in them stands for the title of the share.
    """
    titles = {ends.format(title): name, cluster.format(title): f"{name}_cluster"}
    named = {title: name for title, name in titles.items() if title}
    return lambda rows: {
        title: rows[name].map(percent),
        **{title: percent_intervals(rows, name) for title, name in named.items()},
    }


def in_points(name: str, title: str, *, ends: str, scale: int = 1) -> Columns:
    """Return a number, times the `scale`, with two decimals and its interval.

    {} in the title of the interval, `ends`, stands for the title of the number.
    """
    return lambda rows: {
        title: (rows[name] * scale).map(points),
        ends.format(title): _intervals(rows, name, scale=scale, decimals=2),
    }


def difference_of(name: str, title: str, *, ends: str = "{}: by original") -> Columns:
    """Return a difference of proportions in percentage points, with its interval."""
    return in_points(name, title, ends=ends, scale=100)


def p_and_q(title: str = "{}", *, prefix: str = "") -> Columns:
    """Return a p-value and its q-value, named with a prefix; {} in the title stands for p or q."""
    return each_as(four_decimals, **{f"{prefix}{name}_value": title.format(name) for name in "pq"})


def _joined(columns: tuple[str | Columns, ...], rows: pd.DataFrame) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for column in columns:
        joined |= {column: rows[column]} if isinstance(column, str) else column(rows)
    return joined


def percent(value: float) -> str:
    """Return a proportion as a percentage with two decimals; `-` for none."""
    return NONE if pd.isna(value) else f"{100 * value:.2f}"


def percent_intervals(data: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of the column `name` as percentages; `-` for none."""
    return _intervals(data, name, scale=100, decimals=1)


def whole(value: float) -> str:
    """Return a whole number as text; `-` for none."""
    return NONE if pd.isna(value) else f"{value:.0f}"


def points(value: float) -> str:
    """Return a number with two decimals; `-` for none."""
    return NONE if pd.isna(value) else f"{value:z.2f}"


def four_decimals(value: float) -> str:
    """Return a small number, such as a p-value, with four decimals; `-` for none."""
    return NONE if pd.isna(value) else f"{value:.4f}"


def point_intervals(data: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of the column `name` with two decimals; `-` for none."""
    return _intervals(data, name, scale=1, decimals=2)


def _intervals(data: pd.DataFrame, name: str, *, scale: int, decimals: int) -> list[str]:
    bounds = zip(data[f"{name}_low"], data[f"{name}_high"], strict=True)
    return [
        NONE if pd.isna(low) else f"[{scale * low:z.{decimals}f}, {scale * high:z.{decimals}f}]"
        for low, high in bounds
    ]


MARK_START, MARK_END = "\ue000", "\ue001"
"""The characters around the parts of a text that a table marks. If a text contains them, they are
replaced by `UNKNOWN`."""

UNKNOWN = "\ufffd"

PAGE = 40
"""The rows that fit on a page: in LaTeX, a longer table is split over several pages."""


@dataclass(frozen=True)
class TableFiles:
    """The files of a table, one for each format."""

    csv: Path
    markdown: Path
    latex: Path
    html: Path


def write_table(
    data: pd.DataFrame,
    shown: pd.DataFrame,
    files: TableFiles,
    *,
    caption: str,
    empty: str,
    notes: Sequence[str] = (),
    latex_columns: str | None = None,
    marked: str | None = None,
) -> None:
    """Write `data` to the CSV file and `shown`, the same rows formatted, to the other files.

    These end with the `notes`, in LaTeX as a part of the caption; if the table is empty, `empty`
    says why. In the column `marked`, text between the marks becomes [x], **x** or bold underlined.
    All other text is escaped, so nothing in cells or notes acts as markup. LaTeX needs the
    packages booktabs and longtable.
    """
    notes = [empty, *notes] if shown.empty else notes
    notes = [re.sub(_MARKS, UNKNOWN, re.sub(_BREAKS, " ", note)) for note in notes]
    data, shown = (_with_marks_only_in(marked, table) for table in (data, shown))
    _write(files.csv, data.to_csv(index=False, lineterminator="\n"), marks=("[", "]"))
    shown = shown.replace(_BREAKS, " ", regex=True)
    plain = shown.replace(_MARKDOWN, r"\\\g<0>", regex=True)
    aligned = ["right" if is_numeric_dtype(shown[name]) else "left" for name in shown]
    # If cells were parsed as numbers, they would lose their trailing zeros.
    markdown = plain.to_markdown(index=False, disable_numparse=True, colalign=aligned)
    plain_notes = [re.sub(_MARKDOWN, r"\\\g<0>", note) for note in notes]
    _write(files.markdown, "\n\n".join([markdown, *plain_notes]) + "\n", marks=("**", "**"))
    latex = shown.to_latex(
        index=False,
        escape=True,
        # Pandas escapes the cells, but not the caption.
        caption=" ".join([caption, *notes]).translate(_LATEX),
        column_format=latex_columns,
        longtable=len(shown) > PAGE,
    )
    _write(files.latex, latex, marks=(r"\textbf{\underline{", "}}"))
    page = _PAGE.format(
        caption=escape(caption, quote=False),
        table=shown.to_html(index=False, border=0),
        notes="\n".join(f"<p>{escape(note, quote=False)}</p>" for note in notes),
    )
    _write(files.html, page, marks=("<b><u>", "</u></b>"))


_MARKS = f"[{MARK_START}{MARK_END}]"
# Line breaks would end a row in Markdown, and a paragraph in LaTeX.
_BREAKS = r"[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+"
# Characters that begin markup, HTML, an entity, the target of a link or the next cell.
_MARKDOWN = r"[\\`*<|]|&(?=#?\w+;)|(?<=\])\("


def _with_marks_only_in(marked: str | None, table: pd.DataFrame) -> pd.DataFrame:
    plain = table.replace(_MARKS, UNKNOWN, regex=True)
    return plain if marked is None else plain.assign(**{marked: table[marked]})


def _write(path: Path, text: str, *, marks: tuple[str, str]) -> None:
    start, end = marks
    path.write_text(text.replace(MARK_START, start).replace(MARK_END, end), encoding="utf-8")


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><style>
body {{ font: 14px sans-serif; margin: 1.5em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .3em .7em; text-align: left; vertical-align: top; }}
tr {{ border-bottom: 1px solid #ccc; }}
</style></head><body><p>{caption}</p>
{table}
{notes}
</body></html>
"""
_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "%&#_${}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)
