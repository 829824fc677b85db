"""The bias dictionary: from SBIC's counts and hand-written curation files to word pairs."""

from .curation import CONTROL, Curation, check_controls, check_curation
from .pairs import (
    WordPair,
    as_rows,
    build_groups,
    build_pairs,
    read_pairs,
    read_word_classes,
    write_rows,
)
from .sbic import count_posts, read_posts

__all__ = [
    "CONTROL",
    "Curation",
    "WordPair",
    "as_rows",
    "build_groups",
    "build_pairs",
    "check_controls",
    "check_curation",
    "count_posts",
    "read_pairs",
    "read_posts",
    "read_word_classes",
    "write_rows",
]
