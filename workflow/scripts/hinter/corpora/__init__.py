"""Corpora: texts under test with stable ids, labels and splits, given or drawn."""

from .judge_prompt import JudgePrompt, check_judge_prompt
from .labels import label_names
from .preparing import prepare_corpus
from .prompts import Prompt, check_prompt
from .reading import Counts
from .rows import read_rows
from .sampling import draw_splits
from .texts import (
    CORPUS_SCHEMA,
    TESTED,
    TEXTS_AT_ONCE,
    SplitShard,
    Text,
    blocks_of,
    draw_texts,
    fault_of_examples,
    read_examples,
    read_split,
    text_id,
)

__all__ = [
    "CORPUS_SCHEMA",
    "TESTED",
    "TEXTS_AT_ONCE",
    "Counts",
    "JudgePrompt",
    "Prompt",
    "SplitShard",
    "Text",
    "blocks_of",
    "check_judge_prompt",
    "check_prompt",
    "draw_splits",
    "draw_texts",
    "fault_of_examples",
    "label_names",
    "prepare_corpus",
    "read_examples",
    "read_rows",
    "read_split",
    "text_id",
]
