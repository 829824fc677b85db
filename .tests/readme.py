"""The queries that the docs give, as their reader runs them."""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]


def assert_answers_table_2(folder: Path, table: pd.DataFrame) -> None:
    """Assert that the query of docs/files.md, run in `folder`, gives the rates of Table 2."""
    columns = ["dataset", "model", "order", "n", "bias_rate", "hidden_rate"]
    (query,) = _queries((ROOT / "docs" / "files.md").read_text(encoding="utf-8"))
    found = _answer(query, folder)
    assert found.columns.tolist() == columns
    expected = table.loc[table["n"] > 0, columns].reset_index(drop=True)
    numbers = found.replace("NULL", None).astype(expected.dtypes.to_dict())
    pd.testing.assert_frame_equal(numbers, expected, atol=1e-6)
    assert len(expected)


def answers_on_terms(folder: Path, *, attribute: str, term: str) -> list[pd.DataFrame]:
    """Return what the queries of the tutorial on attributes give in `folder` for another term."""
    page = (ROOT / "docs" / "add_an_attribute.md").read_text(encoding="utf-8")
    page = page.replace("age:kids>", f"{attribute}:{term}>").replace("'age'", f"'{attribute}'")
    return [_answer(command, folder) for command in _queries(page)]


def _queries(page: str) -> list[str]:
    command = r"^    \.venv/bin/python -c .*?\.show\(.*?\)['\"]$"
    return re.findall(command, page, flags=re.M | re.S)


def _answer(command: str, folder: Path) -> pd.DataFrame:
    told = subprocess.run(
        command.replace(".venv/bin/python", sys.executable, 1),
        cwd=folder,
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    header, _, *rows = [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in told.splitlines()
        if line.startswith("│")
    ]
    return pd.DataFrame(rows, columns=header)
