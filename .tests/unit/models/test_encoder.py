"""Encoders: outcomes do not depend on batches, windows are kept, faults are named."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from answering import LABELS, answers_of, shuffled_answers_of
from hinter.corpora import Text
from hinter.errors import InputError
from hinter.models import encoder as encoder_module
from hinter.models import hardware
from safetensors.torch import load_file, save_file
from tiny import open_encoder
from transformers import AutoModelForSequenceClassification, AutoTokenizer

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def texts(reviews: list[Text]) -> list[str]:
    return [review.text for review in reviews[:20]]


def test_an_encoder_answers_alike_in_any_batch_and_order(
    random_encoder: Path, texts: list[str]
) -> None:
    alone = answers_of(open_encoder(random_encoder, batch_tokens=1), texts)
    assert {json.loads(answer)[0] for answer in alone} == set(LABELS)
    batched = open_encoder(random_encoder, batch_tokens=700, threads=2)
    assert shuffled_answers_of(batched, texts) == alone


def test_near_ties_are_decided_again_in_double_precision(
    random_encoder: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = answers_of(open_encoder(random_encoder), texts[:10])
    monkeypatch.setattr(encoder_module, "near_tie", lambda dtype: float("inf"))
    doubting = open_encoder(random_encoder)
    assert answers_of(doubting, texts[:10]) == plain
    assert {torch.float32, torch.float64} <= doubting._models.keys()


@pytest.mark.parametrize("screening", [torch.float32, torch.bfloat16])
def test_outcomes_are_those_of_the_plain_loop_in_single_precision(
    screening: torch.dtype, random_encoder: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware, "screening_dtype", lambda device, dtype: screening)
    model = open_encoder(random_encoder)
    found = [json.loads(answer)[0] for answer in answers_of(model, texts)]
    assert next(iter(model._models.values())).dtype == torch.float32
    assert screening in model._models
    plain = AutoModelForSequenceClassification.from_pretrained(random_encoder).eval()
    tokenizer = AutoTokenizer.from_pretrained(random_encoder)
    with torch.inference_mode():
        expected = [
            LABELS[
                plain(**tokenizer(text, truncation=True, max_length=64, return_tensors="pt"))
                .logits[0]
                .argmax()
            ]
            for text in texts
        ]
    assert found == expected


def test_bfloat16_answers_alike_in_any_batch_and_order(
    random_encoder: Path, texts: list[str]
) -> None:
    alone = answers_of(open_encoder(random_encoder, batch_tokens=1, dtype="bfloat16"), texts)
    batched = open_encoder(random_encoder, batch_tokens=700, dtype="bfloat16")
    assert shuffled_answers_of(batched, texts) == alone


def test_an_encoder_sees_no_further_than_its_window(random_encoder: Path) -> None:
    text = "one two three four five six seven eight nine ten"
    (window,) = open_encoder(random_encoder, max_tokens=8).windows([text])
    assert text[: window.length] == "one two three four five six"
    whole, short = open_encoder(random_encoder, max_tokens=12).windows([text, " x "])
    assert (whole.length, short.length) == (len(text), 3)
    assert whole.digest != window.digest


def test_texts_that_look_alike_to_an_encoder_have_one_digest(random_encoder: Path) -> None:
    windows = open_encoder(random_encoder).windows(["A man.", "a  MAN .", "A woman."])
    assert windows[0].digest == windows[1].digest != windows[2].digest


def test_a_fingerprint_is_that_of_what_decides_a_response(
    random_encoder: Path, tmp_path: Path
) -> None:
    plain = open_encoder(random_encoder).fingerprint
    assert open_encoder(random_encoder, batch_tokens=1, threads=2).fingerprint == plain
    assert open_encoder(random_encoder, max_tokens=32).fingerprint != plain
    copy = shutil.copytree(random_encoder, tmp_path / "copy")
    assert open_encoder(copy).fingerprint == plain
    weights = bytearray((copy / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (copy / "model.safetensors").write_bytes(weights)
    assert open_encoder(copy).fingerprint != plain


def test_labels_that_go_together_are_all_those_above_0(
    random_encoder: Path, texts: list[str]
) -> None:
    model = open_encoder(random_encoder, multi_label=True)
    found = [json.loads(answer) for answer in answers_of(model, texts)]
    plain = AutoModelForSequenceClassification.from_pretrained(random_encoder).eval()
    tokenizer = AutoTokenizer.from_pretrained(random_encoder)
    for text, labels in zip(texts, found, strict=True):
        with torch.inference_mode():
            encoded = tokenizer(text, truncation=True, max_length=64, return_tensors="pt")
            logits = plain(**encoded).logits[0]
        assert labels == [name for name, logit in zip(LABELS, logits, strict=True) if logit >= 0]
    assert len({len(labels) for labels in found}) > 1


def test_an_encoder_without_a_trained_head_is_refused(resources: Path) -> None:
    with pytest.raises(InputError, match=r"no weights for classifier\.bias, classifier\.weight"):
        open_encoder(resources / "all_minilm_l6_v2", labels=[])


def test_other_labels_than_the_datasets_are_refused(random_encoder: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json, key 'id2label': found 2 labels"):
        open_encoder(random_encoder, labels=["bad", "fair", "good"])


def test_labels_that_the_dataset_calls_otherwise_are_renamed(
    random_encoder: Path, texts: list[str]
) -> None:
    exchanged = {"negative": "positive", "positive": "negative"}
    model, plain = open_encoder(random_encoder, renamed=exchanged), open_encoder(random_encoder)
    answers = [json.loads(answer) for answer in answers_of(plain, texts)]
    found = [json.loads(answer) for answer in answers_of(model, texts)]
    assert found == [[exchanged[label]] for (label,) in answers]
    assert model.fingerprint != plain.fingerprint
    others = {"negative": "no", "positive": "yes"}
    with pytest.raises(InputError, match="found 2 labels: no, yes; expected the dataset's 2"):
        open_encoder(random_encoder, renamed=others)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["score"], "found one label, score, as in a model that returns a number"),
        (
            ["bad", "fair", "good"],
            r"found weights classifier\.bias of shape \(1,\); expected \(3,\)",
        ),
    ],
)
def test_a_head_that_gives_a_number_or_is_not_of_its_labels_is_refused(
    names: list[str], said: str, resources: Path, tmp_path: Path
) -> None:
    base = resources / "all_minilm_l6_v2"
    settings = {"num_labels": 1, "num_hidden_layers": 1}
    model = AutoModelForSequenceClassification.from_pretrained(base, **settings)
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(base).save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config["id2label"] = dict(enumerate(names))
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match=said):
        open_encoder(tmp_path, labels=[])


@pytest.mark.parametrize("stored", [torch.int8, torch.float8_e4m3fn])
def test_weights_that_are_quantised_in_no_way_that_settings_name_are_refused(
    stored: torch.dtype, random_encoder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(random_encoder, tmp_path / "quantised")
    file = folder / "model.safetensors"
    weights = {
        name: each.to(stored) if each.ndim == 2 else each for name, each in load_file(file).items()
    }
    save_file(weights, file, metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"weights bert\.\S+ of type (I8|F8_E4M3), .* quantised"):
        open_encoder(folder)


def test_a_head_of_several_numbers_is_refused(random_encoder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(random_encoder, tmp_path / "numbers")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"problem_type": "regression"}))
    with pytest.raises(InputError, match="found a model of numbers"):
        open_encoder(folder)


def test_control_tokens_in_texts_are_words(random_encoder: Path) -> None:
    model = open_encoder(random_encoder)
    texts = ["The man [SEP] is [MASK].", "The man [ SEP ] is [ MASK ]."]
    real, words = model.windows(texts)
    assert real.digest == words.digest
    begun = model.windows(["The man"])[0]
    assert real.digest != begun.digest


def test_a_tokenizer_with_words_that_the_encoder_lacks_is_refused(
    random_encoder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(random_encoder, tmp_path / "larger")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["quokka"])
    tokenizer.save_pretrained(folder)
    with pytest.raises(InputError, match=r"the model lacks \(1, such as quokka\)"):
        open_encoder(folder)


def test_a_window_beyond_the_encoder_is_refused(random_encoder: Path) -> None:
    with pytest.raises(InputError, match="found 4096 tokens; expected at most 512"):
        open_encoder(random_encoder, max_tokens=4096)


@pytest.mark.parametrize("missing", ["tokenizer.json", "config.json", "model.safetensors"])
def test_a_folder_without_what_a_model_needs_is_named(
    missing: str, random_encoder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(random_encoder, tmp_path / "broken")
    for path in folder.glob("tokenizer*" if missing == "tokenizer.json" else missing):
        path.unlink()
    with pytest.raises(InputError, match=r"as `save_pretrained` writes it|no vocabulary"):
        open_encoder(folder)
