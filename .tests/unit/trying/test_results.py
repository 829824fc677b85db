"""What the terminal shows of tried texts."""

from typing import Any

from hinter.corpora import Text
from hinter.trying import show_tried
from recipes import edits_of

TEXT = Text("t", "A British film about a blind man.")
BODY, RACE = "body:blind>deaf", "race:British>French"


def _row(*pair_ids: str, biased: bool | None, hidden: bool | None = None) -> dict[str, Any]:
    return {
        "mutant_id": "|".join(["t", *pair_ids]),
        "original_id": "t",
        "order": len(pair_ids),
        "pair_ids": list(pair_ids),
        "edits": edits_of(TEXT.text, *pair_ids),
        "valid": True,
        "reason": None,
        "biased": biased,
        "hidden": hidden,
        "status": "ok",
        "visible_order": len(pair_ids),
    }


def _shown(rows: list[dict[str, Any]]) -> list[str]:
    predictions = {
        row["mutant_id"]: {
            "status": "ok",
            "outcome": ["negative" if row["biased"] else "positive"],
            "scores": [("positive", -0.5), ("negative", 0.5)],
        }
        for row in rows
    }
    shown = show_tried(
        [TEXT],
        mentioned={"t": ["  blind:", "    body       deaf"]},
        mutants=rows,
        verdicts=rows,
        predictions=predictions,
    )
    return shown.splitlines()


def test_a_hidden_mutant_stands_below_its_sub_mutants() -> None:
    rows = [
        _row(BODY, biased=False),
        _row(RACE, biased=False),
        _row(BODY, RACE, biased=True, hidden=True),
    ]
    lines = _shown(rows)
    assert [" ".join(line.split()) for line in lines[6:9]] == [
        "benign positive (-0.50) A British film about a [deaf] man.",
        "benign positive (-0.50) A [French] film about a blind man.",
        "hidden negative (+0.50) A [French] film about a [deaf] man.",
    ]
    assert lines[-1].endswith("1 biased, 1 of them hidden")


def test_a_text_without_bias_has_the_summary_alone() -> None:
    lines = _shown([_row(BODY, biased=False)])
    assert lines[1:4] == ["", "  blind:", "    body       deaf"]
    assert len(lines) == 6
    assert lines[-1].endswith("0 biased, 0 of them hidden")


def test_a_text_of_which_nothing_was_asked_is_told() -> None:
    assert "  not asked: no valid mutant of several attributes" in _shown([])


def test_mutants_beyond_the_window_are_not_counted_as_asked() -> None:
    unseen = _row(RACE, biased=None) | {"status": "identical", "visible_order": 0}
    partly = _row(BODY, RACE, biased=True) | {"visible_order": 1}
    lines = _shown([_row(BODY, biased=True), unseen, partly])
    assert ["not", "seen"] in [line.split()[:2] for line in lines]
    assert " 1 asked (" in lines[-1]
    assert lines[-1].endswith(
        "1 biased, 0 of them hidden; 2 more change what is beyond the model's window"
    )
