"""The mutants of tried texts, made and checked as a study makes them, and those to be asked."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import CORPUS_SCHEMA, TESTED, Text
from ..dictionary import CONTROL, WordPair, read_pairs
from ..errors import InputError
from ..invariant import Annotator, Invariant, check_block
from ..mutants import list_orders
from ..mutation import substituting_by
from ..oracle import select_suite

SHOWN_TERMS = 12


def write_mutants(
    texts: Sequence[Text],
    *,
    pairs: Path,
    parser: Path,
    orders: Sequence[int],
    mutation: Mapping[str, Any],
    invariant: Mapping[str, Any],
    checks: str,
    annotations: str,
    pairs_per_attribute: int | None,
    seed: int,
    folder: Path,
) -> None:
    """Write texts to `corpus.parquet` of the folder, all their mutants, and the suite of these.

    `checks` and `annotations` are the folders of the stores.
    Raises `InputError` where no text holds a term that makes a mutant.
    """
    texts = sorted(texts, key=lambda text: text.original_id)
    rows = [
        {"original_id": text.original_id, "split": TESTED, "tested": True, "text": text.text}
        for text in texts
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA), folder / "corpus.parquet")
    sensitive = [pair for pair in read_pairs(pairs) if pair.attribute != CONTROL]
    annotator = partial(Annotator.of_sheet, invariant, parser=parser, store=Path(annotations))
    substituting = substituting_by(mutation, pairs=sensitive, annotator=annotator)
    substituting.prepare(text.text for text in texts)
    checked = check_block(
        texts,
        index=substituting.index,
        orders=list(orders),
        invariant=Invariant.of_sheet(invariant, parser=parser, store=Path(checks)),
        substituting=substituting,
    )
    listed = list_orders(checked, orders=orders, index=substituting.index)
    if not len(listed):
        raise _without_terms(sensitive)
    mutants = folder / "mutants.parquet"
    pq.write_table(listed, mutants)
    select_suite(
        mutants,
        folder / "suite.parquet",
        originals=None,
        pairs_per_attribute=pairs_per_attribute,
        discarded=False,
        seed=seed,
        may_be_empty=True,
    )


def _without_terms(pairs: Sequence[WordPair]) -> InputError:
    known = sorted({pair.source for pair in pairs})
    step = max(1, len(known) // SHOWN_TERMS)
    return InputError(
        where="the texts that are tried",
        found="no term that makes a mutant",
        expected=f"one of {len(known)} terms, such as {', '.join(known[::step][:SHOWN_TERMS])}",
        fix="All are in results/dictionary/pairs.csv; some count only where they name a person.",
    )
