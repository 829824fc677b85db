"""Predictions: inputs that look alike are asked once, and shards change no row."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hinter.models.encoder import Encoder
from hinter.responses import ResponseStore, suite_shard
from suites import Study, mutant
from tiny import open_encoder

FAR = "A man spoke. " + "So it went on and on. " * 20 + "A Greek listened."


class Counting:
    """A model that notes how often it is asked about each text."""

    def __init__(self, model: Encoder) -> None:
        self._model = model
        self.asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        self.asked.update(texts)
        return self._model.responses(texts)


def _encoder(folder: Path, *, batch_tokens: int = 512) -> Counting:
    sizes = {"max_tokens": 32, "batch_tokens": batch_tokens}
    return Counting(open_encoder(folder, labels=["negative", "positive"], **sizes))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Return a suite on a text that is longer than the window, and on one that fits."""
    gender, race = "gender:man>woman", "race:Greek>Thai"
    return Study(
        tmp_path,
        texts={"a": FAR, "b": "The Greek and the man.", "h1": "A fine film.", "h2": "A Greek."},
        rows=[
            mutant("a", gender),
            mutant("a", "gender:man>Man"),
            mutant("a", race),
            mutant("a", gender, race),
            mutant("b", gender),
            mutant("b", race),
            mutant("b", gender, race),
        ],
    )


def test_what_the_window_hides_is_not_run_and_lowers_the_visible_order(
    study: Study, random_encoder: Path
) -> None:
    rows = {row["input_id"]: row for row in study.run(_encoder(random_encoder))}
    seen = {key: (row["visible_order"], row["status"]) for key, row in rows.items()}
    assert seen == {
        "a": (0, "ok"),
        "a|gender:man>woman": (1, "ok"),
        "a|gender:man>Man": (0, "identical"),
        "a|race:Greek>Thai": (0, "identical"),
        "a|gender:man>woman|race:Greek>Thai": (1, "ok"),
        "b": (0, "ok"),
        "b|gender:man>woman": (1, "ok"),
        "b|race:Greek>Thai": (1, "ok"),
        "b|gender:man>woman|race:Greek>Thai": (2, "ok"),
        "h1": (0, "ok"),
        "h2": (0, "ok"),
    }
    assert all((row["outcome"] is None) == (row["status"] == "identical") for row in rows.values())
    both, atomic = rows["a|gender:man>woman|race:Greek>Thai"], rows["a|gender:man>woman"]
    assert both["input_hash"] == atomic["input_hash"] != rows["a"]["input_hash"]


def test_rows_are_sorted_and_there_once(study: Study, random_encoder: Path) -> None:
    ids = [row["input_id"] for row in study.run(_encoder(random_encoder))]
    assert ids == sorted(set(ids))
    assert len(ids) == len(study.inputs())


def test_inputs_that_look_alike_are_asked_once(study: Study, random_encoder: Path) -> None:
    model = _encoder(random_encoder)
    rows = study.run(model)
    looks = {row["input_hash"] for row in rows if row["status"] == "ok"}
    assert set(model.asked.values()) == {1}
    assert len(model.asked) == len(looks)


def test_a_second_run_asks_nothing(study: Study, random_encoder: Path) -> None:
    first = study.run(_encoder(random_encoder))
    again = _encoder(random_encoder, batch_tokens=64)
    assert study.run(again) == first
    assert again.asked.total() == 0


def test_the_log_counts_what_is_asked_and_known_of_these_inputs(
    study: Study, random_encoder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = _encoder(random_encoder)
    ResponseStore(study.folder / "store", fingerprint=model.fingerprint).add({"other": "1"})
    caplog.set_level("INFO")
    study.run(model, shard=1, shards=2)
    study.run(model)
    assert caplog.messages == [
        "5 inputs: 2 asked, 0 known, 3 that are the same as others to the model",
        "11 inputs: 6 asked, 2 known, 3 that are the same as others to the model",
    ]


@pytest.mark.long
def test_a_run_that_failed_goes_on_where_it_stopped(
    study: Study, random_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = study.run(_encoder(random_encoder), store="other")
    broken = _encoder(random_encoder, batch_tokens=64)
    real = broken._model.responses

    def fail(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        for number, part in enumerate(real(texts)):
            if number == 1:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr(broken._model, "responses", fail)
    with pytest.raises(KeyboardInterrupt):
        study.run(broken)
    known = len(ResponseStore(study.folder / "store", fingerprint=broken.fingerprint))
    assert known >= 1
    resumed = _encoder(random_encoder)
    assert study.run(resumed) == expected
    assert resumed.asked.total() == len({row["input_hash"] for row in expected}) - known


@pytest.mark.long
@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_shards_divide_the_work_and_change_no_row(
    shards: int, study: Study, random_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = _encoder(random_encoder)
    whole = study.run(model, store="whole")
    # Blocks of a few rows must not show either.
    monkeypatch.setattr(suite_shard, "ROWS_IN_BLOCK", 3)
    monkeypatch.setattr(suite_shard, "ROWS_AT_ONCE", 2)
    parts = [
        study.run(model, shard=shard, shards=shards, store=f"store{shards}")
        for shard in range(1, shards + 1)
    ]
    assert [row for part in parts for row in part] == whole
    sizes = [len(study.inputs(shard=shard, shards=shards)) for shard in range(1, shards + 1)]
    assert sizes == [len(part) for part in parts]
