"""Links from the cells of tables to the cases that they count."""

import re

import pandas as pd
from hinter.declarations import declared
from hinter.report.links import LINKED, with_links

NAME = '"><b>'


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
    end = "&amp;check=valid&amp;drawn=no"
    assert _links(rows, "groups_bias") == [
        (f"model=%22%3E%3Cb%3E&amp;dataset=d&amp;level=atomic{end}", "3"),
        (f"dataset=d&amp;level=atomic&amp;combination=a%2Bb{end}", "2"),
        (f"model=m&amp;dataset=d&amp;replaced=a%3A+x+y+%E2%86%92+z{end}", "1"),
    ]


def test_a_rows_own_check_is_that_of_its_cases() -> None:
    rows = pd.DataFrame({"model": ["m"], "check": ["discarded"], "biased": [1]})
    assert _links(rows, "figure7_false_positives") == [
        ("model=m&amp;check=discarded&amp;drawn=no", "1")
    ]


def test_other_tables_and_cells_stay_as_they_are() -> None:
    rows = pd.DataFrame({"model": ["m"], "biased": [1], "n": [2]})
    assert with_links(rows.to_html(), "controls", rows) == rows.to_html()
    assert _links(rows, "groups_bias") == [("model=m&amp;check=valid&amp;drawn=no", "1")]
