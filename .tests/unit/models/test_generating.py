"""Answers in words: what prompts share is computed once, which changes no answer."""

import random
from pathlib import Path

import pytest
from answering import answers_of, shuffled_answers_of
from hinter.models import generating as generating_module
from hinter.models.families import find_families
from tiny import ANSWER_TOKENS, WORDS, open_generating


def _families(count: int) -> list[str]:
    """Return texts, each followed by some in which one word is another."""
    draw = random.Random(3)
    found = []
    for _ in range(count):
        words = draw.choices(WORDS, k=34)
        found.append(" ".join(words))
        for place in (1, 8, 17, 24, 30, 33):
            for word in ("small", "remarkable"):
                found.append(" ".join([*words[:place], word, *words[place + 1 :]]))
    return found


def test_mutants_that_begin_alike_are_answered_like_whole_prompts_alone(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = _families(3)
    model = open_generating(llama)
    families, _ = find_families(model._prompting.rows(texts))
    least = generating_module.STEP_TOKENS * ANSWER_TOKENS
    assert sum(family.saved() > least for family in families) == 3
    together = answers_of(model, texts)
    assert len(set(together)) > 20
    assert shuffled_answers_of(open_generating(llama, batch_tokens=90), texts) == together
    # Then all are made again alone, from their whole prompts.
    monkeypatch.setattr(generating_module, "near_tie", lambda dtype: float("inf"))
    assert answers_of(model, texts) == together


def test_rows_that_would_save_little_are_answered_with_the_others(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = _families(2)
    together = answers_of(open_generating(llama), texts)
    monkeypatch.setattr(generating_module, "STEP_TOKENS", 10**6)
    model = open_generating(llama)
    monkeypatch.setattr(model, "_past_of", None)
    assert answers_of(model, texts) == together
