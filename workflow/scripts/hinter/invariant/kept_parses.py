"""Parses that several comparators share, so that no sentence is parsed twice."""

from collections.abc import Callable, Iterator, Sequence

from .parsing import Parse, Parser


class KeptParses:
    """A parser that keeps its parses until `forget` is called."""

    def __init__(self, parser: Parser) -> None:
        self._parser, self.max_chars = parser, parser.max_chars
        self._tagged: dict[str, Parse] = {}
        self._parsed: dict[str, Parse] = {}

    def forget(self) -> None:
        """Forget all parses."""
        self._tagged.clear()
        self._parsed.clear()

    def parse(self, sentences: Sequence[str]) -> Iterator[Parse]:
        """Yield the parse of each sentence."""
        for parse in self.parse_where(sentences, tags_pass=lambda position, tagged: True):
            if parse is not None:
                yield parse

    def parse_where(
        self, sentences: Sequence[str], *, tags_pass: Callable[[int, Parse], bool]
    ) -> Iterator[Parse | None]:
        """Yield the parse of each sentence, or None if `tags_pass` rejects its tags.

        A sentence whose tags were rejected before is parsed only if they pass now.
        """
        tagged = self._tagged
        passing = [
            sentence not in tagged or tags_pass(position, tagged[sentence])
            for position, sentence in enumerate(sentences)
        ]
        new = [
            (position, sentence)
            for position, sentence in enumerate(sentences)
            if passing[position] and sentence not in self._parsed
        ]

        def note_tags(number: int, tags: Parse) -> bool:
            position, sentence = new[number]
            tagged[sentence] = tags
            passing[position] = tags_pass(position, tags)
            return passing[position]

        parses = self._parser.parse_where([sentence for _, sentence in new], tags_pass=note_tags)
        for (_, sentence), parse in zip(new, parses, strict=True):
            if parse is not None:
                self._parsed[sentence] = parse
        for position, sentence in enumerate(sentences):
            yield self._parsed[sentence] if passing[position] else None
