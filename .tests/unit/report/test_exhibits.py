"""Tables and figures under the questions that they answer, and links to the cases they count."""

import re
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from hinter.declarations import declared
from hinter.report.exhibits import LINKED, QUESTIONS, read_exhibits, with_links

PNG = b"\x89PNG\r\n"
NAME = '"><b>'


def _declared(question: str, title: str, caption: str = "") -> dict[str, str]:
    return {"question": question, "title": title, "caption": caption}


def test_every_declared_category_has_its_question() -> None:
    made = [*declared("tables"), *declared("figures")]
    assert {each.category for each in made if not each.published} == {*QUESTIONS}


def test_exhibits_stand_under_their_questions_in_the_order_of_the_page(tmp_path: Path) -> None:
    table, figure = tmp_path / "t.html", tmp_path / "f.png"
    table.write_text("<html><head><style>x</style></head><body><p>a</p>\n</body></html>")
    figure.write_bytes(PNG)
    told = [_declared("Data", "a"), _declared("RQ1", "b"), _declared("RQ1", "c")]
    found = read_exhibits(told, [str(table), str(figure), str(table)], rows={})
    assert [(name, [each["title"] for each in group]) for name, _, group in found] == [
        ("RQ1", ["b", "c"]),
        ("Data", ["a"]),
    ]
    assert found[0][2][1]["shown"] == "<p>a</p>\n"
    assert 'src="data:image/png;base64,iVBORw0K"' in found[0][2][0]["shown"]


def test_captions_are_escaped_but_for_their_emphasis(tmp_path: Path) -> None:
    table = tmp_path / "t.html"
    table.write_text("<body></body>")
    caption = "*n* of `x` < 3 ``y`` <script>*\n"
    ((_, _, (exhibit,)),) = read_exhibits([_declared("RQ1", "a", caption)], [str(table)], rows={})
    assert exhibit["caption"] == (
        "<em>n</em> of <code>x</code> &lt; 3 <code>y</code> &lt;script&gt;*"
    )


def test_a_title_with_quotes_ends_no_attribute(tmp_path: Path) -> None:
    figure = tmp_path / "f.png"
    figure.write_bytes(PNG)
    ((_, _, (exhibit,)),) = read_exhibits([_declared("RQ1", 'a "b" <i>')], [str(figure)], rows={})
    assert 'alt="a &quot;b&quot; &lt;i&gt;"' in exhibit["shown"]


def _links(rows: pd.DataFrame, name: str) -> list[tuple[str, str]]:
    shown = with_links(rows.to_html(index=False), name, rows)
    return re.findall(r'<td><a href="#([^"]*)">([^<]*)</a></td>', shown)


def test_linked_tables_are_made() -> None:
    assert {*LINKED} <= {table.name for table in declared("tables")}


def test_a_cell_leads_to_what_its_row_counts() -> None:
    rows = pd.DataFrame(
        [
            {"model": NAME, "dataset": "d", "level": "atomic", "attributes": "all", "biased": 3},
            {"model": "all", "dataset": "d", "level": "atomic", "attributes": "a+b", "biased": 2},
            {"model": "m", "dataset": "d", "level": "all", "attributes": "a", "biased": 1}
            | {"source_group": "x y", "target_group": "z"},
            {"model": "m", "dataset": "d", "level": "all", "attributes": "a", "biased": 0},
        ]
    )
    end = "&amp;check=valid&amp;sampled=no"
    assert _links(rows, "groups_bias") == [
        (f"model=%22%3E%3Cb%3E&amp;dataset=d&amp;level=atomic{end}", "3"),
        (f"dataset=d&amp;level=atomic&amp;combination=a%2Bb{end}", "2"),
        (f"model=m&amp;dataset=d&amp;replaced=a%3A+x+y+%E2%86%92+z{end}", "1"),
    ]


def test_a_rows_own_check_is_that_of_its_cases() -> None:
    rows = pd.DataFrame({"model": ["m"], "check": ["discarded"], "biased": [1]})
    assert _links(rows, "figure7_false_positives") == [
        ("model=m&amp;check=discarded&amp;sampled=no", "1")
    ]


def test_a_share_of_hidden_bias_leads_to_hidden_cases() -> None:
    row = {"model": "m", "dataset": "d", "order": 2, "attributes": "a+b", "n": 4, "rate": 0.25}
    rows = pd.DataFrame(
        [row | {"measure": "hidden bias"}, row | {"measure": "bias", "rate": None, "n": 0}]
    )
    shown = with_links(rows.rename(columns={"rate": "%"}).to_html(index=False), "excess", rows)
    assert re.findall("<a .*?</a>", shown) == [
        '<a href="#model=m&amp;dataset=d&amp;order=2&amp;combination=a%2Bb&amp;hidden=yes'
        '&amp;check=valid">0.25</a>'
    ]


def test_a_cell_of_the_truth_table_leads_to_its_biased_mutants() -> None:
    row = {"combination": "a+b", "model": "m", "first": True, "second": False, "mutants": 3}
    rows = pd.DataFrame([row | {"intersectional": biased} for biased in (True, False)])
    assert _links(rows, "figure9_truth_table") == [
        (
            "model=m&amp;first=yes&amp;second=no&amp;combination=a%2Bb&amp;check=valid&amp;order=2",
            "3",
        )
    ]


def test_a_hidden_case_leads_to_itself() -> None:
    row = {"dataset": "d", "model": "m", "original_id": "o", "role": "original"}
    whole = {"attributes": "a+b", "role": "intersectional", "mutations": "x -> y, z -> <w>"}
    rows = pd.DataFrame([row, row | whole])
    assert _links(rows, "table1_hidden_cases") == [
        (
            "model=m&amp;dataset=d&amp;original_id=o&amp;mutations=x+-%3E+y%2C+z+-%3E+%3Cw%3E"
            "&amp;combination=a%2Bb&amp;check=valid&amp;hidden=yes",
            "x -&gt; y, z -&gt; &lt;w&gt;",
        )
    ]


@pytest.mark.parametrize("name", LINKED)
def test_a_table_without_rows_stays_as_it_is(name: str) -> None:
    columns = [
        "model",
        "dataset",
        *re.findall(r"\w+", " ".join(of for of, _ in LINKED[name].values())),
    ]
    rows = pd.read_csv(StringIO(",".join(dict.fromkeys(columns))))
    assert with_links(rows.to_html(), name, rows) == rows.to_html()


def test_other_tables_and_cells_stay_as_they_are() -> None:
    rows = pd.DataFrame({"model": ["m"], "biased": [1], "n": [2]})
    assert with_links(rows.to_html(), "controls", rows) == rows.to_html()
    assert _links(rows, "groups_bias") == [("model=m&amp;check=valid&amp;sampled=no", "1")]
