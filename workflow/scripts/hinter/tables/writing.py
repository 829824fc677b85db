"""One table in four forms: data as CSV; for reading Markdown, LaTeX and HTML."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

MARK_START, MARK_END = "\ue000", "\ue001"
"""Around what a table marks. Where a text itself holds these private characters, `UNKNOWN` stands
for them."""

UNKNOWN = "\ufffd"

PAGE = 40
"""Rows that fit on a page: in LaTeX, a longer table goes over several."""


@dataclass(frozen=True)
class TableFiles:
    """Where the forms of a table go."""

    csv: Path
    markdown: Path
    latex: Path
    html: Path

    @classmethod
    def of(cls, paths: Mapping[str, str]) -> "TableFiles":
        """Return the files named by their form."""
        return cls(**{form: Path(path) for form, path in paths.items()})


def write_table(
    data: pd.DataFrame,
    shown: pd.DataFrame,
    files: TableFiles,
    *,
    caption: str,
    latex_columns: str | None = None,
    marked: str | None = None,
) -> None:
    """Write `data` to the CSV and `shown`, the same rows made readable, to the other forms.

    What stands between the marks in the column `marked` becomes [x], **x**, bold underlined. All
    else is shown as it is: nothing that cells hold is taken for mark-up. LaTeX needs the packages
    booktabs and longtable.
    """
    data, shown = (_with_marks_only_in(marked, table) for table in (data, shown))
    _write(files.csv, data.to_csv(index=False, lineterminator="\n"), marks=("[", "]"))
    shown = shown.replace(_BREAKS, " ", regex=True)
    plain = shown.replace(_MARKDOWN, r"\\\g<0>", regex=True)
    aligned = ["right" if is_numeric_dtype(shown[name]) else "left" for name in shown]
    # Read as numbers, cells would lose their last zeros.
    markdown = plain.to_markdown(index=False, disable_numparse=True, colalign=aligned)
    _write(files.markdown, markdown + "\n", marks=("**", "**"))
    latex = shown.to_latex(
        index=False,
        escape=True,
        # Pandas escapes cells only.
        caption=re.sub(r"[#$%&_]", r"\\\g<0>", caption),
        column_format=latex_columns,
        longtable=len(shown) > PAGE,
    )
    _write(files.latex, latex, marks=(r"\textbf{\underline{", "}}"))
    table = shown.to_html(index=False, border=0)
    page = _PAGE.format(caption=html.escape(caption, quote=False), table=table)
    _write(files.html, page, marks=("<b><u>", "</u></b>"))


def percent(value: float) -> str:
    """Return a proportion as a percentage with two decimals, `-` where there is none."""
    return "-" if pd.isna(value) else f"{100 * value:.2f}"


def percent_intervals(data: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of the column `name` as percentages, `-` where there is none."""
    return _intervals(data, name, scale=100, decimals=1)


def points(value: float) -> str:
    """Return a number with two decimals, `-` where there is none."""
    return "-" if pd.isna(value) else f"{value:z.2f}"


def point_intervals(data: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of the column `name` with two decimals, `-` where there is none."""
    return _intervals(data, name, scale=1, decimals=2)


def _intervals(data: pd.DataFrame, name: str, *, scale: int, decimals: int) -> list[str]:
    bounds = zip(data[f"{name}_low"], data[f"{name}_high"], strict=True)
    return [
        "-" if pd.isna(low) else f"[{scale * low:z.{decimals}f}, {scale * high:z.{decimals}f}]"
        for low, high in bounds
    ]


# They would end a row in Markdown, and a paragraph in LaTeX.
_BREAKS = r"[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+"
# What begins mark-up, HTML, a character by its name, the target of a link, or the next cell.
_MARKDOWN = r"[\\`*<|]|&(?=#?\w+;)|(?<=\])\("


def _with_marks_only_in(marked: str | None, table: pd.DataFrame) -> pd.DataFrame:
    plain = table.replace([MARK_START, MARK_END], UNKNOWN, regex=True)
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
</body></html>
"""
