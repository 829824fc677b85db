"""Verdicts as the mutants file of the contract: results/mutants/{dataset}.parquet."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..mutation import DictionaryIndex
from .engine import Verdicts
from .reasons import Reason

MUTANTS_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("attributes", pa.string()),
        ("pair_ids", pa.list_(pa.string())),
        ("valid", pa.bool_()),
        ("reason", pa.string()),
    ]
)
REASON_NAMES = pa.array(
    [None if reason == Reason.VALID else reason.name.lower() for reason in Reason]
)


def mutants_table(verdicts: Iterable[Verdicts], *, index: DictionaryIndex) -> pa.Table:
    """Return a row per mutant, in the order of `verdicts` and of the dictionary's pairs.

    A mutant_id reads `original_id|pair_id|pair_id`, a sub-mutant's has fewer pair_ids.
    """
    pair_ids = pa.array([pair.pair_id for pair in index.pairs])
    batches = [_batch(verdict, index=index, pair_ids=pair_ids) for verdict in verdicts]
    return pa.Table.from_batches(batches, schema=MUTANTS_SCHEMA)


def _batch(verdicts: Verdicts, *, index: DictionaryIndex, pair_ids: pa.Array) -> pa.RecordBatch:
    terms = verdicts.combination.terms
    choices = np.meshgrid(
        *(index.by_source[term.attribute][term.source] for term in terms), indexing="ij"
    )
    rows, order = verdicts.codes.size, len(terms)
    columns = [pair_ids.take(pa.array(choice.ravel())) for choice in choices]
    original_ids = _repeated(verdicts.text.original_id, rows)
    offsets = pa.array(np.arange(0, rows * order + 1, order, dtype=np.int32))
    flat = pair_ids.take(pa.array(np.stack(choices, axis=-1).ravel()))
    codes = verdicts.codes.ravel()
    return pa.RecordBatch.from_arrays(
        [
            pc.binary_join_element_wise(original_ids, *columns, "|"),
            original_ids,
            pa.array(np.full(rows, order, dtype=np.int8)),
            _repeated("+".join(verdicts.combination.attributes), rows),
            pa.ListArray.from_arrays(offsets, flat),
            pa.array(codes == Reason.VALID),
            REASON_NAMES.take(pa.array(codes)),
        ],
        schema=MUTANTS_SCHEMA,
    )


def _repeated(value: str, rows: int) -> pa.Array:
    return pa.repeat(pa.scalar(value), rows)
