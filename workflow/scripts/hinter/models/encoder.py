"""An encoder with a classification head."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count, repeat
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ..errors import InputError
from .batching import (
    HIGHER,
    Batch,
    Probe,
    as_batch,
    batches_by_length,
    near_tie,
    size_batches,
    within_memory,
)
from .digests import digest_of_local
from .hardware import Precisions
from .labelled import (
    Scores,
    best_labels,
    check_numbers,
    close_rows,
    labelled_response,
    odds_of,
    read_labelled,
)
from .loading import check_embeddings, load_encoder, load_tokenizer
from .model import ParsedAnswer, Window
from .windows import check_window, first_tokens, token_windows

NOISE = 1e-5
"""Far above the noise of batching in an encoder's logits, about 1e-6 in single precision."""


PROBES = tuple(" ".join(map(str, range(count))) for count in (5, 25, 60))
"""Texts that show whether batches matter: numbers, which all tokenizers know."""


_regression = partial(
    InputError,
    expected="at least two labels to choose from",
    fix="Use a classifier, or turn the number into labels in a function (`kind: python`).",
)


class Encoder:
    """A sequence classifier in a folder written by `save_pretrained`.

    Its outcome is the label with the largest logit or, if a text may have several (`multi_label`),
    every label with a logit of at least 0. The `sheet` says how it is run. With `scores`, responses
    have the log-odds of labels, and all texts are computed at least in single precision. Its
    `labels` are new names for labels. Raises `InputError` if these are then not equal to those of
    the dataset, and for more tokens than it can read.
    """

    def __init__(
        self, folder: Path, *, sheet: Mapping[str, Any], labels: Sequence[str], multi_label: bool
    ) -> None:
        torch.set_num_threads(sheet["threads"])
        self._folder, self._keeps_scores = folder, sheet["scores"]
        self._models = models = Precisions(load_encoder, folder, sheet=sheet)
        self._device, self._dtype, self._screening = models.device, models.dtype, models.screening
        self._tokenizer = load_tokenizer(folder)
        config, renamed = models[self._dtype].config, sheet["labels"]
        names = {output: renamed.get(name, name) for output, name in config.id2label.items()}
        self._outputs = sorted(names, key=names.__getitem__)
        self._labels = [names[output] for output in self._outputs]
        if config.problem_type == "regression":
            found = "a model of numbers (`problem_type`: regression)"
            raise _regression(where=f"{folder}/config.json, key 'id2label'", found=found)
        _check_labels(self._labels, expected=labels, multi_label=multi_label, folder=folder)
        self._multi_label, self._max_tokens = multi_label, sheet["max_tokens"]
        check_window(self._max_tokens, tokenizer=self._tokenizer, config=config, folder=folder)
        pad = config.get_text_config().pad_token_id
        self._pad = None if pad is None or pad < 0 else pad
        self._batch_size = size_batches(sheet["batch_tokens"], model=models[self._screening])
        self._settle()
        self.fingerprint = digest_of_local(
            folder,
            module="encoder",
            device=self._device,
            dtype=sheet["dtype"],
            max_tokens=self._max_tokens,
            multi_label=multi_label,
            scores=self._keeps_scores,
            **({"labels": dict(renamed)} if renamed else {}),
        )

    def _settle(self) -> None:
        """Use batches of one text if a text in a larger batch gives another result."""
        encoded = first_tokens(PROBES, tokenizer=self._tokenizer, max_tokens=self._max_tokens)
        rows = [encoding.ids for encoding in encoded]
        shown = {token for row in rows for token in row}
        config = self._models[self._dtype].config
        check_embeddings(self._folder, config=config, tokenizer=self._tokenizer, shown=shown)
        probe = Probe(
            self._models[self._dtype], lambda: np.concatenate([self._tried([row]) for row in rows])
        )
        probe.settle(lambda: self._tried(rows), size=self._batch_size)

    def _tried(self, rows: Sequence[Sequence[int]]) -> Scores:
        batch = as_batch(range(len(rows)), rows, device=self._device)
        return self._logits(batch, self._dtype)

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the part of each text that the encoder sees."""
        return token_windows(texts, tokenizer=self._tokenizer, max_tokens=self._max_tokens)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, a batch at a time."""
        encoded = first_tokens(texts, tokenizer=self._tokenizer, max_tokens=self._max_tokens)
        rows = [encoding.ids for encoding in encoded]
        screened, multi = partial(self._decided, dtype=self._screening), self._multi_label
        for batch in batches_by_length(rows, size=self._batch_size, device=self._device):
            for part, logits in within_memory(batch, screened, size=self._batch_size):
                check_numbers(logits, folder=self._folder)
                odds = odds_of(logits, multi_label=multi) if self._keeps_scores else repeat(None)
                best = (best_labels(row, self._labels, multi_label=multi) for row in logits)
                yield list(zip(part.positions, map(labelled_response, best, odds), strict=True))

    def read(self, response: str) -> ParsedAnswer:
        """Return the outcome in a response, and the labels' scores."""
        return read_labelled(response, labels=self._labels)

    def _decided(self, batch: Batch, dtype: torch.dtype) -> Scores:
        """Return logits, shape (rows, labels), labels sorted; close rows in higher precision."""
        logits: Scores = self._logits(batch, dtype)
        noise = NOISE if self._keeps_scores else None
        multi = self._multi_label
        close = close_rows(logits, margin=near_tie(dtype), noise=noise, multi_label=multi)
        if close and dtype in HIGHER:
            logits[close] = self._again(batch.rows(close), dtype)
        return logits

    def _again(self, batch: Batch, dtype: torch.dtype) -> Scores:
        """Return logits in higher precision or, if the model has none, of one text at a time."""
        try:
            return self._decided(batch, HIGHER[dtype])
        except torch.OutOfMemoryError:
            raise
        except RuntimeError:
            alone = (batch.rows([row]) for row in range(len(batch.positions)))
            return np.concatenate([self._logits(row, dtype) for row in alone])

    @torch.inference_mode()
    def _logits(self, batch: Batch, dtype: torch.dtype) -> Scores:
        """Return logits, shape (rows, labels), labels sorted.

        Classifiers made from language models use the last token that is not the padding token of
        their settings. If these have none, it is set to a token with which no text here ends.
        """
        model, mask = self._models[dtype], batch.mask()
        config = model.config.get_text_config()
        if self._pad is None:
            last = {
                row[length - 1]
                for row, length in zip(batch.ids.tolist(), batch.lengths, strict=True)
            }
            config.pad_token_id = next(token for token in count() if token not in last)
        ids = batch.ids.masked_fill(mask == 0, config.pad_token_id)
        found = model(input_ids=ids, attention_mask=mask).logits
        return found.double().cpu().numpy()[:, self._outputs]


def _check_labels(
    found: Sequence[str], *, expected: Sequence[str], multi_label: bool, folder: Path
) -> None:
    where = f"{folder}/config.json, key 'id2label'"
    if len(found) == 1 and not multi_label:
        said = f"one label, {found[0]}, as in a model that returns a number (regression)"
        raise _regression(where=where, found=said)
    if expected and sorted(found) != sorted(expected):
        raise InputError(
            where=where,
            found=f"{len(found)} labels: {', '.join(sorted(found))}"[:300],
            expected=f"the dataset's {len(expected)}: {', '.join(sorted(expected))}"[:300],
            fix="Give the dataset's `label_names` the same names, or the model `labels`.",
        )
