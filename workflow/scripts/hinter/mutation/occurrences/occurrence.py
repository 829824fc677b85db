"""An occurrence of a source term in an annotated text, and the facts and lists that rules use."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from ..annotation import NOUNS, Annotation, Token
from ..plain import Span, fold


@dataclass(frozen=True)
class Lists:
    """The word lists of `config/occurrences.yaml`.

    Words are matched whole and, except names, regardless of case.
    """

    compounds: Sequence[str]
    countries: Mapping[str, Mapping[str, Sequence[str]]]
    languages: Sequence[str]
    people: Sequence[str]
    occupations: Sequence[Sequence[str]]
    attributes: Mapping[str, Sequence[str]]

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


class Occurrence(NamedTuple):
    """A source term of an attribute at a span, and its tokens."""

    attribute: str
    source: str
    span: Span
    tokens: Sequence[Token]

    @property
    def head(self) -> Token:
        """Its last token, which in a phrase is its head."""
        return self.tokens[-1]

    @property
    def is_noun(self) -> bool:
        """Whether it is a noun."""
        return self.head.tag in NOUNS


@dataclass(frozen=True)
class Scene:
    """A text as rules see it: its annotation, its terms of the dictionary, and word lists.

    `found` are the occurrences of all source terms, before any rule, by attribute and term, from
    left to right. A text may be long and contain a term thousands of times, so facts about the
    whole text are computed once.
    """

    annotation: Annotation
    found: Mapping[str, Mapping[str, Sequence[Span]]]
    lists: Lists
    _remembered: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text."""
        return self.annotation.text

    @property
    def tokens(self) -> Sequence[Token]:
        """Its tokens."""
        return self.annotation.tokens

    def is_capital(self, occurrence: Occurrence) -> bool:
        """Return whether an occurrence begins with a capital."""
        return fold(self.text[slice(*occurrence.span)]).text[0].isupper()

    @cached_property
    def all_lemmas(self) -> set[str]:
        """The lemmas of the text in lower case."""
        return {token.lemma for token in self.tokens}

    def remembered(self, what: str, occurrence: Occurrence, *, ask: Callable[[], bool]) -> bool:
        """Return the answer of `ask` for an occurrence's term in the whole text, computed once."""
        key = what, occurrence.attribute, occurrence.source
        if key not in self._remembered:
            self._remembered[key] = ask()
        return self._remembered[key]

    @cached_property
    def noun_forms(self) -> dict[str, set[str]]:
        """The forms of each noun in the text, by its lemma, all in lower case."""
        forms: dict[str, set[str]] = defaultdict(set)
        for token in self.tokens:
            if token.tag in NOUNS:
                forms[token.lemma].add(token.lower)
        return forms

    @cached_property
    def inside_longer(self) -> dict[str, set[Span]]:
        """The spans of terms that lie inside a longer one of their attribute, by attribute."""
        return {attribute: _inside_longer(terms) for attribute, terms in self.found.items()}

    def without(self, occurrence: Occurrence) -> str:
        """Return the text with all occurrences of a term blanked."""
        parts, position = [], 0
        for start, end in self.found[occurrence.attribute][occurrence.source]:
            parts += [self.text[position:start], "." * (end - start)]
            position = end
        return "".join([*parts, self.text[position:]])


def _inside_longer(terms: Mapping[str, Sequence[Span]]) -> set[Span]:
    """Return the spans that are inside another one."""
    inside, furthest = set(), 0
    spans = {span for spans in terms.values() for span in spans}
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end <= furthest:
            inside.add((start, end))
        furthest = max(furthest, end)
    return inside
