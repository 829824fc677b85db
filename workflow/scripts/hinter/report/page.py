"""Render the page: one file of HTML that needs neither a network nor a server."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from ..assessments import CASE_COLUMNS
from ..dollars import in_dollars
from .cases import Cases
from .pictures import by_columns
from .rates import axis_limit, percent, points, sentence
from .runs import duration


def render_page(
    template: str,
    *,
    script: str,
    drawing: str,
    libraries: Sequence[str],
    exhibits: Sequence[tuple[str, str, Sequence[Mapping[str, str]]]],
    cases: Cases | None,
    pictures: Sequence[Mapping[str, Any]],
    provenance: Mapping[str, Any],
    comparator: str,
    questions: Sequence[tuple[str, str, str]],
    **shown: Any,
) -> str:
    """Return the page from its Jinja `template`, with its `script`.

    `drawing` is the script that plots the `pictures`, by `libraries`; a page without pictures has
    neither. `provenance` says where cases come from (see `read_provenance`), and `comparator` is
    that of the invariant. `questions` are those of the guideline: name, question and instruction.

    The template shows the rest as it is: the `summary`, the measured `stages`, the `accounts` of
    endpoints, the `study` (its models, datasets and probes with a text about each), the settings
    `inherited` from the default study, the `style`, and the `licences` of the libraries. All
    content is shown as text; only the page's own scripts may run.
    """
    jinja = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    jinja.filters |= {
        "percent": percent,
        "points": points,
        "axis_limit": axis_limit,
        "sentence": sentence,
        "duration": duration,
        "dollars": in_dollars,
    }
    plotted = {each["name"]: by_columns(each["data"]) for each in pictures if each["data"]}
    scripts = [script, *libraries, drawing] if plotted else [script]
    browsed = cases and _browsed(cases, questions) | {"made": provenance, "comparator": comparator}
    return jinja.from_string(template).render(
        exhibits=exhibits,
        cases=cases,
        questions=questions,
        pictures=pictures,
        tabled={each["name"].removeprefix("table-") for *_, group in exhibits for each in group},
        plotted=_embedded(plotted) if plotted else "",
        data=_embedded(browsed) if browsed else "",
        scripts=scripts,
        digests=[_digest(each) for each in scripts],
        **shown,
    )


def _digest(script: str) -> str:
    """Return the digest with which the page's security policy allows a script."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _browsed(cases: Cases, questions: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """Return the data for browsing cases."""
    recipes = [(case["dataset"], case["original"], *case["pairs"]) for case in cases.listed]
    return {
        "pairs": cases.pairs,
        "originals": cases.originals,
        "readings": cases.readings,
        "listed": cases.listed,
        "questions": [[name, asked] for name, asked, _ in questions],
        "columns": CASE_COLUMNS,
        # Keeps what a browser has stored for one study apart from the answers to another.
        "key": hashlib.sha256(repr(recipes).encode()).hexdigest()[:16],
    }


def _embedded(value: Any) -> str:
    """Return a value as JSON in which no text can end the script around it."""
    encoded = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return encoded.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def read_libraries(lock: Path) -> list[str]:
    """Return the scripts that a lock in the format of `sha256sum` lists, in its order.

    They are next to the lock.
    """
    lines = lock.read_text(encoding="utf-8").splitlines()
    return [lock.with_name(line.split("  ", maxsplit=1)[1]).read_bytes().decode() for line in lines]
