"""The bias dictionary: from SBIC's counts and hand-written curation files to word pairs."""

from .curation import (
    CONTROL,
    UNDESCRIBED,
    Curation,
    Descriptions,
    Paired,
    check_curation,
    check_descriptions,
)
from .own import OwnPairs, add_descriptors, as_curation, read_own_pairs
from .pairs import (
    WordPair,
    as_rows,
    build_groups,
    build_pairs,
    pairs_of,
    read_csv,
    read_pairs,
    read_word_classes,
    write_csv,
)
from .sbic import count_posts, list_names, read_posts, split_files
from .sharing import merge_curations, settle_controls, settle_groups
