"""Make and check the mutants of tried texts like a study, and select those to ask about.

Each mention in a text is shown in a line with its replacements, or with the reason why it has none.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import CORPUS_SCHEMA, TESTED, Text
from ..invariant import Invariant, check_block
from ..mutants import Making, list_orders
from ..mutation import DictionaryIndex, Operating, Ruling, reason_in_short
from ..operators import OPERATORS, TERMS
from ..oracle import select_suite

NO_TERM = "no term of the dictionary occurs (results/dictionary/pairs.csv has them)"
NO_MENTION = "no mention of a person by a noun of the persons sheet (config/persons.yaml)"
SHOWN = 4
"""How many replacements of a word are shown."""


def write_mutants(
    texts: Sequence[Text],
    *,
    making: Making,
    orders: Sequence[int],
    pairs_per_attribute: int | None,
    seed: int,
    folder: Path,
) -> dict[str, list[str]]:
    """Write texts to `corpus.parquet` in the folder, all their mutants, and a suite of these.

    Returns lines about the mentions in each text, by original_id.
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
            for line in _show_rulings(
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
    checked = check_block(texts, operating=operating, orders=orders, invariant=invariant)
    return list_orders(checked, orders=orders, index=operating.index)


def _show_rulings(
    text: str, rulings: Iterable[Ruling], *, index: DictionaryIndex, nothing: str
) -> list[str]:
    """Return a line about each occurrence or mention, equal lines once, or `nothing`."""
    edit_spans = sorted(rulings, key=lambda ruling: ruling.occurrence.span)
    shown = Counter(
        "\n".join(_lines(text[slice(*span)], [*of_span], index=index))
        for span, of_span in groupby(edit_spans, key=lambda ruling: ruling.occurrence.span)
    )
    return [
        lines if times == 1 else lines.replace(":", f" ({times} times):", 1)
        for lines, times in shown.items()
    ] or [f"  {nothing}"]


def _lines(found: str, rulings: list[Ruling], *, index: DictionaryIndex) -> Iterator[str]:
    outcomes = {one.occurrence.attribute: _outcome(found, one, index=index) for one in rulings}
    if len({one.rule for one in rulings}) == 1 and rulings[0].rule:
        yield f"  {found}: {outcomes.popitem()[1]}"
        return
    yield f"  {found}:"
    yield from (f"    {attribute:10} {what}" for attribute, what in outcomes.items())


def _outcome(found: str, ruling: Ruling, *, index: DictionaryIndex) -> str:
    if ruling.rule:
        return f"left alone by {ruling.rule}: {reason_in_short(ruling.rule)}"
    targets = index.targets_of(ruling.term)
    source = ruling.occurrence.source
    replaced = "" if source.lower() == found.lower() else f"{source} > "
    more = f" and {len(targets) - SHOWN:,} more" if len(targets) > SHOWN else ""
    return f"{replaced}{', '.join(targets[:SHOWN])}{more}"
