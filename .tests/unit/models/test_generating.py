"""Answers in words: what prompts share is computed once, which changes no answer."""

import random
from pathlib import Path

import pytest
from answering import answers_of, shuffled_answers_of
from hinter.models import generating as generating_module
from tiny import WORDS, open_generating


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
    assert model._on_tree
    together = answers_of(model, texts)
    assert len(set(together)) > 20
    assert shuffled_answers_of(open_generating(llama, batch_tokens=90), texts) == together
    # Then all are made again alone, from their whole prompts.
    monkeypatch.setattr(generating_module, "near_tie", lambda dtype: float("inf"))
    assert answers_of(model, texts) == together


def test_models_that_cannot_be_run_on_a_tree_answer_alike(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = _families(2)
    together = answers_of(open_generating(llama), texts)
    monkeypatch.setattr(generating_module, "runs_as_tree", lambda model: False)
    model = open_generating(llama, batch_tokens=400)
    monkeypatch.setattr(model, "_by_chunks", None)
    assert answers_of(model, texts) == together
