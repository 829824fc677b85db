"""The mutants of tried texts, made and checked as a study makes them, and those to be asked."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import CORPUS_SCHEMA, TESTED, Text
from ..invariant import Invariant, check_block
from ..mutants import Making, list_orders
from ..mutation import Operating
from ..operators import OPERATORS, TERMS
from ..oracle import select_suite
from .ruling import show_rulings

NO_TERM = "no term of the dictionary occurs (results/dictionary/pairs.csv has them)"
NO_MENTION = "no mention of a person by a noun of the persons sheet (config/persons.yaml)"


def write_mutants(
    texts: Sequence[Text],
    *,
    making: Making,
    orders: Sequence[int],
    pairs_per_attribute: int | None,
    seed: int,
    folder: Path,
) -> dict[str, list[str]]:
    """Write texts to `corpus.parquet` of the folder, all their mutants, and the suite of these.

    Returns lines on what each text mentions, by its original_id.
    """
    texts = sorted(texts, key=lambda text: text.original_id)
    rows = [
        {"original_id": text.original_id, "split": TESTED, "tested": True, "text": text.text}
        for text in texts
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA), folder / "corpus.parquet")
    mutants = folder / "mutants.parquet"
    listed = [
        _list_mutants(texts, operating, orders=orders, invariant=making.invariant)
        for operating in making.operators.values()
    ]
    pq.write_table(pa.concat_tables(listed), mutants)
    select_suite(
        mutants,
        folder / "suite.parquet",
        originals=None,
        pairs_per_attribute=pairs_per_attribute,
        discarded=False,
        seed=seed,
        may_be_empty=True,
    )
    return {
        text.original_id: [
            line
            for name, operating in making.operators.items()
            for line in show_rulings(
                text.text,
                operating.rulings(text.text),
                index=operating.index,
                nothing=NO_TERM if OPERATORS[name].sheets == TERMS else NO_MENTION,
            )
        ]
        for text in texts
    }


def _list_mutants(
    texts: Sequence[Text], operating: Operating, *, orders: Sequence[int], invariant: Invariant
) -> pa.Table:
    operating.prepare(text.text for text in texts)
    index = operating.index
    checked = check_block(
        texts, index=index, orders=orders, invariant=invariant, substituting=operating
    )
    return list_orders(checked, orders=orders, index=index)
