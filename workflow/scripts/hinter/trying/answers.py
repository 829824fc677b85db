"""Try texts on a model: read them, make mutants, ask about them, and judge the outcomes.

Mutants are made, checked and selected like those of a study. Each mention in a text is shown in a
line with its replacements, or with the reason why it has none.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import CORPUS_SCHEMA, TESTED, Text, text_id
from ..errors import Faults, InputError, no_file
from ..invariant import check_block
from ..lines import decoded_lines
from ..mutants import Making, list_orders, open_making
from ..mutation import DictionaryIndex, Ruling, reason_in_short
from ..operators import OPERATORS, TERMS
from ..oracle import judge_mutants, select_suite
from ..predictions import open_for_dataset, write_approval, write_predictions
from ..responses import SuiteShard
from .results import show_tried

NO_TERM = "no term of the dictionary occurs (results/dictionary/pairs.csv has them)"
NO_MENTION = "no mention of a person by a noun of the persons sheet (config/persons.yaml)"
SHOWN = 4
"""How many replacements of a word are shown."""


def try_texts(
    *,
    text: str | None,
    file: str | None,
    pairs: Path,
    parser: Path,
    making: Mapping[str, Any],
    mutants: Mapping[str, Any],
    model: str,
    examples: str,
    paid: Mapping[str, Any] | None,
    judging: Mapping[str, Any],
    **opening: Any,
) -> None:
    """Print the mentions in the `text` or in those of a `file`, and the lattices of biased mutants.

    `making` has the settings that make mutants from the word pairs in `pairs`, and `mutants` says
    which mutants are made and asked about. `opening` says how a study opens the model for a
    dataset, whose corpus has the prompt's `examples`. `paid` has the budget and prices of a model
    behind an endpoint, and `judging` the study's definitions of bias and hidden bias.
    """
    texts = read_tried(text, file=file)
    made = open_making(pairs, parser=parser, **making)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        mentioned = write_mutants(texts, making=made, folder=folder, **mutants)
        if paid is not None:
            opening["approval"] = str(folder / "approval.json")
            write_approval(folder / "approval.json", **paid)
        opened = open_for_dataset(model, corpus=Path(examples), **opening)
        corpus, suite, predictions, verdicts, recipes = (
            folder / f"{name}.parquet"
            for name in ("corpus", "suite", "predictions", "verdicts", "mutants")
        )
        inputs = SuiteShard(corpus=corpus, suite=suite)
        write_predictions(opened, inputs=inputs, predictions=predictions)
        judge_mutants(suite, predictions, verdicts, **judging)
        said = show_tried(
            texts,
            mentioned=mentioned,
            mutants=pq.read_table(recipes).to_pylist(),
            verdicts=pq.read_table(verdicts).to_pylist(),
            predictions={row["input_id"]: row for row in pq.read_table(predictions).to_pylist()},
        )
    print(said, file=sys.__stdout__)


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
    listed = []
    for operating in making.operators.values():
        operating.prepare(text.text for text in texts)
        checked = check_block(texts, operating=operating, orders=orders, invariant=making.invariant)
        listed.append(list_orders(checked, orders=orders, index=operating.index))
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


def _show_rulings(
    text: str, rulings: Iterable[Ruling], *, index: DictionaryIndex, nothing: str
) -> list[str]:
    """Return a line about each occurrence or mention, equal lines once, or `nothing`."""
    edit_spans = sorted(rulings, key=lambda ruling: ruling.occurrence.span)
    shown = Counter(
        "\n".join(_shown_lines(text[slice(*span)], [*of_span], index=index))
        for span, of_span in groupby(edit_spans, key=lambda ruling: ruling.occurrence.span)
    )
    return [
        lines if times == 1 else lines.replace(":", f" ({times} times):", 1)
        for lines, times in shown.items()
    ] or [f"  {nothing}"]


def _shown_lines(found: str, rulings: list[Ruling], *, index: DictionaryIndex) -> Iterator[str]:
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


STDIN = "-"
FIX = (
    "Try one text, `--config text='A blind British actor falls in love.'`, a `file` of texts, or "
    "those of standard input, `file=-`."
)


def read_tried(text: str | None, *, file: str | None) -> list[Text]:
    """Return the text, or those of a UTF-8 file with one per line, each once, in their order.

    The file `-` is standard input. Empty lines are ignored. Raises `InputError` if there is no
    text, or if one has a NUL character.
    """
    if (text is None) == (file is None):
        raise InputError(
            where="configuration, keys 'text' and 'file'",
            found="neither" if text is None else "both",
            expected="one of them",
            fix=FIX,
        )
    where = "standard input" if file == STDIN else file or "configuration, key 'text'"
    lines = [text or ""] if file is None else _lines(file, where=where)
    faults = Faults(where)
    for number, line in enumerate(lines, start=1):
        at = f"{where}, line {number}" if file else where
        with faults.noted():
            if "\0" in line:
                found = "a NUL character"
                raise InputError(where=at, found=found, expected="text", fix="Remove it.")
    faults.raise_all()
    texts = {text_id(line): line for line in map(str.strip, lines) if line}
    if not texts:
        raise InputError(where=where, found="no text", expected="at least one", fix=FIX)
    return [Text(original_id, texts[original_id]) for original_id in texts]


def _lines(file: str, *, where: str) -> list[str]:
    if file != STDIN and not Path(file).is_file():
        fix = "Correct the path; it is relative to the folder you run in."
        raise no_file(file, expected="a file with one text per line", fix=fix)
    with sys.stdin.buffer if file == STDIN else Path(file).open("rb") as lines:
        return [*decoded_lines(lines, location=where)]
