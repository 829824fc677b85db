"""Precision and recall of comparators, by hand and against plain counting."""

import random
from math import isnan
from pathlib import Path

import pandas as pd
import pytest
from assessed_mutants import BY_HAND, assessed_rows
from hinter.assessments import AssessedMutant
from hinter.invariant import Comparator
from hinter.statistics import cluster_bootstrap
from hinter.tables.rq3 import comparator_validity
from hinter.tables.rq3.comparator_validity import (
    TABLE,
    describe_assessments,
    describe_comparator_validity,
    tabulate_comparator_validity,
)
from result_files import Row, table_files

ROOT = Path(__file__).resolve().parents[4]
ASSESSMENTS = ROOT / "data" / "validity" / "assessments.csv"


def _rows(table: pd.DataFrame, *keys: str) -> dict[tuple[str, ...], Row]:
    return {tuple(row[key] for key in keys): row for row in table.to_dict("records")}


def test_precision_and_recall_by_hand() -> None:
    rows = _rows(
        tabulate_comparator_validity(BY_HAND, operators=["literal"], seed=1), "level", "comparator"
    )
    assert {level for level, _ in rows} == {"all", "atomic"}
    tolerant = rows["all", "tolerant"]
    assert (tolerant["assessed"], tolerant["valid"]) == (4, 2)
    assert tolerant["precision"] == 0.75
    assert tolerant["recall"] == 0.75
    assert tolerant["sound_discarded"] == 0.25
    assert tolerant["valid_minus_discarded"] == 0.5
    assert tolerant["grammar_precision"] == 1
    assert tolerant["meaning_precision"] == 0.75
    nothing = rows["all", "none"]
    assert (nothing["assessed"], nothing["valid"], nothing["recall"]) == (5, 5, 1)
    assert nothing["precision"] == round(13 / 17, 6)


def test_where_nothing_is_discarded_nothing_is_said_of_it() -> None:
    table = tabulate_comparator_validity(BY_HAND, operators=["literal"], seed=1)
    strict = _rows(table, "level", "comparator")["all", "strict"]
    names = ("sound_discarded", "valid_minus_discarded")
    assert all(isnan(strict[f"{name}{end}"]) for name in names for end in ("", "_low", "_high"))
    shown = TABLE.show(table[table["comparator"] == "strict"])
    assert shown["sound of discarded %"].tolist() == ["-", "-"]
    told = describe_comparator_validity(table[table["comparator"] == "strict"])
    assert told.startswith("No comparator can be measured")


def _random_validity(*, count: int) -> pd.DataFrame:
    draw = random.Random(5)
    said = ("valid", "valid", "pos", "dep")
    rows = []
    for _ in range(count):
        grammar, meaning = draw.random() < 0.8, draw.random() < 0.6
        rows.append(
            {
                "original_id": f"o{draw.randrange(20)}",
                "order": draw.choice([1, 2, 3]),
                "weight": draw.choice([2.5, 4.0]),
                "grammar": grammar,
                "meaning": meaning,
                "sound": grammar and meaning,
                **{comparator.value: draw.choice(said) for comparator in Comparator},
            }
        )
    return assessed_rows(rows)


def test_precision_and_recall_against_plain_pandas() -> None:
    assessed = _random_validity(count=300)
    rows = _rows(
        tabulate_comparator_validity(assessed, operators=["literal"], seed=1), "level", "comparator"
    )
    assert len(rows) == 12
    for (level, comparator), row in rows.items():
        part = assessed
        if level != "all":
            part = assessed[(assessed["order"] == 1) == (level == "atomic")]
        passes = pd.Series(True, index=part.index)
        if comparator != "none":
            passes = part[comparator] == "valid"
        valid, all_sound = part[passes], part[part["sound"]]
        discarded = part[~passes]
        expected = {
            "precision": valid[valid["sound"]]["weight"].sum() / valid["weight"].sum(),
            "recall": valid[valid["sound"]]["weight"].sum() / all_sound["weight"].sum(),
            "grammar_precision": valid[valid["grammar"]]["weight"].sum() / valid["weight"].sum(),
            "meaning_precision": valid[valid["meaning"]]["weight"].sum() / valid["weight"].sum(),
        }
        if comparator != "none":
            sound = discarded[discarded["sound"]]["weight"].sum()
            expected["sound_discarded"] = sound / discarded["weight"].sum()
        for name, value in expected.items():
            assert row[name] == pytest.approx(value, abs=1e-6), (level, comparator, name)
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
        sums = valid.assign(sound=valid["weight"] * valid["sound"]).groupby("original_id")
        low, high = cluster_bootstrap(
            sums["sound"].sum().tolist(), sums["weight"].sum().tolist(), seed=1
        )
        assert (row["precision_low"], row["precision_high"]) == pytest.approx((low, high), abs=1e-6)


def test_the_caption_tells_who_assessed_and_what_came_out(
    assessed_for_comparators: list[AssessedMutant], tmp_path: Path
) -> None:
    answers = pd.read_csv(ASSESSMENTS).replace({"yes": True, "no": False})
    answers = answers[answers["sample"] == "comparators"]
    valid = answers[answers["stratum"] == "valid"]
    share = 100 * (valid["grammar"].astype(bool) & valid["meaning"].astype(bool)).mean()
    same = 100 * (answers["meaning_1"] == answers["meaning_2"]).mean()
    told = describe_assessments(assessed_for_comparators)
    assert "large language model" in told
    assert f"{share:.0f} % of the 100 valid by all comparators" in told
    assert f"the meaning of {same:.1f} % (Cohen's kappa" in told
    BY_HAND.to_parquet(tmp_path / "assessed.parquet")
    inputs = {"assessments": str(ASSESSMENTS), "assessed": str(tmp_path / "assessed.parquet")}
    comparator_validity.TABLE.make(
        inputs=inputs,
        settings={"mutation.operators": ["literal"], "seed": 1},
        files=table_files(tmp_path),
    )
    page = (tmp_path / "html").read_text()
    assert told in page
    assert "tolerant +50.0 " in page
