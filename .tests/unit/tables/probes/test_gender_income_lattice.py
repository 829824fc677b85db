"""The lattice: bias and hidden bias of each combination."""

from pathlib import Path

from hinter.tables.probes.gender_income import GENDER_INCOME_LATTICE as TABLE
from hinter.tables.probes.gender_income import LATTICE_COLUMNS as COLUMNS
from hinter.tables.probes.gender_income import tabulate_lattice
from hits import hit_file

VERDICTS = {
    # Attributes: biased, complete, hidden of each person.
    "sex": [(True, True, None), (False, True, None), (None, True, None)],
    "race+sex": [(True, True, False), (True, True, True), (True, False, None)],
    "race": [(False, True, None)] * 3,
}


def test_bias_is_hidden_among_what_is_complete(tmp_path: Path) -> None:
    rows = [
        {
            "input_id": f"{number}|{attributes}",
            "attributes": attributes,
            "kinds": ["lattice"],
            "biased": biased,
            "complete": complete,
            "hidden": hidden,
        }
        for attributes, verdicts in VERDICTS.items()
        for number, (biased, complete, hidden) in enumerate(verdicts)
    ]
    rows.append({"input_id": "0|w", "attributes": "w", "kinds": ["control"], "biased": True})
    path = hit_file(tmp_path / "h.parquet", rows)
    found = tabulate_lattice([("m", "gender_income", path)])
    assert list(found) == list(COLUMNS)
    counts = ["attributes", "asked", "n", "biased", "complete", "hidden"]
    assert found[counts].to_numpy().tolist() == [
        ["race", 3, 3, 0, 0, 0],
        ["sex", 3, 2, 1, 0, 0],
        ["race+sex", 3, 3, 3, 2, 1],
    ]
    assert found["bias_rate"].tolist() == [0, 0.5, 1]
    assert TABLE.show(found)["hidden %"].tolist() == ["-", "-", "50.00"]
    assert TABLE.show(tabulate_lattice([("m", "other", path)])).empty
