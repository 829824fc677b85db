"""A function of the user's as a model: what it may return, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from hinter.errors import InputError
from hinter.models import Status
from hinter.models.function import FunctionModel
from suites import Study, mutant

LABELS = ("positive", "negative", "positive")
HELPER = "WORDS = {'fine', 'good'}\n"
MODULE = """
from __future__ import annotations
from dataclasses import dataclass
from helping import WORDS

@dataclass
class Seen:
    texts: list[str]

calls: list[Seen] = []

def label(texts):
    calls.append(Seen(texts))
    return ["positive" if WORDS & set(text.split()) else "negative" for text in texts]

def score(texts):
    return [{"positive": 2.0 * len(WORDS & set(text.split())) - 1, "negative": 0} for text in texts]

def several(texts):
    return [["positive", "negative"] if text == "both" else [] for text in texts]

def broken(texts):
    return {answer}
"""


def _module(folder: Path, *, answer: str = "None") -> Path:
    (folder / "helping.py").write_text(HELPER)
    path = folder / "json.py"
    path.write_text(MODULE.replace("{answer}", answer))
    return path


def _model(path: Path, name: str, *, multi_label: bool = False, **changes: Any) -> FunctionModel:
    settings = {"function": f"json:{name}", "batch_size": 2, "version": 1} | changes
    labels = ["positive", "negative"]
    return FunctionModel(path, sheet=settings, labels=labels, multi_label=multi_label)


def _answers(model: FunctionModel, texts: list[str]) -> list[Any]:
    parts = [part for parts in model.responses(texts) for part in parts]
    assert [position for position, _ in parts] == list(range(len(texts)))
    return [model.read(response) for _, response in parts]


def test_labels_are_outcomes_and_texts_come_in_batches(tmp_path: Path) -> None:
    model = _model(_module(tmp_path), "label")
    parsed_answers = _answers(model, ["a fine film", "a film", "good"])
    assert [parsed.outcome for parsed in parsed_answers] == [
        ("positive",),
        ("negative",),
        ("positive",),
    ]
    assert {(parsed.status, parsed.scores) for parsed in parsed_answers} == {(Status.OK, None)}
    calls = model._function.__globals__["calls"]  # type: ignore[attr-defined]
    assert [len(call.texts) for call in calls] == [2, 1]


def test_scores_give_the_best_label_and_its_log_odds(tmp_path: Path) -> None:
    fine, plain = _answers(_model(_module(tmp_path), "score"), ["a fine film", "a film"])
    assert (fine.outcome, plain.outcome) == (("positive",), ("negative",))
    # With two labels, the log-odds of one are the difference of the logits.
    assert fine.scores == {"negative": -1.0, "positive": 1.0}
    assert plain.scores == {"negative": 1.0, "positive": -1.0}


def test_a_text_may_have_several_labels_or_none(tmp_path: Path) -> None:
    model = _model(_module(tmp_path), "several", multi_label=True)
    both, none = _answers(model, ["both", "else"])
    assert (both.outcome, none.outcome) == (("negative", "positive"), ())


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("'positive'", "found str as return value"),
        ("['positive']", "found 1 answers; expected a list with an answer to each of 2 texts"),
        ("['positive', 'fair']", "found 'fair' as a label; expected one label"),
        ("[['positive'], 'positive']", "found ['positive'] as a label"),
        ("[{'positive': 1}] * 2", "found {'positive': 1} as scores"),
        ("[{'positive': float('nan'), 'negative': 1}] * 2", "found nan as a score"),
        ("[None, 'positive']", "found neither a label nor scores"),
    ],
)
def test_other_answers_are_refused_by_the_name_of_the_function(
    answer: str, found: str, tmp_path: Path
) -> None:
    path = _module(tmp_path, answer=answer)
    with pytest.raises(InputError) as caught:
        _answers(_model(path, "broken"), ["a", "b"])
    assert str(caught.value).startswith(f"{path}, function 'broken': {found}")


def test_a_function_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no such function; expected a function of the"):
        _model(_module(tmp_path), "labels")


def test_the_fingerprint_covers_module_function_and_version(tmp_path: Path) -> None:
    path = _module(tmp_path)
    first = _model(path, "label").fingerprint
    assert _model(path, "label", batch_size=7).fingerprint == first
    others = [_model(path, "score"), _model(path, "label", version=2)]
    path.write_text(path.read_text() + "\n# edited\n")
    others.append(_model(path, "label"))
    assert len({first, *(model.fingerprint for model in others)}) == 4


def test_its_predictions_are_those_of_any_model(tmp_path: Path) -> None:
    gender = "gender:man>woman"
    study = Study(tmp_path, texts={"a": "A man is fine.", "h": "good"}, rows=[mutant("a", gender)])
    rows = {row["input_id"]: row for row in study.run(_model(_module(tmp_path), "score"))}
    assert rows.keys() == {"a", f"a|{gender}", "h"}
    assert rows["h"]["outcome"] == ["positive"]
    assert dict(rows["h"]["scores"]) == {"negative": -1.0, "positive": 1.0}
    assert rows[f"a|{gender}"]["visible_order"] == 1
