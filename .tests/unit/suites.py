"""Small suites on disk, and what models are given of them."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.corpora import CORPUS_SCHEMA
from hinter.limits import HeldOut
from hinter.mutants import SUITE_SCHEMA
from hinter.predictions import Opened, write_predictions
from hinter.responses import ResponseStore, SuiteShard
from recipes import edits_of

PAIRS = {
    "gender:man>woman": ("gender", "man", "woman"),
    "gender:man>Man": ("gender", "man", "Man"),
    "race:Greek>Thai": ("race", "Greek", "Thai"),
}


def mutant(original_id: str, *pair_ids: str) -> dict[str, Any]:
    return {
        "mutant_id": "|".join([original_id, *pair_ids]),
        "original_id": original_id,
        "order": len(pair_ids),
        "attributes": "+".join(pair.split(":")[0] for pair in pair_ids),
        "pair_ids": list(pair_ids),
        "valid": True,
        "control": False,
    }


class Study:
    """The files of a suite in a folder of its own."""

    def __init__(self, folder: Path, *, texts: dict[str, str], rows: list[dict[str, Any]]) -> None:
        self.folder = folder
        corpus = [
            {
                "original_id": key,
                "split": "held_out" if key.startswith("h") else "tested",
                "tested": not key.startswith("h"),
                "text": text,
                "labels": [],
            }
            for key, text in sorted(texts.items())
        ]
        pq.write_table(
            pa.Table.from_pylist(corpus, schema=CORPUS_SCHEMA), folder / "corpus.parquet"
        )
        recipes = [
            {"edits": edits_of(texts.get(row["original_id"], ""), *row["pair_ids"])} | row
            for row in rows
        ]
        pq.write_table(pa.Table.from_pylist(recipes, schema=SUITE_SCHEMA), folder / "suite.parquet")
        lines = [f"{key},{a},g,h,{source},{target}" for key, (a, source, target) in PAIRS.items()]
        header = "pair_id,attribute,source_group,target_group,source,target"
        (folder / "pairs.csv").write_text("\n".join([header, *lines]) + "\n")

    def inputs(self, *, shard: int = 1, shards: int = 1) -> SuiteShard:
        return SuiteShard(
            corpus=self.folder / "corpus.parquet",
            suite=self.folder / "suite.parquet",
            held_out=HeldOut(None, seed=0),
            discarded=True,
            shard=shard,
            shards=shards,
        )

    def run(
        self, model: Any, *, shard: int = 1, shards: int = 1, store: str = "store"
    ) -> list[Any]:
        predictions = self.folder / "predictions.parquet"
        responses = ResponseStore(self.folder / store, fingerprint=model.fingerprint)
        write_predictions(
            Opened(model, responses),
            inputs=self.inputs(shard=shard, shards=shards),
            predictions=predictions,
        )
        rows: list[Any] = pq.read_table(predictions).to_pylist()
        return rows
