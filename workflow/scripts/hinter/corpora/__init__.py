"""Corpora: texts under test with stable ids, labels, and given or sampled splits."""

from .preparing import prepare_corpus
from .prompts import JudgePrompt, Prompt, check_judge_prompt, check_prompt, without_system
from .rows import read_rows
from .source_texts import Counts, label_names, plain
from .texts import (
    CORPUS_SCHEMA,
    TESTED,
    TEXTS_AT_ONCE,
    SplitShard,
    Text,
    blocks_of,
    fault_of_examples,
    read_examples,
    read_split,
    sample_corpus,
    sample_splits,
    text_id,
    write_rows,
)
