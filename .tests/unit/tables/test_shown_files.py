"""Tables in their four forms."""

import re
from pathlib import Path

import pandas as pd
import pytest
from hinter.tables.shown import MARK_END, MARK_START, write_table
from result_files import table_files


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<script>alert(1)</script>", r"\<script>alert(1)\</script>"),
        ("&lt;script&#62;", r"\&lt;script\&#62;"),
        ("R & D", "R & D"),
        ("[x](javascript:alert(1))", r"[x]\(javascript:alert(1))"),
        ("[1.2, 3.4] (5)", "[1.2, 3.4] (5)"),
        ("`|` **", r"\`\|\` \*\*"),
        ("a\\", "a\\\\"),
        ("one\n\n| two", r"one \| two"),
    ],
)
def test_markdown_shows_cells_as_they_are(cell: str, expected: str, tmp_path: Path) -> None:
    data = pd.DataFrame({"text": [cell], "number": [1.5]})
    write_table(data, data, table_files(tmp_path), caption="", empty="")
    row = (tmp_path / "markdown").read_text().splitlines()[2]
    assert re.fullmatch(rf"\| {re.escape(expected)} +\| +1\.5 \|", row)
    assert pd.read_csv(tmp_path / "csv")["text"].tolist() == [cell]


def test_captions_are_text_in_html_and_latex(tmp_path: Path) -> None:
    data = pd.DataFrame({"text": ["x"]})
    write_table(data, data, table_files(tmp_path), caption="<b> & 5 % of a_b", empty="")
    assert "<p>&lt;b&gt; &amp; 5 % of a_b</p>" in (tmp_path / "html").read_text()
    assert r"\caption{<b> \& 5 \% of a\_b}" in (tmp_path / "latex").read_text()


def test_a_table_is_written_in_four_forms_with_its_marks(tmp_path: Path) -> None:
    data = pd.DataFrame({"text": [f"50 % & {MARK_START}bold{MARK_END} | <x>"]})
    files = table_files(tmp_path)
    notes = ["5 % of my_model: a < b.", "<i>`x`"]
    write_table(data, data, files, caption="What it is.", empty="", notes=notes, marked="text")
    assert files.csv.read_text() == "text\n50 % & [bold] | <x>\n"
    markdown = files.markdown.read_text()
    assert "50 % & **bold** \\| \\<x>" in markdown
    assert markdown.endswith("\n\n5 % of my_model: a \\< b.\n\n\\<i>\\`x\\`\n")
    assert r"\caption{What it is. 5 \% of my\_model: a < b. <i>`x`}" in files.latex.read_text()
    assert "<p>5 % of my_model: a &lt; b.</p>\n<p>&lt;i&gt;`x`</p>" in files.html.read_text()
    assert r"50 \% \& \textbf{\underline{bold}} | <x>" in files.latex.read_text()
    assert "50 % &amp; <b><u>bold</u></b> | &lt;x&gt;" in files.html.read_text()
