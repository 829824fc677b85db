"""Annotations of originals by a pipeline, which are stored between runs like checks."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..mutation import Annotation, Folded, Span, fold
from .parsing import READ
from .pipelines import ANNOTATORS, open_pipeline
from .splitting import split_sentences
from .store import path_of_entry, read_entry, write_entry

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Annotator:
    """A spaCy pipeline with tagger, parser, lemmatizer and named entities.

    It annotates each sentence of the invariant separately. A sentence of more than
    `max_sentence_chars` characters has no tokens. `store` is the folder of earlier annotations.
    Raises `InputError` if the folder has no pipeline with these components.
    """

    def __init__(
        self,
        folder: Path,
        *,
        store: Path,
        batch_size: int = 128,
        device: str = "cpu",
        max_sentence_chars: int | None = None,
    ) -> None:
        self._pipeline, name = open_pipeline(
            folder, device=device, components=ANNOTATORS, needed=("tagger", "parser", "ner")
        )
        self._batch_size = batch_size
        limit = max_sentence_chars or self._pipeline.max_length
        self._max_chars = min(limit, self._pipeline.max_length)
        self._store = store / f"{name}-{self._max_chars}-{READ}"

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any], *, parser: Path, store: Path) -> "Annotator":
        """Return the annotator of a study's `invariant`, with the pipeline in `parser`."""
        settings = sheet["parser"]
        return cls(
            parser,
            store=store,
            batch_size=settings["batch_size"],
            device=settings["device"],
            max_sentence_chars=sheet["max_sentence_chars"],
        )

    def annotate(self, text: str) -> Annotation:
        """Return the annotation of a text."""
        known = self._known(text)
        if known is None:
            self.prepare([text])
            known = self._known(text)
        if known is None:
            raise RuntimeError(f"the annotations in {self._store} cannot be read back")
        return Annotation.of_rows(text, known["tokens"], known["sentences"])

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate the texts that the store lacks together, which is faster than one by one."""
        unknown = [(text, split_sentences(text)) for text in texts if self._known(text) is None]
        sentences = (
            fold(text[start:end])
            for text, spans in unknown
            for start, end in spans
            if end - start <= self._max_chars
        )
        docs = self._pipeline.pipe(
            ((one.line, one) for one in sentences), as_tuples=True, batch_size=self._batch_size
        )
        for text, spans in unknown:
            write_entry(self._path(text), json.dumps(self._rows(spans, docs)).encode())

    def _path(self, text: str) -> Path:
        return path_of_entry(self._store, text, ending="annotation")

    def _known(self, text: str) -> dict[str, Any] | None:
        """Return the stored annotation of a text, or None if it has other sentences."""
        known = read_entry(self._path(text), json.loads)
        spans = [list(span) for span in split_sentences(text)]
        return known if known is not None and known.get("spans") == spans else None

    def _rows(self, spans: Sequence[Span], docs: Iterator[tuple["Doc", Folded]]) -> dict[str, Any]:
        rows: list[Sequence[Any]] = []
        sentences = []
        for start, end in spans:
            first = len(rows)
            if end - start <= self._max_chars:
                rows += _tokens(*next(docs), start=start, first=first)
            sentences.append((first, len(rows)))
        return {"spans": spans, "tokens": rows, "sentences": sentences}


def _tokens(doc: "Doc", folded: Folded, *, start: int, first: int) -> list[Sequence[Any]]:
    begins = {token.i: entity.start for entity in doc.ents for token in entity}
    spans = (folded.span(token.idx, token.idx + len(token)) for token in doc)
    return [
        (
            start + begin,
            start + end,
            token.tag_,
            token.dep_,
            first + token.head.i,
            token.lemma_,
            token.ent_type_,
            first + begins[token.i] if token.i in begins else -1,
        )
        for token, (begin, end) in zip(doc, spans, strict=True)
    ]
