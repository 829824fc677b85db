"""Word pairs of a user's own that cannot be used."""

from pathlib import Path

from hinter.dictionary import read_own_pairs

from .case import Case, Line, write

HEADER = "attribute,source,target\n"
ROW = "race,Greek,Thai\n"
WORDS = "words of letters and digits"
PAIRS = "pairs of two terms, each pair once and each term in one attribute"
FIX = "Correct the row"
FILES: dict[str, tuple[str | bytes, Line]] = {
    "nothing": ("", Line("pairs.csv", "pairs of no attribute", "also of 'race'", "Add them")),
    "a header alone": (
        HEADER,
        Line("pairs.csv", "pairs of no attribute", "also of 'race'", "Add them"),
    ),
    "other separators": (
        "attribute:source:target\nrace:Greek:Thai\n",
        Line("line 1", "the columns attribute:source:target", "a column 'attribute'", "Add it"),
    ),
    "no target": (
        "attribute,source\nrace,Greek\n",
        Line("line 1", "the columns attribute, source", "a column 'target'", "Add it"),
    ),
    "groups of one side": (
        "attribute,source,target,source_group\nrace,Greek,Thai,a\n",
        Line("line 1", "source_group", "a column 'target_group'", "Add it"),
    ),
    "a column given twice": (
        "attribute,source,target,source\nrace,Greek,Thai,Dane\n",
        Line("line 1", "the column 'source' twice", "distinct columns", "Rename or remove one"),
    ),
    "a row with too few fields": (
        f"{HEADER}race,Greek\n",
        Line("line 2", "2 fields", "the 3 fields of the header", "Quote fields"),
    ),
    "a row with too many fields": (
        f"{HEADER}race,Greek,Thai,Dane\n",
        Line("line 2", "4 fields", "the 3 fields of the header", "Quote fields"),
    ),
    "an empty source": (
        f"{HEADER}race,,Thai\n",
        Line("line 2, column 'source'", "nothing", WORDS, FIX),
    ),
    "an attribute in capitals": (
        f"{HEADER}Race,Greek,Thai\n",
        Line("line 2, column 'attribute'", "'Race'", "lower-case letters", FIX),
    ),
    "an attribute that leads out of a folder": (
        f"{HEADER}../race,Greek,Thai\n",
        Line("line 2, column 'attribute'", "'../race'", "lower-case letters", FIX),
    ),
    "a term of regular expressions": (
        f"{HEADER}{ROW}race,Greek,Th.*\n",
        Line("line 3, column 'target'", "'Th.*'", WORDS, FIX),
    ),
    "a term with a line break": (
        f'{HEADER}race,Greek,"Thai\npeople"\n',
        Line("column 'target'", r"'Thai\npeople'", WORDS, FIX),
    ),
    "a term with a NUL": (
        f"{HEADER}race,Greek,Th\0ai\n",
        Line("line 2, column 'target'", r"'Th\x00ai'", WORDS, FIX),
    ),
    "a pair of a term with itself": (
        f"{HEADER}{ROW}race,Dane,dane\n",
        Line("line 3", "a pair of a term with itself (line 3)", PAIRS, "Remove these rows"),
    ),
    "a pair given twice": (
        f"{HEADER}{ROW}race,greek,thai\n",
        Line("line 3", "a repeated pair (line 3)", PAIRS, "Remove these rows"),
    ),
    "a term of two attributes": (
        f"{HEADER}{ROW}race,Thai,Dane\nbody,Thai,tall\n",
        Line("line 4", "a term of two attributes (line 4)", PAIRS, "Remove these rows"),
    ),
    "pairs of another attribute": (
        f"{HEADER}body,tall,short\n",
        Line("pairs.csv", "pairs of body", "also of 'race'", "Add them"),
    ),
    "a quote that is never closed": (
        f'{HEADER}race,"Greek,Thai\n',
        Line("line 2", "unexpected end of data", "a row of CSV", "Close every quote"),
    ),
    "bytes that are not UTF-8": (
        f"{HEADER}race,Greek,Caf".encode() + b"\xe9\n",
        Line("line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
}


def _case(content: str | bytes, line: Line) -> Case:
    def read(folder: Path) -> object:
        # Of a term of two attributes, the study must have both.
        attributes = ["race", "body"] if "two attributes" in line.found else ["race"]
        return read_own_pairs(write(folder / "pairs.csv", content), attributes=attributes)

    return Case(read, line)


CASES = {
    "no file": Case(
        lambda folder: read_own_pairs(folder / "pairs.csv", attributes=["race"]),
        Line("pairs.csv", "no such file", "word pairs", "Correct the path"),
    ),
    **{name: _case(content, line) for name, (content, line) in FILES.items()},
}
