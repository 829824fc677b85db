"""What a table shows where there is no value."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.tables import TableFiles
from hinter.tables.table import Table

ROWS = {"name": ["a", None], "share": [0.25, float("nan")], "sure": [True, None], "n": [3, 4]}


@pytest.mark.parametrize("form", ["md", "tex", "html"])
def test_what_is_missing_is_a_dash(form: str, tmp_path: Path) -> None:
    table = Table(
        title="T",
        reads=(),
        columns=dict.fromkeys(ROWS, "a column"),
        compute=lambda: pd.DataFrame(ROWS),
        text="C",
        empty="Nothing.",
    )
    paths = [tmp_path / f"t.{end}" for end in ("csv", "md", "tex", "html")]
    table.make(inputs={}, settings={}, files=TableFiles(*paths))
    shown = (tmp_path / f"t.{form}").read_text(encoding="utf-8")
    assert not {"nan", "NaN", "None"} & set(shown.replace("<", " ").replace(">", " ").split())
    assert "0.25" in shown and "-" in shown
    # Data has an empty cell.
    assert (tmp_path / "t.csv").read_text() == "name,share,sure,n\na,0.25,True,3\n,,,4\n"
