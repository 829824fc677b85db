"""Prompts: what is shown, asked and expected, and which prompt files are refused."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import JudgeSheet, PromptSheet, read_sheet
from hinter.corpora import Prompt, Text, check_judge_prompt, check_prompt, label_names
from hinter.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
PROMPTS = ROOT / "config" / "prompts"
DATASETS = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
LABELS = {name: tuple(label_names(sheet).values()) for name, sheet in DATASETS.items()}
# The paper's examples: rows of the training split, and the places of their labels in the set.
PAPER = {
    "ecthr_a": {3178: [3], 4184: [4, 9], 6788: []},
    "eurlex": {710: [10, 21, 66, 67, 82], 789: [20, 71], 20616: [21, 43, 65]},
    "scotus": {1476: [1], 717: [0], 1311: [10]},
    "ledgar": {32072: [97], 14509: [36], 19546: [65]},
    "imdb_50k": {22277: [1], 9249: [0], 17484: [1]},
}
ANSWER_TOKENS = {"ecthr_a": 40, "eurlex": 60, "scotus": 10, "ledgar": 10, "imdb_50k": 7}
AS_WRITTEN = "as_written"
"""The prompt of texts that ask their own question."""
JUDGE = "judge"
"""What a judge is asked about answers, in a form of its own."""
SHEET = {
    "version": 1,
    "instruction": "Choose from {labels}.\n\n",
    "question": "Text: {text}\nLabels: ",
    "examples": {"train:7": ["a {b}"], "0123456789abcdef": []},
}
NAMES = ["z", "a {b}", "{text}"]
EXAMPLES = [Text("1", "one {labels}", ("{text}", "z")), Text("2", "two {text} {0} {")]


def _written(folder: Path, **changes: Any) -> Path:
    path = folder / "prompt.yaml"
    path.write_text(yaml.safe_dump(SHEET | changes, sort_keys=False), encoding="utf-8")
    return path


def _read_prompt(path: Path, *, labels: Sequence[str]) -> Prompt:
    sheet = read_sheet(path, PromptSheet)
    return check_prompt(sheet.model_dump(), path=path, labels=labels)


def _read(folder: Path, **changes: Any) -> Prompt:
    return _read_prompt(_written(folder, **changes), labels=NAMES)


def test_answers_name_labels_in_the_order_of_the_set_or_that_none_applies(tmp_path: Path) -> None:
    prompt = _read(tmp_path)
    assert prompt.answer(["{text}", "a {b}", "z"]) == "z, a {b}, {text}"
    assert prompt.answer([]) == "None"
    assert _read(tmp_path, none="no topic").answer([]) == "no topic"


def test_braces_in_texts_and_labels_stay_as_they_are(tmp_path: Path) -> None:
    prompt = _read(tmp_path)
    assert prompt.shown(EXAMPLES) + prompt.asked("{text}{labels}{") == (
        "Choose from z, a {b}, {text}.\n\n"
        "Text: one {labels}\nLabels:  z, {text}\n\n"
        "Text: two {text} {0} {\nLabels:  None\n\n"
        "Text: {text}{labels}{\nLabels: "
    )


def test_a_chat_takes_turns(tmp_path: Path) -> None:
    assert _read(tmp_path).chat("three", EXAMPLES[1:]) == [
        {"role": "system", "content": "Choose from z, a {b}, {text}."},
        {"role": "user", "content": "Text: two {text} {0} {\nLabels:"},
        {"role": "assistant", "content": "None"},
        {"role": "user", "content": "Text: three\nLabels:"},
    ]


def test_the_first_examples_are_moved_to_the_end(tmp_path: Path) -> None:
    prompt = _read(tmp_path)
    assert [*prompt.rotated(1).examples] == ["0123456789abcdef", "train:7"]
    assert prompt.rotated(1).rotated(1) == prompt.rotated(0) == prompt


def test_examples_keep_their_order_and_defaults_are_filled_in(tmp_path: Path) -> None:
    prompt = _read(tmp_path)
    assert list(prompt.examples.items()) == [("train:7", ("a {b}",)), ("0123456789abcdef", ())]
    assert (prompt.none, prompt.max_answer_tokens, prompt.labels) == ("None", 16, tuple(NAMES))


@pytest.mark.parametrize(
    ("changes", "where", "found"),
    [
        ({"question": "Text: \nLabels:"}, "'question'", "no placeholder {text}"),
        ({"question": "{text} {answer}"}, "'question'", "the placeholder {answer}"),
        ({"question": "{text} {labels}"}, "'question'", "the placeholder {labels}"),
        ({"instruction": "{text}"}, "'instruction'", "the placeholder {text}"),
        ({"instruction": "{ labels }"}, "'instruction'", "the placeholder { labels }"),
        ({"instruction": "{}"}, "'instruction'", "the placeholder {}"),
        ({"none": "z"}, "'none'", "'z', which is a label"),
        ({"none": " "}, "'none'", "' ', which does not match"),
        ({"examples": {"train:3": ["z", "y"]}}, "'examples.train:3'", "the label 'y'"),
        (
            {"examples": {"train:3": ["z", "z"]}},
            "'examples.train:3'",
            "'z' twice; expected a list, each once",
        ),
        (
            {"examples": {"train:3": [True]}},
            "'examples.train:3.0'",
            "True; expected text: the name of a label",
        ),
        (
            {"examples": {1234567890123456: []}},
            "line 10",
            "the key '1234567890123456', which YAML does not",
        ),
        (
            {"examples": {"0123456789ABCDEF": []}},
            "'examples'",
            "'0123456789ABCDEF', which does not",
        ),
        ({"examples": {"train:": []}}, "'examples'", "'train:', which does not match"),
        (
            {"examples": ["0123456789abcdef"]},
            "'examples'",
            "['0123456789abcdef']; expected a mapping",
        ),
        ({"answers": {"z": " z"}}, "prompt.yaml", "the unknown key 'answers'"),
        (
            {"max_answer_tokens": 0},
            "'max_answer_tokens'",
            "0; expected a whole number (7, not 7.0) of at least 1 ",
        ),
    ],
)
def test_a_wrong_prompt_file_is_refused_by_file_and_key(
    changes: dict[str, Any], where: str, found: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as refusal:
        _read(tmp_path, **changes)
    place, _, rest = str(refusal.value).partition(": found ")
    assert str(tmp_path / "prompt.yaml") in place
    assert where in place
    assert found in rest


@pytest.mark.parametrize("name", sorted(path.stem for path in PROMPTS.glob("*.yaml")))
def test_every_prompt_of_the_study_is_read(name: str) -> None:
    if name == JUDGE:
        sheet = read_sheet(PROMPTS / f"{name}.yaml", JudgeSheet)
        judging = check_judge_prompt(sheet, path=name, labels=["a", "b"])
        assert "answer names: a, b." in judging.prompt.instruction
        assert all(word in judging.prompt.instruction for word in ("None", "Refused"))
        assert judging.text(prompt="Who?", answer="A.").endswith(":")
        return
    if name == AS_WRITTEN:
        prompt = _read_prompt(PROMPTS / f"{name}.yaml", labels=["a"])
        assert prompt.shown([]) + prompt.asked("What {is} it?") == "What {is} it?"
        return
    prompt = _read_prompt(PROMPTS / f"{name}.yaml", labels=LABELS[name])
    shown = prompt.shown([Text("", "x", labels) for labels in prompt.examples.values()])
    assert shown.startswith(prompt.instruction.partition("{")[0])
    assert prompt.instruction.endswith(".\n\n")
    assert prompt.asked("x").endswith(":")
    for labels in prompt.examples.values():
        assert f": {prompt.answer(labels)}\n\n" in shown


@pytest.mark.parametrize("name", PAPER)
def test_the_papers_examples_and_answer_lengths_are_kept(name: str) -> None:
    prompt = _read_prompt(PROMPTS / f"{name}.yaml", labels=LABELS[name])
    assert prompt.examples == {
        f"train:{row}": tuple(LABELS[name][place] for place in places)
        for row, places in PAPER[name].items()
    }
    assert prompt.max_answer_tokens == ANSWER_TOKENS[name]


def test_the_default_studys_prompt_reads_as_plain_text() -> None:
    prompt = _read_prompt(PROMPTS / "imdb.yaml", labels=LABELS["imdb"])
    examples = [Text("1", "Dull.", ("negative",)), Text("2", "Lovely.", ("positive",))]
    assert prompt.shown(examples) + prompt.asked("Hm.") == (
        "Each movie review is followed by its sentiment, positive or negative.\n\n"
        "Review: Dull.\nSentiment: negative\n\n"
        "Review: Lovely.\nSentiment: positive\n\n"
        "Review: Hm.\nSentiment:"
    )
