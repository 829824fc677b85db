"""Scores in predictions: the same bytes however the work is divided, and old answers read on."""

import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from answering import LABELS, PROMPT
from hinter.blocks import gather_shards
from hinter.models import Task
from hinter.models.encoder import Encoder
from hinter.models.endpoint.client import Endpoint, open_endpoint
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.responses import ResponseStore, suite_shard
from suites import Study, mutant
from tiny import open_encoder

GENDER, RACE = "gender:man>woman", "race:Greek>Thai"
WORDS = ["film", "was", "not", "very", "good", "but", "had", "some", "fine", "ideas", "."]


def _texts(count: int) -> dict[str, str]:
    """Return texts of very different lengths, each with both terms."""
    draw = random.Random(1)
    return {
        f"t{number:02}": " ".join(["The man and the Greek:", *draw.choices(WORDS, k=3 + number)])
        for number in range(count)
    }


@pytest.fixture
def study(tmp_path: Path) -> Study:
    texts = _texts(12)
    recipes = [(GENDER,), (RACE,), (GENDER, RACE), ("gender:man>Man",)]
    rows = [mutant(key, *pair_ids) for key in texts for pair_ids in recipes]
    return Study(tmp_path, texts=texts, rows=rows)


def _encoder(folder: Path, *, batch_tokens: int) -> Encoder:
    sizes = {"max_tokens": 48, "batch_tokens": batch_tokens}
    return open_encoder(folder, labels=LABELS, scores=True, **sizes)


@pytest.mark.long
def test_batches_shards_and_what_is_known_change_no_byte(
    study: Study, random_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: list[bytes] = []

    def gather(name: str, *, batch_tokens: int, shards: int) -> None:
        model, parts = _encoder(random_encoder, batch_tokens=batch_tokens), []
        for shard in range(1, shards + 1):
            study.run(model, shard=shard, shards=shards, store=name)
            parts.append((study.folder / "predictions.parquet").rename(tmp_path / f"{shard}"))
        gather_shards(map(str, parts), tmp_path / "all")
        files.append((tmp_path / "all").read_bytes())

    gather("alone", batch_tokens=1, shards=1)
    gather("batched", batch_tokens=32 * 48, shards=1)
    gather("sharded", batch_tokens=1000, shards=2)
    # What the second shard asks is known, so that the rest is asked in other company.
    study.run(_encoder(random_encoder, batch_tokens=700), shard=2, shards=2, store="half")
    monkeypatch.setattr(suite_shard, "ROWS_AT_ONCE", 5)
    gather("half", batch_tokens=32 * 48, shards=1)
    assert len(set(files)) == 1
    rows = pq.read_table(tmp_path / "all").to_pylist(maps_as_pydicts="strict")
    asked = [row for row in rows if row["status"] == "ok"]
    assert len(asked) == 12 * 4
    assert all(tuple(row["scores"]) == LABELS for row in asked)
    assert len({row["scores"]["positive"] for row in asked}) > 5
    assert all(row["scores"] is None for row in rows if row["status"] == "identical")


# An endpoint that nobody serves, and what another version of this project kept of its answers.

FINGERPRINT = "ef6cd232487519aea2f2e7c861069a49"
KEPT = '{"answer":"Positive.","finish":"stop","tokens":[41,2]}'


@pytest.fixture
def endpoint(resources: Path) -> Endpoint:
    return open_endpoint(
        resources / "cl100k_base",
        sheet={
            "base_url": "http://localhost:8000/v1",
            "model": "m",
            "context_tokens": 400,
            "max_tokens": 32,
        },
        task=Task(PROMPT, [], multi_label=False),
        seed=1,
    )


def test_answers_that_were_kept_without_scores_are_read_on_and_not_asked_again(
    study: Study, endpoint: Endpoint
) -> None:
    assert endpoint.fingerprint == FINGERPRINT
    store = ResponseStore(study.folder / "store", fingerprint=FINGERPRINT)
    digests = _digests(study, endpoint)
    store.add(dict.fromkeys(digests, KEPT))
    rows = study.run(endpoint)
    assert {(*row["outcome"], row["status"], row["scores"]) for row in rows} == {
        ("positive", "ok", None)
    }
    assert store.count_received() == (len(digests), 0)


def test_answers_with_and_without_scores_stand_in_one_store(
    study: Study, endpoint: Endpoint
) -> None:
    labels = '[["positive",{"negative":-3.0,"positive":-0.125}]]'
    scored = KEPT.replace('"tokens"', f'"labels":{labels},"tokens"')
    none = '{"answer":"None","finish":"stop","tokens":[41,1]}'
    kept = [KEPT, scored, none]
    digests = _digests(study, endpoint)
    ResponseStore(study.folder / "store", fingerprint=FINGERPRINT).add(
        {digest: kept[number % 3] for number, digest in enumerate(digests)}
    )
    study.run(endpoint)
    table = pq.read_table(study.folder / "predictions.parquet")
    assert table.schema.equals(PREDICTIONS_SCHEMA)
    found = {
        (row["status"], *(row["scores"] or {}).values())
        for row in table.to_pylist(maps_as_pydicts="strict")
    }
    assert found == {("ok",), ("none",), ("ok", -2.880000114440918, 2.869999885559082)}


def _digests(study: Study, endpoint: Endpoint) -> list[str]:
    """Return the keys of all that the endpoint is to be asked about, in one order."""
    asked: dict[str, Any] = {}

    class Asking:
        fingerprint = "x"
        windows = staticmethod(endpoint.windows)
        read = staticmethod(endpoint.read)

        @staticmethod
        def responses(texts: list[str]) -> Any:
            asked.update({window.digest: None for window in endpoint.windows(texts)})
            yield [(position, KEPT) for position in range(len(texts))]

    study.run(Asking(), store="asking")
    return list(asked)
