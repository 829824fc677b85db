"""Corpora: texts under test with stable ids, labels and seeded, disjoint splits."""

from .preparing import Counts, prepare_corpus
from .prompts import Prompt, read_prompt
from .texts import CORPUS_SCHEMA, TEXTS_AT_ONCE, SplitShard, Text, blocks_of, read_split

__all__ = [
    "CORPUS_SCHEMA",
    "TEXTS_AT_ONCE",
    "Counts",
    "Prompt",
    "SplitShard",
    "Text",
    "blocks_of",
    "prepare_corpus",
    "read_prompt",
    "read_split",
]
