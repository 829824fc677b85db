"""The bias dictionary: from SBIC's counts and hand-written curation files to word pairs."""

from .coverage import list_names
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
from .sbic import count_posts, read_posts, split_files

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
    "list_names",
    "read_pairs",
    "read_posts",
    "read_word_classes",
    "split_files",
    "write_rows",
]
