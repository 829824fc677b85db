"""The parser behind the invariant: part-of-speech tags and dependency labels of a sentence."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import spacy
from spacy.attrs import DEP, TAG
from spacy.tokens import Doc

COMPONENTS = ("tok2vec", "transformer", "tagger", "parser")


class Parse(NamedTuple):
    """A sentence's fine-grained (Penn Treebank) tags and dependency labels, one per token.

    Both are spaCy's hashes of the names: equal exactly where the names are.
    """

    tags: list[int]
    labels: list[int]


class Parser:
    """A spaCy pipeline cut down to what the invariant compares."""

    def __init__(self, folder: Path, *, batch_size: int = 128) -> None:
        self._batch_size = batch_size
        self._pipeline = spacy.load(folder)
        for name in self._pipeline.pipe_names:
            if name not in COMPONENTS:
                self._pipeline.remove_pipe(name)

    def parse(self, sentences: Iterable[str]) -> Iterator[Parse]:
        """Yield the parse of each sentence; each is parsed alone, whatever its neighbours."""
        for doc in self._pipeline.pipe(sentences, batch_size=self._batch_size):
            yield _to_parse(doc)


def _to_parse(doc: Doc) -> Parse:
    columns = doc.to_array([TAG, DEP])
    return Parse(columns[:, 0].tolist(), columns[:, 1].tolist())
