"""Sheets of templates and of people's attributes that make no prompts."""

from pathlib import Path
from typing import Any

from prompted import read_prompts, small_sheet, write_sheet

from .case import Case, Line

AGE = ("attributes", "age")
PRAISE = ("templates", "praise")
IN_SCHEMA = "described in config/schemas/relations.schema.yaml"
PHRASES = (*PRAISE, "gaps", "person", "phrases")
GAPS: dict[str, dict[str, Any]] = {
    "person": {"bare": "person", "phrases": {"age": "{adjective}", "job": "{adjective}"}}
}
ONCE = "each of its slots once: person"


def _case(keys: tuple[str, ...], value: Any, line: Line) -> Case:
    """Return the case of a sheet with another value at the keys, or none of them if it is None."""

    def read(folder: Path) -> object:
        sheet = part = small_sheet()
        for key in keys[:-1]:
            part = part[key]
        part[keys[-1]] = value
        if value is None:
            del part[keys[-1]]
        return read_prompts(write_sheet(folder, sheet))

    return Case(read, line)


CASES = {
    "no attribute": _case(
        ("attributes",), {}, Line("key 'attributes'", "{}", "a mapping of at least 1", IN_SCHEMA)
    ),
    "an attribute with a separator in its name": _case(
        ("attributes", "age/job"),
        {},
        Line("key 'attributes'", "'age/job', which is not a valid name", "underscores", IN_SCHEMA),
    ),
    "one value": _case(
        (*AGE, "values"),
        {"old": {"contrast": "young"}},
        Line("key 'attributes.age.values'", "{'old'", "a mapping of at least 2", IN_SCHEMA),
    ),
    "a value without a contrast": _case(
        (*AGE, "values", "old"),
        {},
        Line("key 'attributes.age.values.old'", "no key 'contrast'", "contrast", IN_SCHEMA),
    ),
    "an unknown contrast": _case(
        (*AGE, "values", "old", "contrast"),
        "ancient",
        Line("values.old.contrast'", "'ancient'", "another value of the attribute: young", "Name"),
    ),
    "a value that is its own contrast": _case(
        (*AGE, "values", "old", "contrast"),
        "old",
        Line("values.old.contrast'", "'old'", "another value of the attribute: young", "Name"),
    ),
    "a value with space around it": _case(
        (*AGE, "values", "old", "adjective"),
        " old",
        Line("values.old.adjective'", "' old', which is not a valid wording", "text", IN_SCHEMA),
    ),
    "a clause without a value": _case(
        (*AGE, "clause"),
        "is old",
        Line("key 'attributes.age.clause'", "no placeholder {name} or", "its adjective", "Add it"),
    ),
    "a clause with an unknown placeholder": _case(
        (*AGE, "clause"),
        "is {adverb}",
        Line("attributes.age.clause'", "the placeholder {adverb}", "{adjective}", "Correct or"),
    ),
    "a clause with a brace left open": _case(
        (*AGE, "clause"),
        "is {adjective} and {name",
        Line(
            "attributes.age.clause'",
            "an unpaired brace",
            "braces around a name",
            "Close or remove it",
        ),
    ),
    "no template": _case(
        ("templates",), {}, Line("key 'templates'", "{}", "a mapping of at least 1", IN_SCHEMA)
    ),
    "an unknown gap": _case(
        (*PRAISE, "main"),
        "who praised {somebody}",
        Line("templates.praise.main'", "an unknown slot 'somebody'", ONCE, "Correct the wording"),
    ),
    "a gap twice": _case(
        (*PRAISE, "main"),
        "who praised the {person} and the {person}",
        Line("templates.praise.main'", "slots person, person", ONCE, "Correct the wording"),
    ),
    "a wording without its gap": _case(
        (*PRAISE, "structural"),
        "who was praised",
        Line("templates.praise.structural'", "slots none", ONCE, "Correct the wording"),
    ),
    "a gap of two words": _case(
        (*PRAISE, "contextual"),
        "who praised the {person} for {good work}",
        Line("praise.contextual'", "an unknown slot 'good work'", ONCE, "Correct the wording"),
    ),
    "a gap left open": _case(
        (*PRAISE, "setting"),
        "in a {city",
        Line(
            "templates.praise.setting'",
            "an unpaired brace",
            "braces around a name",
            "Close or remove it",
        ),
    ),
    "a sentence without an end": _case(
        (*PRAISE, "end"), "", Line("key 'templates.praise.end'", "''", "one of ?, .", IN_SCHEMA)
    ),
    "a template without a wording": _case(
        (*PRAISE, "main"),
        None,
        Line("key 'templates.praise'", "no key 'main'", "the keys main", IN_SCHEMA),
    ),
    "a gap of an unknown attribute": _case(
        PHRASES,
        {"age": "{adjective}", "rank": "{name}"},
        Line("phrases.rank'", "an unknown attribute", "at most once: age, job", "Correct its name"),
    ),
    "a repeated attribute": _case(
        PRAISE,
        small_sheet()["templates"]["praise"]
        | {
            "setting": "in {place}",
            "gaps": GAPS | {"place": {"phrases": {"age": "{adjective} places"}}},
        },
        Line("place.phrases.age'", "a repeated attribute", "age, job", "Correct its name"),
    ),
    "one attribute": _case(
        PHRASES,
        {"age": "{adjective}"},
        Line("key 'templates.praise.gaps'", "1 attribute", "at least 2", "Add phrases"),
    ),
    "a phrase without a value": _case(
        (*PHRASES, "job"),
        "working",
        Line(
            "person.phrases.job'",
            "no placeholder {name} or {adjective}",
            "{name} or {adjective}, which",
            "Add it",
        ),
    ),
    "three phrases": _case(
        (*PHRASES, "job"),
        ["a {name}", "one {name}", "some {name}"],
        Line("person.phrases.job'", "['a {name}'", "the phrase, or a list of it", IN_SCHEMA),
    ),
    "an article without a noun": _case(
        PRAISE,
        small_sheet()["templates"]["praise"]
        | {
            "structural": "who was praised as a {person}",
            "gaps": {"person": GAPS["person"] | {"bare": ""}},
        },
        Line("key 'templates.praise'", "an article", "without some of the attributes", "`bare`"),
    ),
}
