"""The word lists of rules, from `config/occurrences.yaml`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any


@dataclass(frozen=True)
class Lists:
    """Word lists of the rules; words are matched whole and, except names, regardless of case."""

    compounds: Sequence[str]
    countries: Mapping[str, Mapping[str, Sequence[str]]]
    languages: Sequence[str]
    people: Sequence[str]
    occupations: Sequence[Sequence[str]]
    attributes: Mapping[str, Sequence[str]]

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any]) -> "Lists":
        """Return the lists of a sheet."""
        return cls(**sheet)

    @cached_property
    def fixed_terms(self) -> re.Pattern[str]:
        """The pattern of all compounds."""
        return _any_of(self.compounds)

    @cached_property
    def country_words(self) -> dict[str, re.Pattern[str]]:
        """By demonym, the pattern of its country, capital and other forms."""
        patterns = {}
        for country in self.countries.values():
            forms = country["demonyms"]
            for form in forms:
                others = [other for other in forms if other != form]
                patterns[form] = _any_of([*country["names"], *others], flags=0)
        return patterns

    @cached_property
    def alike(self) -> dict[str, set[str]]:
        """By occupation, those that may replace it."""
        return {
            term: {other for row in self.occupations if term in row for other in row}
            for term in chain.from_iterable(self.occupations)
        }

    @cached_property
    def stating(self) -> dict[str, re.Pattern[str]]:
        """By attribute, the pattern of words that state it."""
        return {attribute: _any_of(words) for attribute, words in self.attributes.items()}

    @cached_property
    def persons(self) -> frozenset[str]:
        """Nouns in the singular for persons of any gender."""
        return frozenset(self.people)


def _any_of(words: Iterable[str], *, flags: re.RegexFlag | int = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of all the words, in which a star stands for any ending."""
    escaped = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in words]
    return re.compile(rf"(?<!\w)(?:{'|'.join(escaped) or '(?!)'})(?!\w)", flags)
