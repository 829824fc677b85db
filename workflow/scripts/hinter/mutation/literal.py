"""The paper's literal substitution: words are replaced and nothing else changes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..dictionary import WordPair
from .agreement import EditSpan
from .annotation import Annotating
from .coherent import Selective
from .coherent import substituting as by_rules
from .combinations import DictionaryIndex, Operating, Ruling, SpannedTerm
from .occurrences import Lists
from .plain import plain
from .same_person import OnePerson, Persons


def substituting(
    mutation: Mapping[str, Any], *, pairs: Sequence[WordPair], annotator: Callable[[], Annotating]
) -> "Literal | Selective":
    """Return the substitution of terms wherever they occur, or where no rule excludes them.

    Without rules, the `annotator` is only needed to distinguish persons.
    """
    if mutation["lists"] is not None:
        return by_rules(mutation, pairs=pairs, annotator=annotator, coherent=False)
    words = mutation["words"]
    persons = Persons(annotator(), Lists(**words)) if words else None
    return Literal(DictionaryIndex(pairs), persons)


@dataclass(frozen=True)
class Literal(Operating):
    """Replaces every occurrence of a source term; `persons` say whose they are, if needed."""

    persons: Persons | None = None

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate the texts with terms of several attributes, if persons are distinguished."""
        if self.persons:
            shown = map(plain, texts)
            several = (text for text in shown if sum(map(bool, self.index.find(text).values())) > 1)
            self.persons.annotator.prepare(several)

    def rulings(self, text: str) -> list[Ruling]:
        """Return a ruling on every occurrence; no rule excludes any."""
        found = self.index.occurrences(plain(text))
        return [Ruling(one, None, (EditSpan(*one.span),)) for one in found]

    def one_person(self, text: str, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return whether edits at some spans of a text concern one person."""
        return (
            self.persons.one_person(plain(text), edit_spans) if self.persons else OnePerson.UNKNOWN
        )


def span_terms(original: str, pairs: Sequence[WordPair]) -> list[SpannedTerm]:
    """Return the terms of the literal mutant of these pairs, pair by pair."""
    literal = Literal(DictionaryIndex(pairs))
    found = literal.edit_spans(original)
    terms = [
        SpannedTerm(pair.attribute, pair.source, found[pair.attribute].get(pair.source, ()))
        for pair in pairs
    ]
    return [*literal.resolve(original, terms)]
