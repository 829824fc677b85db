"""Corpora: texts under test with stable ids, labels, and given or sampled splits."""

from .labels import label_names, plain
from .preparing import prepare_corpus
from .prompts import JudgePrompt, Prompt, check_judge_prompt, check_prompt, without_system
from .reading import Counts
from .rows import read_rows
from .texts import (
    CORPUS_SCHEMA,
    TESTED,
    TEXTS_AT_ONCE,
    SplitShard,
    Text,
    blocks_of,
    draw_splits,
    draw_texts,
    fault_of_examples,
    read_examples,
    read_split,
    text_id,
    write_rows,
)
