"""Each sentence is parsed alone, whatever its neighbours; what cannot parse is refused."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import spacy
from hinter.errors import InputError
from hinter.invariant import Capitals, Parse, Parser, split_sentences
from hypothesis import given
from hypothesis import strategies as st
from spacy.parts_of_speech import NAMES
from spacy.symbols import ORTH
from thinc.compat import has_gpu
from tries import alike

Content = tuple[list[int], list[int], list[int], list[tuple[int, int]]]

REVIEWS = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "imdb"
SUBJECTS = ("The man", "An old actress", "Nobody", "Mr. Smith's brother-in-law", "HE")
VERBS = ("gave her his book", "saw the people with disabilities leave", "was a Nigerian, he said")
ENDINGS = (".", "?!", "...", " in the U.S. of 1950.", " 👍🏽", ' ("she" too)', " and then" * 30)


@pytest.fixture(
    scope="module",
    params=["generated", pytest.param(300, marks=pytest.mark.release)],
    ids=["generated", "real"],
)
def sentences(request: pytest.FixtureRequest) -> list[str]:
    """Sentences of very different lengths, all distinct."""
    if request.param == "generated":
        return [f"{one} {two}{end}" for one, two, end in product(SUBJECTS, VERBS, ENDINGS)]
    file = REVIEWS / "imdb_train.parquet"
    if not file.is_file():
        pytest.skip(f"the reviews are not here ({file.name})")
    texts = pq.read_table(file, columns=["text"])["text"].to_pylist()[::800]
    found = {text[start:end] for text in texts for start, end in split_sentences(text)}
    return random.Random(1).sample(sorted(found), k=len(found))[: request.param]


def content(parse: Parse | None) -> Content | None:
    """All that a parse holds."""
    if parse is None:
        return None
    return parse.tags, parse.labels, parse.heads, parse.token_spans


def contents(parses: Iterable[Parse | None]) -> list[Content | None]:
    return [content(parse) for parse in parses]


@pytest.fixture(scope="module")
def alone(sentences: list[str], parser: Parser) -> dict[str, Content | None]:
    """The parse of each sentence by itself."""
    return {sentence: content(next(parser.parse([sentence]))) for sentence in sentences}


def test_the_order_of_sentences_is_without_effect(
    sentences: list[str], alone: dict[str, Content | None], parser: Parser
) -> None:
    assert len(sentences) > 100
    shuffled = random.Random(0).sample(sentences, k=len(sentences))
    for order in (sentences, sentences[::-1], shuffled):
        assert contents(parser.parse(order)) == [alone[sentence] for sentence in order]


@alike("batch_size", [3], [64, 1000])
def test_the_size_of_batches_is_without_effect(
    batch_size: int,
    sentences: list[str],
    alone: dict[str, Content | None],
    parser_folder: Path,
    parser: Parser,
) -> None:
    batching = Parser(parser_folder, batch_size=batch_size)
    assert contents(batching.parse(sentences)) == [alone[sentence] for sentence in sentences]
    assert batching.fingerprint == parser.fingerprint


PARSE = """
import json, sys
from pathlib import Path
import numpy
from hinter.invariant import Parser
from threadpoolctl import threadpool_info, threadpool_limits
threadpool_limits(limits=2, user_api="blas")
parser = Parser(Path(sys.argv[1]))
threads = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
parses = parser.parse(json.load(sys.stdin))
found = [[parse.tags, parse.labels, parse.heads, parse.token_spans] for parse in parses]
print(json.dumps([list(threads), found]))
"""
AVX2 = {
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
}


@pytest.mark.release
def test_other_instructions_of_the_processor_find_the_same_in_one_thread(
    sentences: list[str], alone: dict[str, Content | None], parser_folder: Path
) -> None:
    told = subprocess.run(
        [sys.executable, "-c", PARSE, str(parser_folder)],
        input=json.dumps(sentences),
        env=os.environ | AVX2 | {"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    expected = [alone[sentence] for sentence in sentences]
    assert json.loads(told) == [[1], json.loads(json.dumps(expected))]


def test_refused_sentences_have_no_parse_and_no_effect(
    sentences: list[str], alone: dict[str, Content | None], parser: Parser
) -> None:
    asked: list[tuple[int, list[int]]] = []

    def tags_pass(position: int, tagged: Parse) -> bool:
        asked.append((position, tagged.tags))
        return position % 3 == 1

    found = contents(parser.parse_where(sentences, tags_pass=tags_pass))
    assert found == [
        alone[sentence] if position % 3 == 1 else None
        for position, sentence in enumerate(sentences)
    ]
    tags = [parse[0] for sentence in sentences if (parse := alone[sentence])]
    assert asked == list(enumerate(tags))


def test_positions_go_on_where_sentences_are_too_many_at_once(parser: Parser) -> None:
    sentences = ["He ran.", "She."] * 1100
    asked: list[tuple[int, int]] = []

    def tags_pass(position: int, tagged: Parse) -> bool:
        asked.append((position, len(tagged.tags)))
        return position in (0, 1023, 1024, 2199)

    found = list(parser.parse_where(sentences, tags_pass=tags_pass))
    assert asked == [(position, 2 if position % 2 else 3) for position in range(2200)]
    assert [position for position, parse in enumerate(found) if parse] == [0, 1023, 1024, 2199]


def test_all_may_be_refused(parser: Parser) -> None:
    refused = parser.parse_where(["He ran.", "She."], tags_pass=lambda position, tagged: False)
    assert list(refused) == [None, None]


def test_sentences_that_come_twice_are_parsed_twice(parser: Parser) -> None:
    first, other, again = contents(parser.parse(["He ran.", "She has his book.", "He ran."]))
    assert first == again != other


def test_no_sentence_has_no_parse(parser: Parser) -> None:
    assert list(parser.parse([])) == []


def test_an_empty_sentence_has_no_token(parser: Parser) -> None:
    assert contents(parser.parse([""])) == [([], [], [], [])]


def test_parses_are_those_of_spacys_own_pipeline(
    sentences: list[str], alone: dict[str, Content | None], parser_folder: Path
) -> None:
    """The products of matrices are computed otherwise there, which must change no parse."""
    docs = spacy.load(parser_folder).pipe(sentences)
    assert [content(Parse(doc)) for doc in docs] == [alone[sentence] for sentence in sentences]


def test_a_parse_has_a_tag_a_label_a_head_and_a_place_for_each_token(parser: Parser) -> None:
    [parse] = parser.parse(["The man's dog ran."])
    assert len(parse.tags) == len(parse.labels) == len(parse.heads) == len(parse.token_spans) == 6


def test_places_are_those_of_the_tokens(parser: Parser) -> None:
    sentence = "A man's  dog\u0301 👍🏽\tran."
    [parse] = parser.parse([sentence])
    tokens = [sentence[start:end] for start, end in parse.token_spans]
    assert [token for token in tokens if not token.isspace()] == [
        *("A", "man", "'s", "dog\u0301", "👍", "🏽", "ran", ".")
    ]


def test_heads_are_positions_and_a_root_is_its_own(parser: Parser) -> None:
    [parse] = parser.parse(["The man saw a disabled woman."])
    assert parse.heads == [1, 2, 2, 5, 5, 2, 2]


def test_tags_are_fine_grained(parser: Parser) -> None:
    [parse] = parser.parse(["I gave him his book."])
    him, his = parse.tags[2:4]
    assert him != his


def test_equal_tags_and_labels_are_equal_numbers(parser: Parser) -> None:
    first, second = parser.parse(["The man ran.", "The woman slept."])
    assert (first.tags, first.labels) == (second.tags, second.labels)


def test_the_parser_says_how_long_a_sentence_it_takes(parser: Parser) -> None:
    assert parser.max_chars == 1_000_000


def test_the_fingerprint_is_that_of_the_pipeline_wherever_it_lies(
    parser: Parser, parser_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(parser_folder, tmp_path / "copy")
    assert Parser(tmp_path / "copy").fingerprint == parser.fingerprint
    assert spacy.__version__ in parser.fingerprint


@pytest.mark.parametrize("changed", ["tokenizer", "weights"])
def test_another_pipeline_has_another_fingerprint(
    changed: str, parser: Parser, parser_folder: Path, tmp_path: Path
) -> None:
    pipeline = spacy.load(parser_folder)
    if changed == "tokenizer":
        pipeline.tokenizer.add_special_case("gimme", [{ORTH: "gim"}, {ORTH: "me"}])
    else:
        pipeline.get_pipe("tagger").model.get_ref("softmax").get_param("b")[0] += 1
    pipeline.to_disk(tmp_path / "changed")
    assert Parser(tmp_path / "changed").fingerprint != parser.fingerprint


def test_a_folder_without_a_pipeline_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError) as caught:
            Parser(folder)
        message = str(caught.value)
        assert message.startswith(f"{folder}: found ")
        assert "expected the folder of a spaCy 3.8 pipeline. Correct the parser" in message
        assert "\n" not in message


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        ((), "found no parser and no tagger in the pipeline"),
        (("tok2vec", "tagger"), "found no parser in the pipeline"),
        (("tok2vec", "parser", "ner"), "found no tagger in the pipeline"),
    ],
)
def test_a_pipeline_without_tagger_or_parser_is_refused(
    kept: tuple[str, ...], found: str, parser_folder: Path, tmp_path: Path
) -> None:
    pipeline = spacy.load(parser_folder)
    for name in pipeline.pipe_names:
        if name not in kept:
            pipeline.remove_pipe(name)
    pipeline.to_disk(tmp_path / "part")
    with pytest.raises(InputError) as caught:
        Parser(tmp_path / "part")
    message = str(caught.value)
    assert found in message
    assert "expected a pipeline with tagger and parser. Choose another pipeline" in message


@pytest.mark.skipif(has_gpu, reason="there is a device")
def test_cuda_without_a_device_is_refused(parser_folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        Parser(parser_folder, device="cuda")
    message = str(caught.value)
    assert message.startswith("configuration, key 'invariant.parser.device': found cuda, but ")
    assert "set the device to cpu" in message
    assert "\n" not in message


@pytest.mark.skipif(has_gpu, reason="there is a device")
def test_without_a_device_auto_is_the_cpu(parser: Parser, parser_folder: Path) -> None:
    assert Parser(parser_folder, device="auto").fingerprint == parser.fingerprint


def test_universal_parts_of_speech_tell_less_apart_than_penn_tags(
    parser: Parser, parser_folder: Path
) -> None:
    upos = Parser(parser_folder, tags="upos")
    assert upos.fingerprint != parser.fingerprint
    sentences = ["I gave him the book.", "I gave his the book.", "I gave Smith the book."]
    him, his, name = (parse.tags for parse in parser.parse(sentences))
    assert len({tuple(him), tuple(his), tuple(name)}) == 3
    coarse = [[NAMES[tag] for tag in parse.tags] for parse in upos.parse(sentences)]
    assert coarse[0] == ["PRON", "VERB", "PRON", "DET", "NOUN", "PUNCT"]
    assert coarse[0] == coarse[1] != coarse[2]


def test_parts_of_speech_are_those_of_the_whole_pipeline(parser_folder: Path) -> None:
    # Some of them depend on the tree: an auxiliary is tagged like any verb.
    sentence = "She has gone because he had to, and has a car that the old men like."
    (parse,) = Parser(parser_folder, tags="upos").parse([sentence])
    found = [NAMES[tag] for tag in parse.tags]
    assert found == [token.pos_ for token in spacy.load(parser_folder)(sentence)]
    assert {"AUX", "VERB", "SCONJ"} < set(found)


def test_a_refused_sentence_has_no_parse_by_parts_of_speech_either(parser_folder: Path) -> None:
    upos = Parser(parser_folder, tags="upos")
    sentences = ["He saw the man.", "She left."]
    parses = list(upos.parse_where(sentences, tags_pass=lambda position, tagged: position == 1))
    assert contents(parses) == [None, content(next(upos.parse(sentences[1:])))]


def test_capitals_are_changed_before_a_sentence_is_parsed(
    parser: Parser, parser_folder: Path
) -> None:
    sentence = '"the British man met JOHN."'
    for capitals, meant in (
        (Capitals.KEPT, sentence),
        (Capitals.FIRST, '"The British man met JOHN."'),
        (Capitals.FIRST_ONLY, '"the british man met john."'),
    ):
        changing = Parser(parser_folder, capitals=capitals)
        assert contents(changing.parse([sentence])) == contents(parser.parse([meant]))
        assert (changing.fingerprint == parser.fingerprint) == (capitals is Capitals.KEPT)


@pytest.mark.parametrize(
    ("sentence", "first", "first_only"),
    [
        ("the British man", "The British man", "The british man"),
        ('"the US man"', '"The US man"', '"the us man"'),
        ("1950s men", "1950S men", "1950s men"),
        ("...", "...", "..."),
        ("\N{LATIN SMALL LETTER SHARP S}A", "\N{LATIN SMALL LETTER SHARP S}A", "\u00dfa"),
        ("a\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "A\u0130", "A\u0130"),
    ],
)
def test_capitals_become_what_the_setting_says(sentence: str, first: str, first_only: str) -> None:
    assert Capitals.KEPT.apply(sentence) == sentence
    assert Capitals.FIRST.apply(sentence) == first
    assert Capitals.FIRST_ONLY.apply(sentence) == first_only


@given(st.text(), st.sampled_from(Capitals))
def test_no_sentence_grows_or_shrinks(sentence: str, capitals: Capitals) -> None:
    assert len(capitals.apply(sentence)) == len(sentence)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_first_only_is_what_python_does(sentence: str) -> None:
    assert Capitals.FIRST_ONLY.apply(sentence) == sentence.capitalize()
