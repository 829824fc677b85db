"""Each sentence is parsed alone, whatever its neighbours."""

import random
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.invariant import Parse, Parser, split_sentences

REVIEWS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "imdb"
SUBJECTS = ("The man", "An old actress", "Nobody", "Mr. Smith's brother-in-law", "HE")
VERBS = ("gave her his book", "saw the people with disabilities leave", "was a Nigerian, he said")
ENDINGS = (".", "?!", "...", " in the U.S. of 1950.", " 👍🏽", ' ("she" too)', " and then" * 30)


@pytest.fixture(scope="module", params=["generated", "real"])
def sentences(request: pytest.FixtureRequest) -> list[str]:
    """Sentences of very different lengths, all distinct."""
    if request.param == "generated":
        return [f"{one} {two}{end}" for one, two, end in product(SUBJECTS, VERBS, ENDINGS)]
    file = REVIEWS / "imdb_train.parquet"
    if not file.is_file():
        pytest.skip(f"the reviews are not here ({file.name})")
    texts = pq.read_table(file, columns=["text"])["text"].to_pylist()[::800]
    found = {text[start:end] for text in texts for start, end in split_sentences(text)}
    return sorted(found)[:300]


@pytest.fixture(scope="module")
def alone(sentences: list[str], parser: Parser) -> dict[str, Parse]:
    """The parse of each sentence by itself."""
    return {sentence: next(parser.parse([sentence])) for sentence in sentences}


def test_the_order_of_sentences_is_without_effect(
    sentences: list[str], alone: dict[str, Parse], parser: Parser
) -> None:
    assert len(sentences) > 100
    shuffled = random.Random(0).sample(sentences, k=len(sentences))
    for order in (sentences, sentences[::-1], shuffled):
        assert list(parser.parse(order)) == [alone[sentence] for sentence in order]


@pytest.mark.parametrize("batch_size", [3, 64, 1000])
def test_the_size_of_batches_is_without_effect(
    batch_size: int, sentences: list[str], alone: dict[str, Parse], parser_folder: Path
) -> None:
    parses = Parser(parser_folder, batch_size=batch_size).parse(sentences)
    assert list(parses) == [alone[sentence] for sentence in sentences]


def test_sentences_that_come_twice_are_parsed_twice(parser: Parser) -> None:
    first, other, again = parser.parse(["He ran.", "She has his book.", "He ran."])
    assert first == again != other


def test_no_sentence_has_no_parse(parser: Parser) -> None:
    assert list(parser.parse([])) == []


def test_a_parse_has_a_tag_and_a_label_for_each_token(parser: Parser) -> None:
    [parse] = parser.parse(["The man's dog ran."])
    assert len(parse.tags) == len(parse.labels) == 6


def test_tags_are_fine_grained(parser: Parser) -> None:
    [parse] = parser.parse(["I gave him his book."])
    him, his = parse.tags[2:4]
    assert him != his


def test_equal_tags_and_labels_are_equal_numbers(parser: Parser) -> None:
    first, second = parser.parse(["The man ran.", "The woman slept."])
    assert first == second
