"""Prompts of datasets and of judges that cannot be asked."""

from pathlib import Path
from typing import Any

import yaml
from hinter.config import JudgeSheet, PromptSheet, read_sheet
from hinter.corpora import check_judge_prompt, check_prompt

from .case import Case, Line, write

LABELS = ["bad", "good"]
PROMPT = {
    "version": 1,
    "instruction": "Choose from {labels}.\n",
    "question": "Text: {text}\nLabel: ",
    "examples": {"0123456789abcdef": ["good"]},
}
JUDGE = {
    "version": 1,
    "instruction": "What does the answer mean? Choose from {labels}.\n",
    "question": "Asked: {prompt}\nAnswered: {answer}\nMeaning: ",
}
IN_SCHEMA = "described in config/schemas/prompt.schema.yaml"
IN_JUDGES_SCHEMA = "described in config/schemas/judge.schema.yaml"
EXAMPLE = "16 hexadecimal digits"


def _prompt(line: Line, **changes: Any) -> Case:
    def read(folder: Path) -> object:
        path = write(folder / "prompt.yaml", yaml.safe_dump(PROMPT | changes))
        sheet = read_sheet(path, PromptSheet).model_dump()
        return check_prompt(sheet, path=path, labels=LABELS)

    return Case(read, line)


def _judge(line: Line, **changes: Any) -> Case:
    def read(folder: Path) -> object:
        path = write(folder / "judge.yaml", yaml.safe_dump(JUDGE | changes))
        sheet = read_sheet(path, JudgeSheet)
        return check_judge_prompt(sheet, path=path, labels=LABELS)

    return Case(read, line)


CASES = {
    "an example that is a text": _prompt(
        Line("key 'examples'", "'a text of the dataset'", EXAMPLE, IN_SCHEMA),
        examples={"a text of the dataset": []},
    ),
    "an example in capitals": _prompt(
        Line("key 'examples'", "'0123456789ABCDEF'", EXAMPLE, IN_SCHEMA),
        examples={"0123456789ABCDEF": []},
    ),
    "an example by a row below 0": _prompt(
        Line("key 'examples'", "'train:-1'", EXAMPLE, IN_SCHEMA), examples={"train:-1": []}
    ),
    "an example of a label that is no label": _prompt(
        Line(
            "key 'examples.train:7'",
            "the label 'fair'",
            "labels of the dataset: bad, good",
            "names",
        ),
        examples={"train:7": ["fair"]},
    ),
    "an example of a label twice": _prompt(
        Line("key 'examples.train:7'", "'good' twice", "a list, each once", IN_SCHEMA),
        examples={"train:7": ["good", "good"]},
    ),
    "an example of a label that YAML takes for false": _prompt(
        Line("key 'examples.train:7.0'", "False", "the name of a label", "Put text in quotes"),
        examples={"train:7": [False]},
    ),
    "a list of examples": _prompt(
        Line("key 'examples'", "['good']", "a mapping", IN_SCHEMA), examples=["good"]
    ),
    "a question without the text": _prompt(
        Line("key 'question'", "no placeholder {text}", "which stands for the text", "Add it"),
        question="Label: ",
    ),
    "a question with another placeholder": _prompt(
        Line("key 'question'", "the placeholder {review}", "no placeholder but {text}", "Correct"),
        question="{text} {review}",
    ),
    "a placeholder without a name": _prompt(
        Line("key 'question'", "the placeholder {}", "no placeholder but {text}", "Correct"),
        question="{text} {}",
    ),
    "an instruction with the text": _prompt(
        Line("key 'instruction'", "the placeholder {text}", "but {labels}", "Correct or remove it"),
        instruction="{text}",
    ),
    "words for no label that are a label": _prompt(
        Line("key 'none'", "'bad', which is a label", "not a label", "Choose other words"),
        none="bad",
    ),
    "words for no label that are a label in capitals": _prompt(
        Line("key 'none'", "'Bad', which is a label", "not a label", "Choose other words"),
        none="Bad",
    ),
    "words for no label that are blank": _prompt(
        Line("key 'none'", "' ', which does not match", "text", IN_SCHEMA), none=" "
    ),
    "an answer of no tokens": _prompt(
        Line("key 'max_answer_tokens'", "0", "of at least 1", IN_SCHEMA), max_answer_tokens=0
    ),
    "a version with a dot": _prompt(
        Line("key 'version'", "1.1", "a whole number", IN_SCHEMA), version=1.1
    ),
    "an unknown key": _prompt(
        Line("prompt.yaml", "the unknown key 'answer'", "only the keys", IN_SCHEMA), answer="x"
    ),
    "a judge who is not shown the answer": _judge(
        Line("key 'question'", "no placeholder {answer}", "the answer that is judged", "Add it"),
        question="{prompt}",
    ),
    "a judge who is not told the labels": _judge(
        Line("key 'instruction'", "no placeholder {labels}", "names of the labels", "Add it"),
        instruction="What does it mean?",
    ),
    "a judge whose refusal is a label": _judge(
        Line("key 'refused'", "'GOOD'", "neither a label", "Choose other words"), refused="GOOD"
    ),
    "a judge whose two words are one": _judge(
        Line("key 'refused'", "'none'", "nor those of another key", "Choose other words"),
        refused="none",
    ),
    "a judge with examples": _judge(
        Line("judge.yaml", "the unknown key 'examples'", "only the keys", IN_JUDGES_SCHEMA),
        examples={},
    ),
}
