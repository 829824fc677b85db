"""Read the texts that are tried: one, or the lines of a file."""

import sys
from pathlib import Path

from ..corpora import Text, text_id
from ..errors import Faults, InputError
from ..lines import decoded_lines

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
