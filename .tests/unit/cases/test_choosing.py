"""Which cases are examined, and how many answers they take."""

from pathlib import Path
from typing import Any

import pytest
from hinter.cases import Case, choose_cases
from hinter.corpora import CORPUS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from judged import GENDER, RACE, TEXTS, Judged
from recipes import edits_of
from result_files import verdict_row, write_rows

HIDDEN, LAST = f"both|{GENDER}|{RACE}", f"last|{GENDER}|{RACE}"


def _choose(judged: Judged, **given: Any) -> list[Case]:
    settings = {"answers": 1000, "repeats": 1, "seed": 1}
    corpus = judged.folder / "corpus.parquet"
    return choose_cases(judged.verdicts, corpus=corpus, **(settings | given))


def test_cases_are_hidden_ones_and_a_sample_of_all_biased_ones(judged: Judged) -> None:
    hidden, other = _choose(judged)
    assert (hidden.mutant.mutant_id, hidden.hidden, hidden.sampled) == (HIDDEN, True, True)
    assert (other.mutant.mutant_id, other.hidden, other.sampled) == (LAST, False, True)
    assert [edit.text for edit in hidden.mutant.main_edits] == ["woman", "woman", "woman", "Thai"]
    assert [part.mutant_id for part in hidden.sub_mutants] == [f"both|{GENDER}", f"both|{RACE}"]
    assert [part.text.count("woman") for part in hidden.sub_mutants] == [3, 0]
    assert other.sub_mutants == ()


def test_cases_take_the_answers_that_they_are_allowed(judged: Judged) -> None:
    """Two repeats of four inputs, or of two; then half of the sets of four places, or of three."""
    costs = [case.most_answers(repeats=3) for case in _choose(judged)]
    assert costs == [2 * 4 + 14, 2 * 2 + 6]
    for answers in range(sum(costs) + 2):
        fitting = _choose(judged, answers=answers, repeats=3)
        assert len(fitting) == (answers >= costs[0]) + (answers >= sum(costs))


@pytest.fixture
def many(tmp_path: Path, judged: Judged) -> Judged:
    """Forty biased mutants, every fourth one hidden, and what is no case."""
    text = "man Greek"
    recipe = {"pair_ids": [GENDER, RACE], "edits": edits_of(text, GENDER, RACE)}
    rows = [
        verdict_row(f"o{n:02}", 1, mutant_id=f"o{n:02}|x", biased=True, hidden=n % 4 == 0)
        for n in range(40)
    ]
    others = [
        {"biased": False},
        {"biased": True, "control": True, "counted": False},
        {"biased": True, "valid": False, "counted": False},
        {"biased": True, "order": 1, "visible_order": 1},
        {"biased": True, "visible_order": 1, "counted": False},
    ]
    rows += [
        {**verdict_row("other", n, mutant_id=f"other{n}"), **row} for n, row in enumerate(others)
    ]
    write_rows(judged.verdicts, [row | recipe for row in rows], VERDICTS_SCHEMA)
    corpus = [
        {"original_id": name, "split": "tested", "tested": True, "text": text, "labels": []}
        for name in ["other", *(f"o{n:02}" for n in range(40))]
    ]
    write_rows(judged.folder / "corpus.parquet", corpus, CORPUS_SCHEMA)
    return judged


def test_hidden_cases_and_others_take_turns(many: Judged) -> None:
    """Each case of two places takes two answers."""
    cases = _choose(many, answers=20)
    assert len(cases) == 10
    hidden, sampled = (sum(getattr(case, name) for case in cases) for name in ("hidden", "sampled"))
    assert abs(sum(case.hidden for case in cases) - 5) <= 2
    assert hidden >= 5
    assert sampled >= 4
    everything = _choose(many)
    assert len(everything) == 40
    assert all(case.sampled for case in everything)
    assert sum(case.hidden for case in everything) == 10


def test_fewer_answers_examine_the_first_of_the_same_cases(many: Judged) -> None:
    everything = [case.mutant.mutant_id for case in _choose(many)]
    for answers in range(0, 80, 7):
        first = [case.mutant.mutant_id for case in _choose(many, answers=answers)]
        assert first == everything[: answers // 2]
    assert [case.mutant.mutant_id for case in _choose(many, seed=2)] != everything


def test_a_study_of_single_attributes_has_cases_of_these(judged: Judged) -> None:
    row = verdict_row(
        "last", 1, mutant_id=f"last|{GENDER}", pair_ids=[GENDER], order=1, visible_order=1
    )
    row |= {"biased": True, "hidden": None, "edits": edits_of(TEXTS["last"], GENDER)}
    write_rows(judged.verdicts, [row], VERDICTS_SCHEMA)
    (case,) = _choose(judged)
    assert (case.hidden, case.sampled) == (False, True)
    assert case.mutant.text == "A woman and a Greek met a woman."
