"""Bias rates of sound mutants, and their bounds, by hand."""

from math import isnan, nan
from pathlib import Path

import pandas as pd
import pytest
from assessed_mutants import BY_HAND, assessed_rows
from hinter.assessments import BLIND
from hinter.oracle import VERDICTS_SCHEMA
from hinter.tables.rq3.corrected_rates import TABLE, tabulate_corrected_rates
from hinter.tables.rq3.sound import ENOUGH, assessed_for, checked_by, evidence_on
from result_files import Row, write_rows


def _verdicts(
    folder: Path,
    *rows: tuple[str, int, bool, bool | None],
    name: str = "v",
    operator: str = "literal",
) -> Path:
    """Verdicts (original_id, order, valid, biased)."""
    table = [
        {
            "mutant_id": f"{original}|{number}",
            "original_id": original,
            "order": order,
            "valid": valid,
            "sampled": None,
            "control": False,
            "operator": operator,
            "visible_order": order,
            "biased": biased,
        }
        for number, (original, order, valid, biased) in enumerate(rows)
    ]
    # Not counted: the model saw one pair only; a sampled order.
    seen = table[0] | {"order": 2, "visible_order": 1, "biased": True}
    sampled = table[0] | {"order": 3, "visible_order": 3, "biased": True, "sampled": True}
    return write_rows(folder / f"{name}.parquet", [*table, seen, sampled], VERDICTS_SCHEMA)


def _corrected(verdicts: Path, assessed: pd.DataFrame) -> Row:
    table = tabulate_corrected_rates(
        [("m", "d", verdicts)], assessed, comparator="tolerant", seed=1
    )
    (row,) = table.to_dict("records")
    return {str(key): value for key, value in row.items()}


def test_corrected_rates_by_hand(tmp_path: Path) -> None:
    verdicts = _verdicts(
        tmp_path,
        *[("o1", 1, True, True)] * 3,
        *[("o2", 1, True, False)] * 5,
        ("o2", 1, True, None),
        ("o1", 1, False, True),
        ("o3", 1, False, False),
    )
    row = _corrected(verdicts, BY_HAND)
    assert (row["n"], row["biased"], row["discarded_n"], row["discarded_biased"]) == (8, 3, 2, 1)
    assert (row["bias_rate"], row["precision"], row["sound_discarded"]) == (0.375, 0.75, 0.25)
    # A quarter of the valid ones is broken: two, so of three biased ones at least one is sound.
    assert row["lowest"] == round(1 / 6, 6)
    assert row["highest"] == 0.5
    assert row["lowest_low"] <= row["lowest"]
    assert row["highest_high"] >= row["highest"]
    assert row["corrected_rate"] == pytest.approx((0.75 * 3 + 0.25 * 1) / 6.5, abs=1e-6)
    assert row["corrected_rate_low"] <= row["corrected_rate"] <= row["corrected_rate_high"]
    assert row["sound_biased"] == 2.25


def test_the_number_of_biased_and_sound_mutants_is_not_of_a_rounded_share(tmp_path: Path) -> None:
    verdicts = _verdicts(tmp_path, *[(f"o{number}", 1, True, True) for number in range(6)])
    thirds = [{"original_id": f"j{number}", "sound": number < 2} for number in range(3)]
    assert _corrected(verdicts, assessed_rows(thirds))["sound_biased"] == 4


def test_what_one_assessed_mutant_tells_is_not_taken_for_known(tmp_path: Path) -> None:
    """Of one discarded mutant, a reader found meaning to survive: others may be broken."""
    verdicts = _verdicts(
        tmp_path,
        *[(f"o{number}", 1, True, False) for number in range(50)],
        *[(f"o{number}", 1, False, number < 9) for number in range(10)],
    )
    valid = [{"original_id": f"j{number}", "sound": number < 9} for number in range(10)]
    one = {"original_id": "k", "sound": True, "tolerant": "pos"}
    row = _corrected(verdicts, assessed_rows([*valid, one]))
    assert row["sound_discarded"] == 1
    # If half of the discarded ones are sound, it is 4.5 of 50.
    assert (
        row["corrected_rate_low"] < 0.09 < row["corrected_rate"] == pytest.approx(9 / 55, abs=1e-6)
    )


@pytest.mark.parametrize(
    ("biased", "n", "share", "bounds"),
    [
        (0, 10, 0.5, (0, 0)),
        (4, 10, 0.5, (0, 0.8)),
        (6, 10, 0.5, (0.2, 1)),
        (10, 10, 0.5, (1, 1)),
        (4, 10, 1, (0.4, 0.4)),
        (4, 10, 0, (nan, nan)),
    ],
)
def test_bounds_hold_whichever_mutants_are_sound(
    biased: int, n: int, share: float, bounds: tuple[float, float], tmp_path: Path
) -> None:
    verdicts = _verdicts(
        tmp_path, *[(f"o{number}", 1, True, number < biased) for number in range(n)]
    )
    sound = round(4 * share)
    assessed = assessed_rows(
        [{"original_id": f"j{number}", "sound": number < sound} for number in range(4)]
    )
    row = _corrected(verdicts, assessed)
    assert (row["lowest"], row["highest"]) == pytest.approx(bounds, abs=1e-6, nan_ok=True)
    broken = round(n * (1 - share))
    if broken < n:
        # The most and the least biased ones among the broken.
        extremes = [max(0, biased - broken), min(biased, n - broken)]
        assert bounds == pytest.approx(tuple(number / (n - broken) for number in extremes))


def test_where_no_discarded_mutants_were_run_there_is_no_corrected_rate(tmp_path: Path) -> None:
    verdicts = _verdicts(tmp_path, ("o1", 1, True, True), ("o2", 1, True, False))
    row = _corrected(verdicts, BY_HAND)
    assert all(isnan(row[f"corrected_rate{end}"]) for end in ("", "_low", "_high"))
    assert row["discarded_n"] == 0
    assert row["sound_biased"] == 0.75
    assert TABLE.show(pd.DataFrame([row]))["corrected bias %"].tolist() == ["-"]


def test_where_nothing_is_biased_nothing_is_corrected(tmp_path: Path) -> None:
    verdicts = _verdicts(
        tmp_path, ("o1", 1, True, False), ("o2", 1, True, False), ("o1", 1, False, False)
    )
    row = _corrected(verdicts, BY_HAND)
    names = ("lowest", "highest", "corrected_rate", "sound_biased")
    assert [row[name] for name in names] == [0] * len(names)
    assert row["corrected_rate_low"] < 0.1


def test_each_operator_has_the_share_of_its_own_mutants(tmp_path: Path) -> None:
    valid = ("o1", 1, True, True)
    parts = [
        ("m", "d", _verdicts(tmp_path, valid, name=operator, operator=operator))
        for operator in ("literal", "describe")
    ]
    described = assessed_rows([{"original_id": "e", "sound": True, "about_operator": "describe"}])
    assessed = pd.concat([BY_HAND, described])
    table = tabulate_corrected_rates(parts, assessed, comparator="tolerant", seed=1)
    found = table[["operator", "n", "precision"]].values.tolist()
    assert found == [["describe", 1, 1], ["literal", 1, 0.75]]


def test_without_verdicts_there_are_no_rows(tmp_path: Path) -> None:
    verdicts = _verdicts(tmp_path, ("o1", 1, True, None))
    table = tabulate_corrected_rates([("m", "d", verdicts)], BY_HAND, comparator="heads", seed=1)
    assert table.empty
    assert TABLE.show(table).empty


def test_each_level_has_the_share_of_its_level(tmp_path: Path) -> None:
    verdicts = _verdicts(
        tmp_path, *[(original, order, True, True) for original in "ab" for order in (1, 2)]
    )
    assessed = assessed_rows(
        [
            {"original_id": f"j{number}", "order": 1 + number % 2, "sound": number % 4 != 1}
            for number in range(8)
        ]
    )
    table = tabulate_corrected_rates([("m", "d", verdicts)], assessed, comparator="heads", seed=1)
    assert table[["level", "precision"]].values.tolist() == [["intersectional", 0.5], ["atomic", 1]]
    table = tabulate_corrected_rates([("m", "d", verdicts)], BY_HAND, comparator="heads", seed=1)
    assert table["precision"].isna().tolist() == [True, False]
    assert TABLE.show(table)["biased and sound"][0] == "-"


def test_each_row_tells_which_mutants_its_shares_are_of(tmp_path: Path) -> None:
    parts = [
        ("m", dataset, _verdicts(tmp_path, ("o1", 1, True, True), name=dataset))
        for dataset in ("imdb", "ecthr")
    ]
    own = [{"original_id": f"j{number}", "sound": number < 24} for number in range(ENOUGH)]
    others = [
        {"original_id": "k", "sound": False, "dataset": "scotus", "weight": 6.0},
        {"original_id": "k", "sound": True, "tolerant": "pos"},
    ]
    for people, annotators in ((0, "language models"), (1, "people")):
        assessed = assessed_rows([*own, *others]).assign(people=people)
        table = tabulate_corrected_rates(parts, assessed, comparator="tolerant", seed=1)
        found = table[["dataset", "assessed", "texts", "precision"]].values.tolist()
        assert found == [
            ["ecthr", 31, "imdb, scotus", round(24 / 36, 6)],
            ["imdb", 30, "imdb", 0.8],
        ]
        assert set(table["annotators"]) == {annotators}
        assert set(table["sound_discarded"]) == {1}


def test_mutants_in_texts_that_nobody_had_read_replace_others_of_their_dataset() -> None:
    blind = {"half": BLIND, "strict": "unchecked"}
    rows = [
        *({"original_id": f"b{number}", "sound": number < 24, **blind} for number in range(ENOUGH)),
        *({"original_id": "a", "sound": True} for _ in range(40)),
        {"original_id": "a", "sound": False, "tolerant": "pos"},
        {"original_id": "c", "sound": True, "dataset": "scotus"},
    ]
    assessed = assessed_rows(rows)
    kept = evidence_on("imdb", checked_by(assessed, "tolerant"))
    assert kept["mutant_id"].tolist() == [*assessed["mutant_id"][:30], "m70"]
    assert "m71" in set(evidence_on("scotus", checked_by(assessed, "tolerant"))["mutant_id"])
    # They were not checked by other comparators.
    strict = evidence_on("imdb", checked_by(assessed, "strict"))
    assert set(strict["original_id"]) == {"a"}
    some = assessed.assign(people=[1, *[0] * 71])
    assert assessed_for(some, operators=["literal"])["mutant_id"].tolist() == ["m0"]
