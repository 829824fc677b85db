"""One table in four formats: CSV for data; Markdown, LaTeX and HTML for reading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

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
