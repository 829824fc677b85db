"""Try texts on a model: read them, make mutants, ask about them, and judge the outcomes."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from ..corpora import Text, text_id
from ..errors import Faults, InputError
from ..lines import decoded_lines
from ..mutants import Making
from ..oracle import judge_mutants
from ..predictions import open_for_dataset, write_approval, write_predictions
from ..responses import SuiteShard
from .mutants import write_mutants
from .results import show_tried


def try_texts(
    texts: Sequence[Text],
    *,
    making: Making,
    mutants: Mapping[str, Any],
    model: str,
    examples: str,
    paid: Mapping[str, Any] | None,
    judging: Mapping[str, Any],
    **opening: Any,
) -> str:
    """Return the mentions in the texts, and the lattices of their biased mutants.

    `mutants` says which mutants are made and asked about. `opening` says how a study opens the
    model for a dataset, whose corpus has the prompt's `examples`. `paid` has the budget and prices
    of a model behind an endpoint, and `judging` the study's definitions of bias and hidden bias.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        mentioned = write_mutants(texts, making=making, folder=folder, **mutants)
        if paid is not None:
            opening["approval"] = str(folder / "approval.json")
            write_approval(folder / "approval.json", **paid)
        opened = open_for_dataset(model, corpus=Path(examples), **opening)
        corpus, suite, predictions, verdicts, recipes = (
            folder / f"{name}.parquet"
            for name in ("corpus", "suite", "predictions", "verdicts", "mutants")
        )
        inputs = SuiteShard(corpus=corpus, suite=suite, held_out=None, discarded=False)
        write_predictions(opened, inputs=inputs, predictions=predictions)
        judge_mutants(suite, predictions, verdicts, **judging)
        return show_tried(
            texts,
            mentioned=mentioned,
            mutants=pq.read_table(recipes).to_pylist(),
            verdicts=pq.read_table(verdicts).to_pylist(),
            predictions={row["input_id"]: row for row in pq.read_table(predictions).to_pylist()},
        )


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
        with faults.noted():
            _check(line, where=f"{where}, line {number}" if file else where)
    faults.tell()
    texts = {text_id(line): line for line in map(str.strip, lines) if line}
    if not texts:
        raise InputError(where=where, found="no text", expected="at least one", fix=FIX)
    return [Text(original_id, texts[original_id]) for original_id in texts]


def _check(line: str, *, where: str) -> None:
    if "\0" in line:
        raise InputError(where=where, found="a NUL character", expected="text", fix="Remove it.")


def _lines(file: str, *, where: str) -> list[str]:
    if file != STDIN and not Path(file).is_file():
        raise InputError(
            where=where,
            found="no such file",
            expected="a file with one text per line",
            fix="Correct the path; it is relative to the folder you run in.",
        )
    with sys.stdin.buffer if file == STDIN else Path(file).open("rb") as lines:
        return [*decoded_lines(lines, location=where)]
