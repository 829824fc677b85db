"""Tokens of real tokenizers: what fits is what they count, in whole characters."""

from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.models.endpoint.token_counters import TokenCounter, open_token_counter
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers import AutoTokenizer

HARD = "e\u0301 \N{PARTY POPPER}\N{PARTY POPPER}  don't\n\n\tna\u00efve \u4f60\u597d <|end|> 12345"


@pytest.fixture(
    scope="module",
    params=[
        "cl100k_base",
        pytest.param("smollm2", marks=pytest.mark.long),
        "all_minilm_l6_v2",
        "rough",
    ],
)
def counter(
    request: pytest.FixtureRequest, resources: Path, tmp_path_factory: pytest.TempPathFactory
) -> TokenCounter:
    if request.param == "rough":
        return open_token_counter(Path(__file__))
    if request.param != "smollm2":
        return open_token_counter(resources / request.param)
    folder = tmp_path_factory.mktemp("smollm2")
    (gguf,) = (resources / "smollm2_135m_instruct").glob("*.gguf")
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(folder)
    return open_token_counter(folder)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.integers(min_value=0, max_value=40))
@example(HARD, 3)
@example("", 0)
def test_what_fits_takes_no_more_tokens_than_there_are(
    counter: TokenCounter, text: str, max_tokens: int
) -> None:
    (length,) = counter.lengths([text], max_tokens)
    assert counter.count(text[:length]) <= max_tokens
    if counter.count(text) <= max_tokens:
        assert length == len(text)


def test_more_tokens_show_more_up_to_all(counter: TokenCounter) -> None:
    tokens = counter.count(HARD)
    lengths = [counter.lengths([HARD], most)[0] for most in range(tokens + 1)]
    assert lengths == sorted(lengths)
    assert lengths[0] == 0
    assert lengths[-2] < lengths[-1] == len(HARD)
    assert len(set(lengths)) > tokens / 2


def test_no_texts_have_no_lengths(counter: TokenCounter) -> None:
    assert counter.lengths([], 3) == []


def test_a_character_is_whole_or_not_there(counter: TokenCounter) -> None:
    text = "\N{PARTY POPPER}" * 4
    each = counter.count(text) // 4
    for most in range(4 * each):
        assert counter.lengths([text], most)[0] <= most / max(each, 1)


def test_an_encoding_counts_as_its_makers_do(resources: Path) -> None:
    counter = open_token_counter(resources / "cl100k_base")
    assert counter.count("hello world") == 2
    assert counter.lengths(["hello world", "hello", ""], 1) == [5, 5, 0]


@pytest.mark.parametrize(
    "text",
    [
        "She told her colleagues about unbelievably uncharacteristic counterrevolutionaries.",
        "Die Straßenbahnhaltestelle gehört zur Donaudampfschifffahrtsgesellschaft.",
        "彼女は東京で働く看護師です。",
        "Она работает медсестрой.",
        HARD,
    ],
)
def test_a_rough_count_is_an_upper_bound(text: str, resources: Path) -> None:
    rough = open_token_counter(Path(__file__)).count(text)
    count = open_token_counter(resources / "cl100k_base").count(text)
    assert count <= rough <= 3 * count


def test_a_folder_without_a_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no tokenizer; expected .*cl100k_base"):
        open_token_counter(tmp_path)
