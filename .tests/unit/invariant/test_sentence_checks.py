"""Parses that comparators share: those of the parser itself, each sentence parsed once."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest
from hinter.corpora import Text
from hinter.invariant import KeptParses, Parse, Parser, split_sentences

Refuse = Callable[[str], bool]


def _columns(parse: Parse | None) -> object:
    return parse and (parse.tags, parse.labels, parse.heads, parse.token_spans)


def _where(parser: Parser | KeptParses, sentences: Sequence[str], passes: Refuse) -> list[object]:
    parses = parser.parse_where(
        sentences, tags_pass=lambda position, tagged: passes(sentences[position])
    )
    return [_columns(parse) for parse in parses]


def test_whatever_was_refused_before_parses_are_those_of_the_parser(
    parser: Parser, reviews: list[Text], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(review.text for review in reviews[:8])
    sentences = list(dict.fromkeys(text[start:end] for start, end in split_sentences(text)))
    asked = Counter[str]()
    kept, parse_where = KeptParses(parser), Parser.parse_where

    def count(self: Parser, new: Sequence[str], **options: object) -> Iterator[Parse | None]:
        asked.update(new)
        return parse_where(self, new, **options)  # type: ignore[arg-type]

    rules: list[Refuse] = [
        lambda sentence: len(sentence) % 3 == 0,
        lambda sentence: len(sentence) % 2 == 0,
        lambda sentence: True,
    ]
    expected = [_where(parser, sentences, passes) for passes in rules]
    monkeypatch.setattr(Parser, "parse_where", count)
    for passes, found in zip(rules, expected, strict=True):
        assert _where(kept, sentences, passes) == found
    assert set(asked) == set(sentences)
    # Tagged where all are refused, and once more where they pass at last.
    assert max(asked.values()) <= 2
    before = asked.total()
    assert _where(kept, sentences, rules[-1]) == expected[-1]
    assert asked.total() == before
    kept.forget()
    assert None not in _where(kept, sentences[:3], rules[-1])
    assert asked.total() == before + 3
