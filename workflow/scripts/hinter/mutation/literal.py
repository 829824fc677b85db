"""The paper's literal substitution: words are replaced and nothing else changes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..dictionary import WordPair
from .annotation import Annotating
from .coherent import Selective, selective
from .combinations import Ruling, SpannedTerm, TermSpans, keep_longest
from .dictionary_index import DictionaryIndex
from .occurrences import Lists, Occurrence
from .plain import plain
from .roles import EditSpan
from .same_person import OnePerson, Persons


def substituting(
    mutation: Mapping[str, Any], *, pairs: Sequence[WordPair], annotator: Callable[[], Annotating]
) -> "Literal | Selective":
    """Return the substitution of terms wherever they occur, or where no rule excludes them.

    Without rules, the `annotator` is only needed to distinguish persons.
    """
    if mutation["lists"] is not None:
        return selective(mutation, pairs=pairs, kept=pairs, annotator=annotator, coherent=False)
    words = mutation["words"]
    persons = Persons(annotator(), Lists.of_sheet(words)) if words else None
    return Literal(DictionaryIndex(pairs), persons)


@dataclass(frozen=True)
class Literal:
    """Replaces every occurrence of a source term; `persons` say whose they are, if needed."""

    index: DictionaryIndex
    persons: Persons | None = None

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate the texts with terms of several attributes, if persons are distinguished."""
        if self.persons:
            self.persons.annotator.prepare(
                plain(text) for text in texts if sum(map(bool, self.edit_spans(text).values())) > 1
            )

    def rulings(self, text: str) -> list[Ruling]:
        """Return a ruling on every occurrence; no rule excludes any."""
        return [
            Ruling(Occurrence(attribute, source, one.span, ()), None, (one,))
            for attribute, sources in self.edit_spans(text).items()
            for source, edit_spans in sources.items()
            for one in edit_spans
        ]

    def edit_spans(self, text: str) -> TermSpans:
        """Return the occurrences of the source terms of a text, by attribute and term."""
        found = {
            source: tuple(EditSpan(*span) for span in spans)
            for source, spans in self.index.matcher.find(plain(text)).items()
        }
        return {
            attribute: {source: found[source] for source in sources if source in found}
            for attribute, sources in self.index.by_source.items()
        }

    def resolve(self, text: str, terms: Sequence[SpannedTerm]) -> Sequence[SpannedTerm]:
        """Return the terms with the occurrences that no longer term takes."""
        return keep_longest(terms)

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
