"""Answers in words: what prompts share is computed once, which changes no answer."""

import json
import random
import shutil
from pathlib import Path

import pytest
from answering import answers_of, shuffled_answers_of
from hinter.errors import InputError
from hinter.models import generating as generating_module
from hinter.models.model import ParsedAnswer, Status
from tiny import WORDS, open_generating, write_scripted
from transformers import AutoTokenizer
from tries import alike


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


TEXTS = ("a lovely film", "the man and the woman and a dull film")


def _meanings(folder: Path) -> list[tuple[str, ...] | None]:
    model = open_generating(folder)
    return [model.read(answer).outcome for answer in answers_of(model, TEXTS)]


def _set(folder: Path, **settings: object) -> None:
    file = folder / "generation_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | settings))


@alike(
    "settings",
    [
        {"do_sample": True, "temperature": 3.0, "min_p": 0.1},
        {"num_beams": 4, "num_return_sequences": 2, "penalty_alpha": 0.6, "top_k": 4},
        {"repetition_penalty": 9.0, "suppress_tokens": [3893], "bad_words_ids": [[3893]]},
        {"min_new_tokens": 4, "max_time": 1e-6, "stop_strings": ["pos"]},
        {"return_dict_in_generate": True, "use_cache": False, "eos_token_id": [5, 6]},
    ],
    [
        {"num_beams": 4},
        {"num_return_sequences": 2},
        {"penalty_alpha": 0.6, "top_k": 4},
        {"repetition_penalty": 9.0},
        {"suppress_tokens": [3893]},
        {"bad_words_ids": [[3893]]},
        {"min_new_tokens": 4},
        {"max_time": 1e-6},
        {"stop_strings": ["pos"]},
        {"return_dict_in_generate": True},
        {"use_cache": False},
        {"eos_token_id": None},
        {"eos_token_id": [5, 6]},
    ],
    ids=lambda settings: "+".join(settings),
)
def test_the_likeliest_answer_is_given_whatever_the_folder_asks_for(
    settings: dict[str, object], resources: Path, tmp_path: Path
) -> None:
    words = resources / "all_minilm_l6_v2"
    assert AutoTokenizer.from_pretrained(words).convert_tokens_to_ids("positive") == 3893
    folder = write_scripted(tmp_path / "model", tokenizer=words, answer=["positive"])
    _set(folder, **settings)
    answers = answers_of(open_generating(folder), TEXTS)
    assert (
        answers == [json.dumps({"answer": "positive", "finish": "stop"}, separators=(",", ":"))] * 2
    )


@pytest.mark.parametrize("end", ["model", "tokenizer", "generation"])
def test_an_answer_ends_where_any_of_the_settings_says(
    end: str, resources: Path, tmp_path: Path
) -> None:
    words = resources / "all_minilm_l6_v2"
    folder = write_scripted(tmp_path / "model", tokenizer=words, answer=["positive", "negative"])
    tokenizer = AutoTokenizer.from_pretrained(folder)
    other = tokenizer.convert_tokens_to_ids("negative")
    if end == "model":
        file = folder / "config.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"eos_token_id": other}))
        (folder / "generation_config.json").unlink()
    elif end == "tokenizer":
        tokenizer.eos_token = "negative"
        tokenizer.save_pretrained(folder)
    else:
        _set(folder, eos_token_id=[5, other])
    assert _meanings(folder) == [("positive",)] * 2


def test_thoughts_between_control_tokens_are_no_answer(resources: Path, tmp_path: Path) -> None:
    answer = ["[THINK]", "negative", "[/THINK]", "positive"]
    words = resources / "all_minilm_l6_v2"
    folder = write_scripted(tmp_path / "model", tokenizer=words, answer=answer)
    assert _meanings(folder) == [("positive",)] * 2


@pytest.mark.parametrize(
    ("new", "is_refused"),
    [({"extra_special_tokens": ["<|tool|>"]}, False), ({"pad_token": "[NEW]"}, False), ({}, True)],
)
def test_tokens_that_the_model_lacks_are_refused_if_texts_can_have_them(
    new: dict[str, object], is_refused: bool, resources: Path, tmp_path: Path
) -> None:
    words = resources / "all_minilm_l6_v2"
    folder = write_scripted(tmp_path / "model", tokenizer=words, answer=["positive"])
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_special_tokens(new) if new else tokenizer.add_tokens(["quokka"])
    tokenizer.save_pretrained(folder)
    if is_refused:
        with pytest.raises(InputError, match=r"the model lacks \(1, such as quokka\)"):
            open_generating(folder)
    else:
        model = open_generating(folder)
        assert model._batch_size.tokens > 1
        assert _meanings(folder) == [("positive",)] * 2


@pytest.mark.parametrize(
    "shown",
    [
        "{{ turn.content if turn.role == 'system' }}",
        "{% for part in turn.content %}{{ part.text }}{% endfor %}",
    ],
)
def test_a_template_without_the_text_is_refused(
    shown: str, resources: Path, tmp_path: Path
) -> None:
    words = resources / "all_minilm_l6_v2"
    folder = write_scripted(tmp_path / "model", tokenizer=words, answer=["positive"])
    template = "{% for turn in messages %}" + shown + "{% endfor %}"
    (folder / "chat_template.jinja").write_text(template)
    with pytest.raises(InputError, match=r"refuses the prompt \(it leaves out the user role\)"):
        open_generating(folder, chat=True)
