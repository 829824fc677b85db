"""Which mutants a form has."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from forms import GREEK, MAN, make_form, rows_of, write_study
from hinter.assessments import sample_mutants
from hinter.errors import InputError
from suites import mutant


def _sampled(folder: Path, *, mutants: int) -> list[dict[str, Any]]:
    both = (MAN, GREEK)
    by_dataset = {
        # Many mutants of one original, few of the others.
        "large": [
            mutant("a", f"gender:x{n}>y", *more) for n in range(50) for more in ((), both[1:])
        ]
        + [mutant(f"b{n}", MAN) for n in range(9)],
        "small": [mutant(f"c{n}", *both) for n in range(4)],
        "same": [mutant(f"c{n}", *both) for n in range(4)] + [mutant("e", MAN)],
    }
    by_dataset["large"] += [
        mutant("f", MAN) | {"valid": False},
        mutant("f", GREEK) | {"valid": None},
        mutant("f", *both) | {"sampled": False},
    ]
    written = {
        name: Path(write_study(folder, name, rows)["suites"][0])
        for name, rows in by_dataset.items()
    }
    return sample_mutants(written, mutants=mutants, seed=1)


def test_datasets_orders_and_originals_take_turns(tmp_path: Path) -> None:
    sampled = _sampled(tmp_path, mutants=22)
    ids = [row["mutant_id"] for row in sampled]
    assert len({*ids}) == 22
    assert not any(row["original_id"] == "f" for row in sampled)
    # The four mutants of two datasets are read once, of the dataset whose name comes first.
    assert Counter(row["dataset"] for row in sampled) == {"large": 17, "same": 5}
    large = [row for row in sampled if row["dataset"] == "large"]
    assert sorted(Counter(len(row["pair_ids"]) for row in large).values()) == [8, 9]
    atomic = Counter(row["original_id"] for row in large if len(row["pair_ids"]) == 1)
    assert set(atomic.values()) == {1}


def test_where_there_are_too_few_all_are_drawn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    form = rows_of(make_form(tmp_path, mutants=60) / "form.csv")
    assert len(form) == 18
    assert "the form has 18 mutants instead of 60" in caplog.text


def test_without_a_valid_mutant_there_is_no_form(tmp_path: Path) -> None:
    rows = [mutant("o1", MAN) | {"valid": False}]
    with pytest.raises(InputError, match="found no valid mutant; expected at least one"):
        make_form(tmp_path, rows=rows)
