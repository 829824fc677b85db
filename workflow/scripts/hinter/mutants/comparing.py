"""The comparators side by side on one suite: results/comparators/{dataset}.parquet."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import Text
from ..dictionary import WordPair
from ..invariant import Comparator, Invariant, Reason, WholeMutant, check_mutants
from ..mutation import place_pairs

COMPARATORS_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        *((comparator.value, pa.string()) for comparator in Comparator),
    ]
)
MUTANTS_AT_ONCE = 1024


def compare_suite(
    suite: Path,
    *,
    texts: Mapping[str, Text],
    pairs: Mapping[str, WordPair],
    invariants: Sequence[Invariant],
) -> Iterator[pa.Table]:
    """Yield, in the order of the suite, what each comparator says of each mutant.

    A column per comparator holds `valid`, `unchecked` or the reason for which it discards.
    """
    columns = ["mutant_id", "original_id", "pair_ids"]
    for batch in pq.ParquetFile(suite).iter_batches(MUTANTS_AT_ONCE, columns=columns):
        rows = batch.to_pylist()
        reasons = {
            invariant.comparator.value: _names(_check(rows, texts=texts, pairs=pairs, by=invariant))
            for invariant in invariants
        }
        yield pa.table({"mutant_id": batch["mutant_id"], **reasons}, schema=COMPARATORS_SCHEMA)


def _check(
    rows: Sequence[Mapping[str, Any]],
    *,
    texts: Mapping[str, Text],
    pairs: Mapping[str, WordPair],
    by: Invariant,
) -> list[Reason]:
    originals = {row["original_id"]: texts[row["original_id"]].text for row in rows}
    stored = {key: by.store.entry(text) for key, text in originals.items()}
    mutants = [
        WholeMutant(
            originals[row["original_id"]],
            place_pairs(
                originals[row["original_id"]], [pairs[pair_id] for pair_id in row["pair_ids"]]
            ),
            stored[row["original_id"]],
        )
        for row in rows
    ]
    reasons = check_mutants(mutants, judge=by.judge())
    for entry in stored.values():
        entry.save()
    return reasons


def _names(reasons: Sequence[Reason]) -> list[str]:
    return [reason.name.lower() for reason in reasons]
