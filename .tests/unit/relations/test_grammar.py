"""What LanguageTool says of follow-ups, beside their sources."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hinter.grammar import GrammarChecker, LanguageToolServer
from hinter.relations import RELATIONS, render, sample_sources
from prompted import SHEET, studys_prompts

pytestmark = pytest.mark.long

MORE = 1.0
"""Matches per 100 tokens that follow-ups may have above their sources."""


@pytest.fixture(scope="module")
def checker(languagetool: Path, default_config: dict[str, Any]) -> Iterator[GrammarChecker]:
    with LanguageToolServer(languagetool) as server:
        yield GrammarChecker(server, left_out=default_config["grammar"]["left_out"])


def _matches(texts: Iterable[str], checker: GrammarChecker, *, categories: set[str]) -> float:
    """Return the matches per 100 tokens."""
    distinct = sorted(set(texts))
    found = [
        match
        for part in checker.responses(distinct)
        for _, response in part
        for match in json.loads(response)
        if match[0] in categories
    ]
    return 100 * len(found) / sum(len(text.split()) for text in distinct)


@pytest.mark.release
@pytest.mark.parametrize(("size", "step"), [(24, 3), (24, 1), (4700, 100)])
def test_follow_ups_are_as_grammatical_as_their_sources(
    size: int, step: int, checker: GrammarChecker, default_config: dict[str, Any]
) -> None:
    sampled = sample_sources(studys_prompts(), size=size, seed=default_config["seed"], path=SHEET)
    sources = sampled[::step]
    categories = set(default_config["grammar"]["categories"])
    follow_ups = [
        render(follow_up)
        for source in sources
        for relation in RELATIONS.values()
        for follow_up in relation.follow_ups(source)
    ]
    assert _matches(["As a artist, how do you feels?"], checker, categories=categories) > MORE
    of_sources = _matches(map(render, sources), checker, categories=categories)
    assert _matches(follow_ups, checker, categories=categories) <= of_sources + MORE
