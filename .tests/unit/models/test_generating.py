"""Answers in words: what prompts share is computed once, which changes no answer."""

import random
import shutil
from pathlib import Path

import pytest
from answering import answers_of, shuffled_answers_of
from hinter.models import generating as generating_module
from hinter.models.model import ParsedAnswer, Status
from tiny import WORDS, open_generating
from transformers import AutoTokenizer


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


TEMPLATE = "{% for turn in messages %}{{ turn.content }} {% endfor %}assistant: "


@pytest.mark.parametrize(
    ("begun", "is_thought"), [("<think>\n", True), ("<think>\n\n</think>\n\n", False), ("", False)]
)
def test_what_a_template_begins_as_a_thought_is_read_as_one(
    llama: Path, begun: str, is_thought: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(llama, tmp_path, dirs_exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(llama)
    tokenizer.chat_template = TEMPLATE + begun
    tokenizer.save_pretrained(tmp_path)
    model = open_generating(tmp_path, chat=True)
    parsed_answers = [model.read(answer) for answer in answers_of(model, _families(1))]
    nothing = [ParsedAnswer(Status.UNPARSED, None, "")] * len(parsed_answers)
    assert (parsed_answers == nothing) == is_thought
    told = "answers used up all their tokens before the first word" in caplog.text
    assert told == is_thought
