"""Sheets of probes, and files that probes are made of, that make no prompts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from hinter.config import ProbeSheet, read_sheet
from hinter.probes import import_probe
from hinter.probes.adult import read_adult, read_prompts
from people import adult_lines

from .case import ROOT, Case, Line, study, write

IN_SCHEMA = "described in config/schemas/probe.schema.yaml"
ADULT = "\n".join(adult_lines(range(30, 31))) + "\n"
TEMPLATES = "occupation(0)\tother-participant(1)\tanswer\tsentence\n"
NORMS = "male,female,male_norm,female_norm\n"
COLUMNS = "occupation(0), other-participant(1), answer, sentence"
CORRECT = "Correct that line"
SENTENCE = {
    "male": "doctor",
    "female": "nurse",
    "sentence": "The {subject} called the {object} because {pronoun} was late.",
    "question": "who was late?",
}


def _sheet_of(name: str) -> dict[str, Any]:
    path = ROOT / "config" / "probes" / f"{name}.yaml"
    sheet: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return sheet


def _sheet(line: Line, **changes: Any) -> Case:
    def read(folder: Path) -> object:
        text = yaml.safe_dump(_sheet_of("winogender") | changes)
        return read_sheet(write(folder / "winogender.yaml", text), ProbeSheet)

    return Case(read, line)


def _built(name: str, content: str | bytes, line: Line, **settings: Any) -> Case:
    """Return the case of a probe that is made of a file, with changes to its settings."""

    def read(folder: Path) -> object:
        sheet = _sheet_of(name)
        sheet["settings"] = sheet.get("settings", {}) | settings
        path = write(folder / "probe.csv", content)
        return import_probe(name).prompts(path, sheet=ProbeSheet(**sheet), name=name, seed=1)

    return Case(read, line)


def _rows(reader: Callable[[Path], Any], file: str, content: str | bytes, line: Line) -> Case:
    return Case(lambda folder: list(reader(write(folder / file, content))), line)


def _sentence(line: Line, **changes: str) -> Case:
    norms = f"{NORMS}doctor,nurse,70,20\n"
    return _built("professional", norms, line, sentences=[SENTENCE | changes])


CASES = {
    "an unknown probe": Case(
        lambda folder: study({"probes": ["salaries"]}),
        Line("config/probes/salaries.yaml", "no such file", "a YAML sheet", "Create it"),
    ),
    "a probe that leads out of its folder": Case(
        lambda folder: study({"probes": ["../salaries"]}),
        Line(
            "key 'probes.0'",
            "'../salaries', which is not a valid probe name",
            "config/probes/",
            "config",
        ),
    ),
    "a sheet without a module": Case(
        lambda folder: import_probe("salaries"),
        Line(
            "configuration, key 'probes', 'salaries'",
            "no module hinter/probes/salaries.py",
            "a module for each sheet",
            "Write it",
        ),
    ),
    "a module that is no probe": Case(
        lambda folder: import_probe("nouns"),
        Line(
            "configuration, key 'probes', 'nouns'",
            "no PROBE in the module hinter/probes/nouns.py",
            "a module for each sheet",
            "Write it",
        ),
    ),
    "no labels": _sheet(Line("key 'labels'", "[]", "a list of at least 1", IN_SCHEMA), labels=[]),
    "a label twice": _sheet(
        Line("key 'labels'", "'chef' twice", "each once", IN_SCHEMA), labels=["chef", "chef"]
    ),
    "another kind of answers": _sheet(
        Line("key 'answers'", "'scores'", "one of any, words", IN_SCHEMA), answers="scores"
    ),
    "a file with braces in its name": _sheet(
        Line("key 'file'", "'{a}.tsv', which is not a valid path", "text", IN_SCHEMA),
        file="{a}.tsv",
    ),
    "settings of a probe without any": _built(
        "winogender",
        TEMPLATES,
        Line("key 'settings'", "the unknown key 'sentences'", "only the keys", "The keys"),
        sentences=[],
    ),
    "no sentences": _built(
        "professional",
        NORMS,
        Line("key 'settings', key 'sentences'", "1", "a list", "The keys"),
        sentences=1,
    ),
    "a sentence without its pronoun": _sentence(
        Line("sentence 1 of the probe", "'The {subject}'", "each once", "Correct it"),
        sentence="The {subject}",
    ),
    "a sentence with a brace left open": _sentence(
        Line("sentence 1 of the probe", "{object", "each once", "Correct it"),
        sentence="The {subject} saw the {object} as {pronoun} left the {room.",
    ),
    "a sentence of a pair without norms": _sentence(
        Line("sentence 1 of the probe", "the pair chef and nurse", "a pair of", "Add the pair"),
        male="chef",
    ),
    "norms that are no numbers": _built(
        "professional",
        f"{NORMS}doctor,nurse,high,low\n",
        Line("probe.csv, line 2", "the norms 'high' and 'low'", "a higher", "Correct the line"),
    ),
    "norms against the stereotype": _built(
        "professional",
        f"{NORMS}doctor,nurse,20,70\n",
        Line("probe.csv, line 2", "the norms '20' and '70'", "a higher", "Correct the line"),
    ),
    "no column of norms": _built(
        "professional",
        "male,female\ndoctor,nurse\n",
        Line("probe.csv, line 2", "the norms None and None", "a higher", "Correct the line"),
    ),
    "no template": _built(
        "winogender", TEMPLATES, Line("probe.csv", "no template", COLUMNS, "Correct the line")
    ),
    "a template of unknown persons": _built(
        "winogender",
        f"{TEMPLATES}astronaut\tguest\t0\tThe $OCCUPATION saw that $NOM_PRONOUN fell.\n",
        Line("probe.csv, line 2", "astronaut", COLUMNS, "Correct the line"),
    ),
    "a template without a pronoun": _built(
        "winogender",
        f"{TEMPLATES}chef\tguest\t0\tThe $OCCUPATION saw the $PARTICIPANT.\n",
        Line("probe.csv, line 2", "chef", COLUMNS, "Correct the line"),
    ),
    "a template with a third answer": _built(
        "winogender",
        f"{TEMPLATES}chef\tguest\t2\tThe $OCCUPATION saw that $NOM_PRONOUN fell.\n",
        Line("probe.csv, line 2", "chef", COLUMNS, "Correct the line"),
    ),
    "a template with too many fields": _built(
        "winogender",
        f"{TEMPLATES}chef\tguest\t0\tThe $OCCUPATION saw that $NOM_PRONOUN fell.\tmore\n",
        Line("probe.csv, line 2", "5 fields", "the 4 fields of the header", "Quote fields"),
    ),
    "templates that are not UTF-8": _built(
        "winogender",
        TEMPLATES.encode() + b"caf\xe9\n",
        Line("probe.csv, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file"),
    ),
    "a person with too few fields": _rows(
        read_adult,
        "adult.data",
        "39, Private\n",
        Line("adult.data, line 1", "2 fields", "15: age, workclass", CORRECT),
    ),
    "a person of another sex than the census has": _rows(
        read_adult,
        "adult.data",
        ADULT.replace("Male", "male"),
        Line("adult.data, line 1, sex", "'male'", "one of Female, Male", CORRECT),
    ),
    "an income of another form": _rows(
        read_adult,
        "adult.data",
        ADULT.replace("<=50K", "<=50K."),
        Line("adult.data, line 1, income", "'<=50K.'", "one of <=50K, >50K", CORRECT),
    ),
    "persons that are not UTF-8": _rows(
        read_adult,
        "adult.data",
        b"\xff" + ADULT.encode(),
        Line("adult.data, line 1", "the byte 0xff", "UTF-8 text", "Convert the file"),
    ),
    "fewer persons than are drawn": _built(
        "gender_income", ADULT, Line("split 'tested'", "whose answer is no", "100", "Ask for fewer")
    ),
    "a prompt without the fields": _rows(
        read_prompts,
        "prompts.jsonl",
        '{"input": "Who earns more?", "label": "yes"}\n',
        Line("prompts.jsonl, line 1", "'Who earns more?'", "a prompt with all fields", CORRECT),
    ),
    "a prompt of no text": _rows(
        read_prompts,
        "prompts.jsonl",
        '{"label": "yes"}\n',
        Line("prompts.jsonl, line 1", "None", "a prompt with all fields", CORRECT),
    ),
}
