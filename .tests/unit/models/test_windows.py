"""What models see of texts: the same however many, and how much of each, are tokenized at once."""

import random
from pathlib import Path
from typing import Any

import pytest
from hinter.models import windows
from transformers import AutoTokenizer


def test_windows_are_the_same_however_many_texts_are_tokenized_at_once(
    resources: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(resources / "all_minilm_l6_v2")
    long = [*texts, " ".join(texts)]
    expected = windows.token_windows(long, tokenizer=tokenizer, max_tokens=32)
    assert expected[-1].length < len(long[-1])
    for characters in (1, 1000, 5000):
        monkeypatch.setattr(windows, "CHARACTERS_AT_ONCE", characters)
        assert windows.token_windows(long, tokenizer=tokenizer, max_tokens=32) == expected
    assert windows.token_windows([], tokenizer=tokenizer, max_tokens=32) == []


@pytest.mark.parametrize("pieces", ["words", "bytes"])
def test_windows_of_long_texts_are_those_of_all_their_tokens(
    pieces: str, resources: Path, shallow_smollm2: Path
) -> None:
    folder = {"words": resources / "all_minilm_l6_v2", "bytes": shallow_smollm2}[pieces]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    draw = random.Random(1)
    words = ["a", "film", "unbelievably", "it's", "x" * 200, "über", "東京", "...", "12,000", "!?"]
    gaps = [" ", " ", "  ", "\n", " \n\n ", "\u00a0", "\t"]
    texts = ["", "   ", "x" * 5000, "a " * 5000, "unbelievablyunbelievable " * 500]
    for count in (10, 100, 300) * 20:
        texts.append("".join(draw.choice(words) + draw.choice(gaps) for _ in range(count)))
    for max_tokens in (8, 60, 200):
        whole = tokenizer(texts, truncation=True, max_length=max_tokens).encodings
        seen = windows.token_windows(texts, tokenizer=tokenizer, max_tokens=max_tokens)
        ends = [max((end for _, end in encoding.offsets), default=0) for encoding in whole]
        assert any(encoding.overflowing for encoding in whole)
        assert seen == [
            windows.Window(
                end if encoding.overflowing else len(text), windows.digest_of_tokens(encoding.ids)
            )
            for text, encoding, end in zip(texts, whole, ends, strict=True)
        ]


def test_long_texts_that_begin_alike_are_tokenized_once_and_not_to_their_ends(
    resources: Path, texts: list[str]
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(resources / "all_minilm_l6_v2")
    tokenized: list[str] = []

    def counting(some: list[str], **settings: Any) -> Any:
        tokenized.extend(some)
        return tokenizer(some, **settings)

    long = " ".join(texts) + " And "
    mutants = [long * 5 + ending for ending in ("one", "another", "a third")]
    seen = windows.token_windows(mutants, tokenizer=counting, max_tokens=32)  # type: ignore[arg-type]
    assert len(set(seen)) == 1
    assert sum(map(len, tokenized)) < 32 * windows.CHARACTERS_PER_TOKEN + 100
