"""The texts that are tried: one, or the lines of a file."""

from pathlib import Path

from ..corpora import Text, text_id
from ..errors import InputError, encoding_error

FIX = "Try one text, `--config text='A blind British actor falls in love.'`, or a `file` of texts."


def read_tried(text: str | None, *, file: str | None) -> list[Text]:
    """Return the text, or those of a UTF-8 file with one per line, each once, in their order.

    Empty lines count for nothing. Raises `InputError` where there is no text, or a NUL in one.
    """
    if (text is None) == (file is None):
        raise InputError(
            where="configuration, keys 'text' and 'file'",
            found="neither" if text is None else "both",
            expected="one of them",
            fix=FIX,
        )
    where = file or "configuration, key 'text'"
    lines = _lines(Path(file)) if file else [text or ""]
    for number, line in enumerate(lines, start=1):
        if "\0" in line:
            raise InputError(
                where=f"{where}, line {number}" if file else where,
                found="a NUL character",
                expected="text",
                fix="Remove it.",
            )
    texts = {text_id(line): line for line in map(str.strip, lines) if line}
    if not texts:
        raise InputError(where=where, found="no text", expected="at least one", fix=FIX)
    return [Text(original_id, texts[original_id]) for original_id in texts]


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise InputError(
            where=str(path),
            found="no such file",
            expected="a file with one text per line",
            fix="Correct the path; it is relative to the folder you run in.",
        )
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise encoding_error(path) from None
