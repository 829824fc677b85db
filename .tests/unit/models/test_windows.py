"""What models see of texts: the same however many are tokenized at once."""

from pathlib import Path

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
