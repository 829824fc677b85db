"""Faults in excess of noise, against counts by hand."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.predictions import REPEATS_SCHEMA
from hinter.tables.relations.compared_faults import EXCESS_OF_FAULTS as TABLE
from hinter.tables.relations.compared_faults import tabulate_excess_of_faults
from judged_follow_ups import AGE, JOB, Judged
from result_files import Parts, write_rows

SOURCES = "abcd"


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """Of four sources, MR4 (removal) reveals a fault in three, MR10 (rearranging) in one."""
    return Judged(
        tmp_path,
        [
            *((source, "MR4", (AGE, JOB), source != "d") for source in SOURCES),
            *((source, "MR10", (), source == "a") for source in SOURCES),
            ("a", "MR16", (AGE,), None),
        ],
    )


def _repeats(folder: Path, ratings: dict[str, list[str | None]]) -> Parts:
    rows = [
        {
            "original_id": source,
            "repeat": number,
            "outcome": rating and [rating],
            "status": "ok" if rating else "refused",
        }
        for source, several in ratings.items()
        for number, rating in enumerate(several, start=1)
    ]
    path = write_rows(folder / "m" / "repeats.parquet", rows, REPEATS_SCHEMA)
    return [("m", "relations_tone", path)]


def _tabulated(judged: Judged, repeats: Parts) -> pd.DataFrame:
    return tabulate_excess_of_faults(
        judged.verdicts, repeats, follow_up_sources=judged.follow_ups, seed=3
    )


def test_a_model_that_answers_the_same_again_has_no_floor(judged: Judged) -> None:
    rows = _tabulated(judged, [])
    assert rows[["level", "line", "n", "rate"]].to_numpy().tolist() == [
        ["information", "added or removed", 4, 0.75],
        ["information", "kept", 4, 0.25],
        ["family", "removal", 4, 0.75],
        ["family", "shuffling", 4, 0.25],
        ["relation", "MR4", 4, 0.75],
        ["relation", "MR10", 4, 0.25],
    ]
    assert (rows["floor"] == 0).all() and rows["excess"].tolist() == rows["rate"].tolist()
    assert TABLE.show(rows)["excess"].tolist()[0] == "75.00"


def test_repeats_of_a_prompt_are_the_floor_of_its_follow_ups(
    judged: Judged, tmp_path: Path
) -> None:
    ratings: dict[str, list[str | None]] = {
        "a": ["sad", "happy", "sad", "sad"],
        "b": ["sad", "sad", None, "sad"],
        "c": ["sad", "happy", "angry", "fear"],
        # Without a first answer, nothing is known of its noise.
        "d": [None, "sad", "sad", "sad"],
    }
    rows = _tabulated(judged, _repeats(tmp_path, ratings)).set_index("line")
    assert rows.loc["MR4", ["n", "rate"]].tolist() == [3, 1.0]
    assert rows.loc["MR4", "floor"] == pytest.approx((1 / 3 + 0 + 1) / 3, abs=1e-6)
    excess = rows["rate"] - rows["floor"]
    assert rows["excess"].tolist() == pytest.approx(excess.tolist(), abs=2e-6)
