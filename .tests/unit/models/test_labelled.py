"""Responses of local models that choose among labels, with scores and without."""

import json
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from answering import EXAMPLES, LABELS, PROMPT
from hinter.corpora import Text
from hinter.errors import InputError
from hinter.models import Model, ParsedAnswer, Status, Task
from hinter.models import encoder as encoder_module
from hinter.models import scoring as scoring_module
from hinter.models.encoder import Encoder
from hinter.models.labelled import (
    TAIL,
    by_label,
    check_numbers,
    in_hundredths,
    labelled_response,
    log_odds,
    near_edge,
    read_labelled,
)
from hinter.models.local import open_scoring
from hinter.models.scoring import ScoringModel
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import open_encoder
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

THREE = ["bad", "fair", "good"]


def test_a_response_is_read_as_it_was_made() -> None:
    response = labelled_response(["fair"], np.array([-7.31, 1.2345, -1.2345]))
    assert response == '{"outcome":["fair"],"scores":[-740,123,-124]}'
    scores = {"bad": -7.4, "fair": 1.23, "good": -1.24}
    assert read_labelled(response, labels=THREE) == ParsedAnswer(
        Status.OK, ("fair",), scores=scores
    )


@pytest.mark.parametrize("outcome", [[], ["bad"], ["bad", "good"]])
def test_a_response_without_scores_is_an_outcome(outcome: list[str]) -> None:
    response = labelled_response(outcome, None)
    assert read_labelled(response, labels=THREE) == ParsedAnswer(Status.OK, tuple(outcome))


@pytest.mark.parametrize(
    "response", ['{"outcome":["bad"],"scores":[1,2]}', '{"outcome":["bad"]}', "3", "no"]
)
def test_a_response_without_sense_is_refused(response: str) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        read_labelled(response, labels=THREE)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_scores_that_are_no_numbers_are_refused(number: float) -> None:
    check_numbers(np.array([[0.0, 1.0]]), folder=Path("m"))
    with pytest.raises(InputError, match=r"^m: found scores that are not numbers"):
        check_numbers(np.array([[0.0, 1.0], [number, 0.0]]), folder=Path("m"))


@pytest.mark.parametrize("scores", [True, False])
def test_a_model_with_spoilt_weights_has_no_outcome(
    scores: bool, random_encoder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(random_encoder, tmp_path / "spoilt")
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.weight[0, 0] = float("nan")
    model.save_pretrained(folder)
    encoder = _encoder(folder, scores=scores)
    with pytest.raises(InputError, match="found scores that are not numbers"):
        list(encoder.responses(["A fine film."]))


NUMBER = st.floats(-60, 60, allow_nan=False)
ROW = st.lists(NUMBER, min_size=2, max_size=7)
NEAR_EDGES = st.builds(
    lambda step, offset: step / 100 + offset, st.integers(-900, 900), st.floats(-2e-5, 2e-5)
)


def _odds(row: Sequence[float]) -> np.ndarray[Any, Any]:
    return log_odds(np.array([row]))[0]


@settings(deadline=None, derandomize=True)
@given(ROW)
def test_log_odds_are_those_of_each_label_against_all_others(row: list[float]) -> None:
    for label, odds in enumerate(_odds(row)):
        others = np.logaddexp.reduce(row[:label] + row[label + 1 :])
        assert odds == pytest.approx(row[label] - others, abs=1e-9)


@settings(deadline=None, derandomize=True)
@given(ROW, NUMBER)
def test_the_likeliest_label_has_the_best_rounded_score(row: list[float], constant: float) -> None:
    rounded = in_hundredths(_odds(row))
    assert rounded[int(np.argmax(row))] == rounded.max()
    assert np.abs(_odds([score + constant for score in row]) - _odds(row)).max() < 1e-9


def test_a_score_that_a_certain_label_leaves_to_others_is_a_number() -> None:
    assert in_hundredths(_odds([5000.0, 0.0])).tolist() == [70839, -500000]


@settings(deadline=None, derandomize=True)
@given(NUMBER | NEAR_EDGES)
def test_rounding_goes_down_by_less_than_a_step_and_keeps_the_sign(odds: float) -> None:
    (rounded,) = in_hundredths(np.array([odds])) / 100
    assert (rounded >= 0) == (odds >= 0)
    assert -1e-9 <= odds - rounded < (0.01 if odds >= TAIL else 0.1) + 1e-9


@settings(deadline=None, derandomize=True, max_examples=500)
@given(NUMBER | NEAR_EDGES, st.floats(-1e-5, 1e-5))
def test_noise_changes_no_score_that_is_not_near_an_edge(odds: float, noise: float) -> None:
    if not near_edge(np.array([[odds]]), noise=1.1e-5)[0]:
        assert in_hundredths(np.array([odds])) == in_hundredths(np.array([odds + noise]))


def test_scores_are_read_by_label_as_they_were_rounded() -> None:
    assert by_label(["a", "b"], [-131, 58]) == {"a": -1.31, "b": 0.58}
    with pytest.raises(ValueError, match="shorter"):
        by_label(["a", "b"], [1])


# Real models.


@pytest.fixture(scope="module")
def texts(reviews: list[Text]) -> list[str]:
    return [review.text for review in reviews[:16]]


@pytest.fixture(scope="module")
def encoder_folder(random_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an encoder of random weights that is as sure of its outcomes as a trained one."""
    return _with_head(
        random_encoder,
        tmp_path_factory.mktemp("sure") / "encoder",
        change=lambda head: head.weight.mul_(40),
    )


def _with_head(folder: Path, copy: Path, *, change: Callable[[Any], Any]) -> Path:
    shutil.copytree(folder, copy)
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        change(model.classifier)
    model.save_pretrained(copy)
    return copy


def _encoder(folder: Path, **settings: Any) -> Encoder:
    chosen = {"labels": LABELS, "batch_tokens": 4096, "scores": True}
    return open_encoder(folder, **(chosen | settings))


def _scoring(folder: Path, *, batch_tokens: int = 4096) -> ScoringModel:
    keys = {"chat": False, "answer_prefix": None, "context_tokens": None, "max_tokens": 96}
    keys["device"] = "cpu"
    running = {"batch_tokens": batch_tokens, "threads": 1, "dtype": "float32", "scores": True}
    return open_scoring(
        folder,
        sheet=keys | running,
        task=Task(PROMPT, EXAMPLES, multi_label=False),
        offsets={"negative": -2.1, "positive": -1.3},
    )


def _parsed_answers(model: Model, texts: Sequence[str]) -> list[ParsedAnswer]:
    found = dict(pair for part in model.responses(texts) for pair in part)
    return [model.read(found[position]) for position in range(len(texts))]


def _logits(folder: Path, texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """Return what transformers gives each text alone, in double precision."""
    model = AutoModelForSequenceClassification.from_pretrained(folder).double().eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        rows = [
            model(**tokenizer(text, truncation=True, max_length=64, return_tensors="pt")).logits[0]
            for text in texts
        ]
    return torch.stack(rows).numpy()


@pytest.mark.long
@pytest.mark.parametrize("multi_label", [False, True])
def test_an_encoders_scores_are_its_logits_as_log_odds(
    multi_label: bool, encoder_folder: Path, texts: list[str]
) -> None:
    logits = _logits(encoder_folder, texts)
    margins = logits[:, [0]] - logits[:, [1]]
    expected = in_hundredths(logits if multi_label else np.hstack([margins, -margins])) / 100
    found = _parsed_answers(_encoder(encoder_folder, multi_label=multi_label), texts)
    assert [list((parsed.scores or {}).values()) for parsed in found] == expected.tolist()
    assert len({parsed.outcome for parsed in found}) > 1
    for parsed in found:
        scores = parsed.scores or {}
        assert tuple(scores) == LABELS
        chosen = [label for label, score in scores.items() if score >= 0]
        best = [label for label, score in scores.items() if score == max(scores.values())]
        assert list(parsed.outcome or ()) == (chosen if multi_label else best)


@pytest.mark.long
@pytest.mark.parametrize("multi_label", [False, True])
def test_an_encoders_scores_are_alike_in_any_batch_and_order(
    multi_label: bool, encoder_folder: Path, texts: list[str]
) -> None:
    alone = _parsed_answers(
        _encoder(encoder_folder, batch_tokens=1, multi_label=multi_label), texts
    )
    order = random.Random(1).sample(range(len(texts)), len(texts))
    for dtype in ("float32", "bfloat16"):
        model = _encoder(encoder_folder, batch_tokens=2048, multi_label=multi_label, dtype=dtype)
        shuffled = _parsed_answers(model, [texts[position] for position in order])
        if dtype == "float32":
            assert [shuffled[order.index(position)] for position in range(len(texts))] == alone
        assert torch.bfloat16 not in model._models


@pytest.mark.long
def test_a_score_at_the_edge_of_a_step_is_computed_again(
    encoder_folder: Path, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head's bias puts an edge between what one text has alone and in a batch."""
    monkeypatch.setattr(encoder_module, "HIGHER", {})
    sides = [
        np.array([_margin(row) for row in _raw(_encoder(encoder_folder, batch_tokens=size), texts)])
        for size in (1, 4096)
    ]
    far = int(np.abs(sides[0] - sides[1]).argmax())
    middle = (sides[0][far] + sides[1][far]) / 2
    edged = _with_head(
        encoder_folder, tmp_path / "edged", change=lambda head: _add(head.bias, -middle)
    )

    def scores(size: int) -> Any:
        return _parsed_answers(_encoder(edged, batch_tokens=size), texts)[far].scores

    assert scores(1) != scores(4096)
    monkeypatch.undo()
    assert scores(1) == scores(4096)


def _raw(model: Encoder, texts: Sequence[str]) -> list[Any]:
    """Return the logits behind the responses of a model."""
    kept: dict[int, Any] = {}
    decide = model._decided

    def keeping(batch: Any, dtype: torch.dtype) -> Any:
        logits = decide(batch, dtype)
        kept.update(zip(batch.positions, logits, strict=True))
        return logits

    model._decided = keeping  # type: ignore[method-assign]
    list(model.responses(texts))
    return [kept[position] for position in range(len(texts))]


def _margin(row: Any) -> float:
    return float(row[1] - row[0])


def _add(bias: Any, amount: float) -> None:
    bias[1] += amount


@pytest.mark.long
def test_a_scoring_models_scores_are_calibrated_log_odds_of_whole_prompts(
    shallow_smollm2: Path, texts: list[str]
) -> None:
    model = _scoring(shallow_smollm2)
    plain = AutoModelForCausalLM.from_pretrained(shallow_smollm2, dtype=torch.float64).eval()
    expected = []
    with torch.inference_mode():
        for prompt in model._prompting.rows(texts[:8]):
            last = plain(torch.tensor([prompt])).logits[0, -1].log_softmax(0)
            negative, positive = last[model._answer_ids].tolist()
            margin = (positive + 1.3) - (negative + 2.1)
            expected.append((in_hundredths(np.array([-margin, margin])) / 100).tolist())
    found = _parsed_answers(model, texts[:8])
    assert [list((parsed.scores or {}).values()) for parsed in found] == expected
    for parsed in found:
        scores = parsed.scores or {}
        assert parsed.outcome == (max(scores, key=scores.__getitem__),)


@pytest.mark.release
@pytest.mark.long
def test_a_scoring_models_scores_are_alike_in_any_batch_and_order(
    smollm2: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, few = texts[:16], _scoring(smollm2, batch_tokens=16)
    alone = [_parsed_answers(few, [text])[0] for text in asked]
    assert _parsed_answers(_scoring(smollm2, batch_tokens=1), asked[:2]) == alone[:2]
    order = random.Random(2).sample(range(len(asked)), len(asked))
    shuffled = _parsed_answers(_scoring(smollm2, batch_tokens=900), [asked[row] for row in order])
    assert [shuffled[order.index(row)] for row in range(len(asked))] == alone
    # Where everything is computed again, all of it is in double precision.
    monkeypatch.setattr(scoring_module, "NOISE", float("inf"))
    doubting = _scoring(smollm2)
    assert _parsed_answers(doubting, asked[:4]) == alone[:4]
    assert torch.float64 in doubting._models


@pytest.mark.long
def test_without_scores_a_model_has_the_same_outcomes_and_a_store_of_its_own(
    encoder_folder: Path, texts: list[str]
) -> None:
    scored, plain = _encoder(encoder_folder), _encoder(encoder_folder, scores=False)
    assert scored.fingerprint != plain.fingerprint
    parsed_answers = _parsed_answers(plain, texts)
    assert {parsed.scores for parsed in parsed_answers} == {None}
    assert [parsed.outcome for parsed in parsed_answers] == [
        parsed.outcome for parsed in _parsed_answers(scored, texts)
    ]
    (((_, response),),) = plain.responses(texts[:1])
    assert json.loads(response) == list(parsed_answers[0].outcome or ())
