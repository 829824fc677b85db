"""The published counts agree with one another, and are all there."""

from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.tables.published.counts import Published, read_published


def test_the_counts_agree_with_one_another(published: Published) -> None:
    rates = published.bias_rates.set_index(["model", "dataset"])
    encoders = published.encoder_mutants
    encoders = encoders[encoders["level"] == "intersectional"].set_index(["model", "dataset"])
    assert encoders["valid"].equals(rates["tested"].reindex(encoders.index))
    assert encoders["valid_biased"].equals(rates["biased"].reindex(encoders.index))
    tests = published.prompted_tests
    assert (tests["loaded"] == tests["identical"] + tests["tested"]).all()
    tests = tests[tests["attributes"].str.contains("+", regex=False)]
    for model, rows in tests.groupby("model"):
        sums = rates.loc[model, ["tested", "biased"]].sum()
        assert rows[["tested", "biased"]].sum().equals(sums)
    cells = published.truth_table
    unique = published.unique_mutants.set_index("quantity")["mutants"]
    assert cells.loc[cells["intersectional"], "mutants"].sum() == unique["intersectional"]


def test_a_missing_file_is_named(published_files: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"exposure\.csv: found"):
        read_published([path for path in published_files if "exposure" not in path])
    with pytest.raises(InputError, match="found no such file"):
        read_published([*published_files, str(tmp_path / "exposure.csv")])
