"""Responses of local models that choose among labels, with scores and without."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from hinter.errors import InputError
from hinter.models import ParsedAnswer, Status
from hinter.models.encoder import Encoder
from hinter.models.labelled import check_numbers, labelled_response, read_labelled
from transformers import AutoModelForSequenceClassification

LABELS = ["bad", "fair", "good"]


def test_a_response_is_read_as_it_was_made() -> None:
    response = labelled_response(["fair"], np.array([-7.31, 1.2345, -1.2345]))
    assert response == '{"outcome":["fair"],"scores":[-740,123,-124]}'
    scores = {"bad": -7.4, "fair": 1.23, "good": -1.24}
    assert read_labelled(response, labels=LABELS) == ParsedAnswer(
        Status.OK, ("fair",), scores=scores
    )


@pytest.mark.parametrize("outcome", [[], ["bad"], ["bad", "good"]])
def test_a_response_without_scores_is_an_outcome(outcome: list[str]) -> None:
    response = labelled_response(outcome, None)
    assert read_labelled(response, labels=LABELS) == ParsedAnswer(Status.OK, tuple(outcome))


@pytest.mark.parametrize(
    "response", ['{"outcome":["bad"],"scores":[1,2]}', '{"outcome":["bad"]}', "3", "no"]
)
def test_a_response_without_sense_is_refused(response: str) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        read_labelled(response, labels=LABELS)


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
    encoder = Encoder(
        folder,
        labels=["negative", "positive"],
        multi_label=False,
        max_tokens=32,
        batch_tokens=512,
        threads=2,
        scores=scores,
    )
    with pytest.raises(InputError, match="found scores that are not numbers"):
        list(encoder.responses(["A fine film."]))
