"""Check a sheet of prompts: its templates must work with all attributes and values."""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from .prompt import WORDINGS, Attribute, Prompt, Slot, Template, to_attributes, to_template
from .rendering import render

LEAST, MOST = 2, 4
"""How many attributes a source has, as in the paper."""
PLACEHOLDER = re.compile(r"\{[^}]*\}")
KNOWN = {"{name}", "{adjective}"}
LONE_ARTICLE = re.compile(
    r"\b[Aa]n?(?=[,.?]| (as|at|by|for|from|in|of|on|or|and|that|to|who|with)\b)"
)
"""An article before a punctuation mark or a word that cannot begin a noun phrase."""


class Prompts(NamedTuple):
    """The attributes and templates of a sheet."""

    attributes: Mapping[str, Attribute]
    templates: list[Template]


def check_prompts(sheet: Mapping[str, Any], *, path: str | Path) -> Prompts:
    """Return the attributes and templates of the sheet in the file `path`.

    Raises `InputError` for a contrast that is not another value of its attribute, for a phrase with
    an unknown placeholder, for a template with an unknown slot or attribute, with a slot that one
    of its wordings lacks, with a repeated attribute or fewer than two attributes, and for an
    article without a noun once attributes are removed.
    """
    attributes = to_attributes(sheet["attributes"])
    for attribute in attributes.values():
        _check_attribute(attribute, where=f"{path}, key 'attributes.{attribute.name}")
    templates = [to_template(name, about) for name, about in sheet["templates"].items()]
    for template in templates:
        where = f"{path}, key 'templates.{template.name}"
        _check_gaps(template, where=where)
        _check_phrases(template, attributes=attributes, where=where)
        _check_number(template, where=where)
        _check_articles(template, attributes=attributes, where=where)
    return Prompts(attributes, templates)


def _check_attribute(attribute: Attribute, *, where: str) -> None:
    _check_placeholders(attribute.clause, where=f"{where}.clause'")
    for value in attribute.values.values():
        if value.contrast not in attribute.values.keys() - {value.name}:
            raise InputError(
                where=f"{where}.values.{value.name}.contrast'",
                found=f"'{value.contrast}'",
                expected="another value of the attribute: "
                + ", ".join(name for name in attribute.values if name != value.name),
                fix="Name the value that excludes it.",
            )


def _check_placeholders(phrase: str, *, where: str) -> None:
    used = set(PLACEHOLDER.findall(phrase))
    _check_braces(phrase, where=where)
    if not used or used - KNOWN:
        raise InputError(
            where=where,
            found=f"the placeholder {min(used - KNOWN)}" if used else f"'{phrase}'",
            expected="words with {name} or {adjective} for the value",
            fix="Correct the phrase.",
        )


def _check_braces(words: str, *, where: str) -> None:
    if set("{}") & set(PLACEHOLDER.sub("", words)):
        raise InputError(
            where=where,
            found=f"an unpaired brace in '{words}'",
            expected="braces around a name, as in {name}",
            fix="Close or remove it.",
        )


def _check_gaps(template: Template, *, where: str) -> None:
    """Raise `InputError` for unknown slots, and for wordings that lack a slot of the sheet."""
    setting = _gaps(template.setting or "", where=f"{where}.setting'")
    for wording in WORDINGS:
        used = setting + _gaps(template.wordings[wording], where=f"{where}.{wording}'")
        unknown = [gap for gap in used if gap not in template.gaps]
        if sorted(used) != sorted(template.gaps):
            raise InputError(
                where=f"{where}.{wording}'",
                found=f"an unknown slot '{unknown[0]}'" if unknown else f"slots {_shown(used)}",
                expected=f"each of its slots once: {_shown(template.gaps)}",
                fix="Correct the wording, or add the slot under `gaps`.",
            )


def _gaps(words: str, *, where: str) -> list[str]:
    """Return the names in braces in a wording."""
    _check_braces(words, where=where)
    return [gap[1:-1] for gap in PLACEHOLDER.findall(words)]


def _check_phrases(template: Template, *, attributes: Mapping[str, Attribute], where: str) -> None:
    known: set[str] = set()
    for gap, about in template.gaps.items():
        for name, phrases in about.phrases.items():
            location = f"{where}.gaps.{gap}.phrases.{name}'"
            if name not in attributes or name in known:
                raise InputError(
                    where=location,
                    found="a repeated attribute" if name in known else "an unknown attribute",
                    expected=f"each of these at most once: {_shown(attributes)}",
                    fix="Correct its name, or remove it.",
                )
            known.add(name)
            for phrase in phrases:
                _check_placeholders(phrase, where=location)


def _check_number(template: Template, *, where: str) -> None:
    count = len(template.attributes)
    if count < LEAST:
        raise InputError(
            where=f"{where}.gaps'",
            found=f"{count} attribute",
            expected=f"at least {LEAST}, which relations can combine and permute",
            fix="Add phrases for another attribute.",
        )


def _check_articles(template: Template, *, attributes: Mapping[str, Attribute], where: str) -> None:
    for prompt in _samples(template, attributes):
        text = render(prompt)
        if LONE_ARTICLE.search(text):
            raise InputError(
                where=f"{where}'",
                found=f"an article without a noun in '{text}'",
                expected="a sentence that is correct without some of the attributes",
                fix="Put the article into the phrases, or give the slot words under `bare`.",
            )


def _samples(template: Template, attributes: Mapping[str, Attribute]) -> Iterator[Prompt]:
    """Yield the template in each wording and both phrases, with each set of its attributes.

    Each attribute has one value.
    """
    values = {name: next(iter(attributes[name].values.values())) for name in template.attributes}
    slots = [Slot(attributes[name], value, value.name) for name, value in values.items()]
    for size in range(len(slots) + 1):
        for chosen in combinations(slots, size):
            for wording, rephrased in product(WORDINGS, (False, True)):
                yield Prompt(template, chosen, wording=wording, rephrased=rephrased)


def _shown(names: Mapping[str, Any] | list[str]) -> str:
    return ", ".join(names) or "none"
