"""The parser behind the invariant: part-of-speech tags and dependency trees of sentences.

spaCy imports torch, which takes seconds, so it is imported only when a parser is made: most jobs
read stored checks and never parse.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..batches import batches_of
from ..mutation import Folded, Span, fold
from .pipelines import COMPONENTS, open_pipeline, share_windows

if TYPE_CHECKING:
    from spacy.tokens import Doc

ATTRIBUTES = ["DEP", "HEAD", "IDX", "LENGTH"]
TAGS = {"penn": "TAG", "upos": "POS"}
"""spaCy's names of the Penn Treebank's tags and of the Universal parts of speech."""
RULER = "attribute_ruler"
"""The component that derives parts of speech from tags and, for a few words, from labels."""
READ = "folded"
"""How sentences are prepared, as part of the names of stored entries."""
USUAL_LENGTH = 128
"""The mean number of characters of a sentence in the largest batch."""


class Capitals(StrEnum):
    """How capitals of a sentence are changed before it is parsed; its length stays the same.

    `KEPT`: they are unchanged. `FIRST`: the first letter becomes a capital. `FIRST_ONLY`: the first
    character becomes a capital, and all other letters lower case. The authors' code does the last
    two, each in one place.
    """

    KEPT = "kept"
    FIRST = "first"
    FIRST_ONLY = "first_only"

    def apply(self, sentence: str) -> str:
        """Return the sentence in the form that is parsed."""
        if self is Capitals.FIRST:
            first = next((i for i, each in enumerate(sentence) if each.isalpha()), 0)
            return sentence[:first] + _upper(sentence[first : first + 1]) + sentence[first + 1 :]
        if self is Capitals.FIRST_ONLY:
            return _upper(sentence[:1]) + "".join(map(_lower, sentence[1:]))
        return sentence


# A few letters become longer in the other case, which would shift all following positions.
def _upper(character: str) -> str:
    return upper if len(upper := character.upper()) == 1 else character


def _lower(character: str) -> str:
    return lower if len(lower := character.lower()) == 1 else character


class Parse:
    """A sentence's tokens with their tags (of the set `tags`) and dependency tree.

    Tags and labels are spaCy's hashes of their names, so they are equal if the names are. The `doc`
    is that of the `folded` sentence, or of a sentence that folding does not change.
    """

    def __init__(self, doc: "Doc", *, folded: Folded | None = None, tags: str = "penn") -> None:
        self._folded = folded or fold(doc.text)
        self._columns: npt.NDArray[np.uint64] = doc.to_array([TAGS[tags], *ATTRIBUTES])

    @cached_property
    def tags(self) -> list[int]:
        """Tag of each token."""
        return self._columns[:, 0].tolist()

    @cached_property
    def labels(self) -> list[int]:
        """Dependency label of each token."""
        return self._columns[:, 1].tolist()

    @cached_property
    def heads(self) -> list[int]:
        """Position of each token's head; that of a root is its own."""
        # spaCy stores signed distances in unsigned cells.
        distances = self._columns[:, 2].view(np.int64)
        return (np.arange(len(distances)) + distances).tolist()

    @cached_property
    def token_spans(self) -> list[Span]:
        """Span of each token in the sentence."""
        starts, lengths = self._columns[:, 3], self._columns[:, 4]
        return [*map(self._folded.span, starts.tolist(), (starts + lengths).tolist())]


class Parser:
    """A spaCy pipeline with only the components that the invariant compares.

    `device` is `cpu`, `cuda`, or `auto` for CUDA if there is a device. `tags` is `penn` for the
    fine tags of the Penn Treebank, or `upos` for the 17 Universal parts of speech; `capitals` says
    with which capitals sentences are parsed. Raises `InputError` if the folder has no pipeline with
    the needed components, and for `cuda` without a device.
    """

    def __init__(
        self,
        folder: Path,
        *,
        batch_size: int = 128,
        device: str = "cpu",
        tags: str = "penn",
        capitals: Capitals = Capitals.KEPT,
    ) -> None:
        self._batch_size, self._tags, self._capitals = batch_size, tags, capitals
        ruled = [RULER] if tags == "upos" else []
        self._pipeline, name = open_pipeline(
            folder,
            device=device,
            components=[*COMPONENTS, *ruled],
            needed=["tagger", "parser", *ruled],
        )
        self.max_chars: int = self._pipeline.max_length
        # The name has no trace of this, so that stored checks stay valid: no parse depends on it.
        share_windows(self._pipeline)
        self.fingerprint = f"{name}-{tags}-{capitals}-{READ}"

    def parse(self, sentences: Sequence[str]) -> Iterator[Parse]:
        """Yield the parse of each sentence, which does not depend on its neighbours."""
        for parse in self.parse_where(sentences, tags_pass=lambda position, tagged: True):
            if parse is not None:
                yield parse

    def parse_where(
        self, sentences: Sequence[str], *, tags_pass: Callable[[int, Parse], bool]
    ) -> Iterator[Parse | None]:
        """Yield the parse of each sentence, or None if `tags_pass` rejects its tags.

        `tags_pass` is called with the position of each sentence and its tagged parse. A rejected
        sentence gets no tree, which saves half the work; Universal parts of speech, however, are
        only known with the tree.
        """
        position = 0
        after_tags = [] if self._tags == "upos" else ["parser"]
        # Smaller batches of long sentences bound the memory.
        size = USUAL_LENGTH * self._batch_size
        for batch in batches_of(sentences, length=len, size=size, most=self._batch_size):
            folded = [fold(self._capitals.apply(sentence)) for sentence in batch]
            tagged = self._pipeline.pipe(
                (one.line for one in folded), batch_size=len(batch), disable=after_tags
            )
            docs = [
                doc if tags_pass(number, Parse(doc, folded=one, tags=self._tags)) else None
                for number, (doc, one) in enumerate(zip(tagged, folded, strict=True), position)
            ]
            position += len(batch)
            parsed = self._pipeline.pipe(
                [doc for doc in docs if doc is not None],
                batch_size=len(batch),
                disable=list({*self._pipeline.pipe_names} - {*after_tags}),
            )
            for doc, one in zip(docs, folded, strict=True):
                yield None if doc is None else Parse(next(parsed), folded=one, tags=self._tags)
