"""Archives of texts, as authors publish them, and the corpora made of these."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hinter.corpora import CORPUS_SCHEMA, Counts, fault_of_examples, prepare_corpus

REVIEWS = {
    "aclImdb/README": "about the reviews",
    "aclImdb/imdb.vocab": "the and",
    "aclImdb/test/urls_pos.txt": "http://example.org",
    "aclImdb/test/neg/0_2.txt": "Dull.<br /><br />Very dull.",
    "aclImdb/test/pos/0_9.txt": "Fun caf\u00e9 scenes.",
    "aclImdb/train/unsup/0_0.txt": "Unrated.",
    "aclImdb/train/neg/10_1.txt": "Poor.",
    "aclImdb/train/neg/2_3.txt": "Worse.",
    "aclImdb/train/pos/1_8.txt": "Good.",
    "aclImdb/train/pos/0_7.txt": "Better.",
}


def pack(path: Path, members: Mapping[str, str | bytes]) -> Path:
    """Write an archive with a folder, a link and these members, in their order."""
    with tarfile.open(path, "w:gz") as archive:
        for name, kind in [("sub", tarfile.DIRTYPE), ("sub/link.jsonl", tarfile.SYMTYPE)]:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "nowhere"
            archive.addfile(member)
        for name, content in members.items():
            data = content if isinstance(content, bytes) else content.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def prepare_packed(
    path: Path, sheet: Mapping[str, Any], **examples: tuple[str, ...]
) -> tuple[list[dict[str, Any]], Counts]:
    """Return the rows of the corpus of an archive, and what was counted; `train_1` is `train:1`.

    Raises the `InputError` that the corpus keeps for prompted models.
    """
    named = {name.replace("_", ":"): labels for name, labels in examples.items()}
    table, counts = prepare_corpus(path, sheet=sheet, examples=named, seed=1)
    assert table.schema == CORPUS_SCHEMA
    fault = fault_of_examples(table.schema)
    if fault:
        raise fault
    return table.to_pylist(), counts
