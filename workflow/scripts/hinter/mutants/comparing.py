"""The checks of all comparators on one suite: results/comparators/{dataset}.parquet."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds

from ..batches import batches_of
from ..invariant import Comparator, Invariant, KeptParses, Reason, changed_sentences, check_mutants
from ..mutation import Mutant

COMPARATORS_SCHEMA = pa.schema(
    [("mutant_id", pa.string()), *((comparator.value, pa.string()) for comparator in Comparator)]
)
MUTANTS_AT_ONCE = 1024
CHARACTERS_AT_ONCE = 1 << 22


def compare_suite(
    suite: Path, *, corpus: Path, invariants: Sequence[Invariant]
) -> Iterator[pa.Table]:
    """Yield the check of each comparator on each mutant of a suite, in its order.

    `corpus` is the file with the originals; `invariants` has one per comparator. The columns are
    `mutant_id` and those of `compare_mutants`.
    """
    texts: dict[str, str] = {}
    columns = ["mutant_id", "original_id", "pair_ids", "edits"]
    # Controls are left out: they were made with the study's own comparator only.
    sensitive = ds.dataset(suite).to_batches(
        columns=columns, filter=~ds.field("control"), batch_size=MUTANTS_AT_ONCE, use_threads=False
    )
    for batch in sensitive:
        texts = _texts(corpus, set(batch["original_id"].to_pylist()), known=texts)
        mutants = [Mutant.of_row(row, texts[row["original_id"]]) for row in batch.to_pylist()]
        said = compare_mutants(mutants, invariants=invariants)
        yield pa.table({"mutant_id": batch["mutant_id"], **said}, schema=COMPARATORS_SCHEMA)


def _texts(corpus: Path, ids: Collection[str], *, known: Mapping[str, str]) -> dict[str, str]:
    """Return these texts of a corpus by original_id; `known` ones are not read again."""
    new = pa.array([key for key in ids if key not in known], type=pa.string())
    table = ds.dataset(corpus).to_table(
        columns=["original_id", "text"], filter=ds.field("original_id").isin(new)
    )
    read = zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    return {key: known[key] for key in ids if key in known} | dict(read)


def compare_mutants(
    mutants: Sequence[Mutant], *, invariants: Sequence[Invariant]
) -> dict[str, list[str]]:
    """Return the checks on each mutant, by comparator.

    A check is `valid`, `unchecked` or the reason for discarding.
    """
    checked = zip(invariants, check_recipes(mutants, by=invariants), strict=True)
    return {
        invariant.comparator.value: [reason.name.lower() for reason in reasons]
        for invariant, reasons in checked
    }


def check_recipes(mutants: Sequence[Mutant], *, by: Sequence[Invariant]) -> list[list[Reason]]:
    """Return the checks on the mutants, a list of them for each invariant.

    The sentences of many mutants are checked together, and parsed once for all invariants with the
    same parser.
    """
    originals = dict.fromkeys(mutant.original for mutant in mutants)
    stores = [{text: invariant.store.entry(text) for text in originals} for invariant in by]
    parses = {invariant.parser: KeptParses(invariant.parser) for invariant in by}
    checkers = [invariant.checker(parses[invariant.parser]) for invariant in by]
    reasons: list[list[Reason]] = [[] for _ in by]
    for some in batches_of(
        mutants, length=lambda mutant: len(mutant.original), size=CHARACTERS_AT_ONCE
    ):
        changed = [changed_sentences(mutant.original, mutant.edits) for mutant in some]
        for found, stored, checker in zip(reasons, stores, checkers, strict=True):
            entries = (stored[mutant.original] for mutant in some)
            found += check_mutants(list(zip(entries, changed, strict=True)), checker=checker)
        for kept in parses.values():
            kept.forget()
    for entry in chain.from_iterable(stored.values() for stored in stores):
        entry.save()
    return reasons
