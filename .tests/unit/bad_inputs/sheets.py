"""YAML that fits no sheet: keys, values and the file itself."""

from pathlib import Path

from hinter.config import Config, read_sheet

from .case import Case, Line, write

CONFIG_TEXT = "seed: 1\ndatasets: [a]\nmodels: [b]\nattributes: [race]\norders: [1]\n"
CONFIG_FIX = "are described in config/schemas/config.schema.yaml"
SHEETS: dict[str, tuple[str | bytes, Line]] = {
    "unknown key": (
        CONFIG_TEXT + "sede: 2\n",
        Line(
            "sheet.yaml",
            "the unknown key 'sede'",
            "only the keys ablation, assessment, ",
            CONFIG_FIX,
        ),
    ),
    "unknown key inside a key": (
        CONFIG_TEXT + "suite: {original: 2}\n",
        Line(
            "key 'suite'",
            "the unknown key 'original'",
            "originals, pairs_per_attribute",
            CONFIG_FIX,
        ),
    ),
    "missing key": (
        CONFIG_TEXT.replace("seed: 1\n", ""),
        Line("sheet.yaml", "no key 'seed'", "the keys seed, datasets, ", CONFIG_FIX),
    ),
    "missing key inside a key that may be null": (
        CONFIG_TEXT + "judge: {prompt: a.yaml}\n",
        Line("sheet.yaml, key 'judge'", "no key 'model'", "the keys model", CONFIG_FIX),
    ),
    "unknown key inside a key that may be null": (
        CONFIG_TEXT + "judge: {name: a}\n",
        Line("key 'judge'", "the unknown key 'name'", "only the keys model, prompt", CONFIG_FIX),
    ),
    "wrong type": (
        CONFIG_TEXT.replace("seed: 1", "seed: one"),
        Line("key 'seed'", "'one'", "a whole number (7, not 7.0) of at least 0 and", CONFIG_FIX),
    ),
    "yes instead of a number": (
        CONFIG_TEXT.replace("seed: 1", "seed: yes"),
        Line("key 'seed'", "True", "the seed of everything", CONFIG_FIX),
    ),
    "wrong type in a list": (
        CONFIG_TEXT.replace("[race]", "[race, 1]"),
        Line("key 'attributes.1'", "1", "letters", "Put text in quotes. The"),
    ),
    "number out of range": (
        CONFIG_TEXT.replace("[1]", "[1, 9]"),
        Line("key 'orders.1'", "9", "at most 4: how many attributes", CONFIG_FIX),
    ),
    "mark-up in a name": (
        CONFIG_TEXT + "grammar: {left_out: ['A_RULE', '`x <javascript:y>`_']}\n",
        Line(
            "key 'grammar.left_out.1'", "which does not match", "a name without spaces", CONFIG_FIX
        ),
    ),
    "name given twice in a list": (
        CONFIG_TEXT.replace("[a]", "[a, a]"),
        Line("key 'datasets'", "'a' twice", "each once: names of datasets", CONFIG_FIX),
    ),
    "key given twice": (
        CONFIG_TEXT + "seed: 2\n",
        Line("sheet.yaml, line 6", "the key 'seed' a second time", "valid YAML", "Correct that"),
    ),
    "inner key given twice": (
        CONFIG_TEXT + "suite:\n  originals: 1\n  originals: 2\n",
        Line("line 8", "the key 'originals' a second time", "valid YAML", "Correct that line"),
    ),
    "key that is a list": (
        CONFIG_TEXT + "? [a, b]\n: 1\n",
        Line("sheet.yaml, line 6", "a list or mapping as a key", "text as a key", "Correct that"),
    ),
    "bracket left open": (
        "seed: 1\ndatasets: [a\nmodels: [b]\n",
        Line("sheet.yaml, line 3", "no ',' or ']'", "valid YAML", "Correct that line"),
    ),
    "tab for indentation": (
        "seed: 1\nsuite:\n\toriginals: 3\n",
        Line(
            "sheet.yaml, line 3", "character that cannot start", "valid YAML", "Correct that line"
        ),
    ),
    "NUL": (
        "seed: \0 1\n",
        Line("sheet.yaml", "control characters", "valid YAML", "Correct that line"),
    ),
    "not UTF-8": (
        b"seed: 1\nparser: caf\xe9\n",
        Line("sheet.yaml, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "nothing": (
        "",
        Line("sheet.yaml", "None", "a mapping: the configuration of a study", CONFIG_FIX),
    ),
}


def _case(content: str | bytes, line: Line) -> Case:
    def read(folder: Path) -> object:
        return read_sheet(write(folder / "sheet.yaml", content), Config)

    return Case(read, line)


CASES = {
    "no file": Case(
        lambda folder: read_sheet(folder / "sheet.yaml", Config),
        Line(
            "sheet.yaml", "no such file", "a YAML sheet", "correct the path in config/config.yaml"
        ),
    ),
    **{name: _case(content, line) for name, (content, line) in SHEETS.items()},
}
