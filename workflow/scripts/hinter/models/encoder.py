"""An encoder with a classification head."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from ..errors import InputError
from .batching import HIGHER, Batch, batches_by_length, near_tie
from .fingerprints import digest_of_local
from .hardware import DTYPES, find_device, screening_dtype
from .loading import load_encoder, load_tokenizer
from .model import Reading, Status, Window
from .precisions import Precisions
from .windows import check_window, token_windows


class Encoder:
    """A sequence classifier in a folder as `save_pretrained` writes it.

    Its outcome is the label with the largest logit or, if a text may have several (`multi_label`),
    every label with a logit of at least 0. Raises `InputError` if its labels are not `labels`, and
    for more tokens than it can read.
    """

    def __init__(
        self,
        folder: Path,
        *,
        labels: Sequence[str],
        multi_label: bool,
        max_tokens: int,
        batch_tokens: int,
        threads: int,
        device: str = "cpu",
        dtype: str = "float32",
    ) -> None:
        torch.set_num_threads(threads)
        self._device, self._dtype = find_device(device), DTYPES[dtype]
        self._screening = screening_dtype(self._device, self._dtype)
        self._tokenizer = load_tokenizer(folder)
        model = load_encoder(folder, dtype=self._dtype).to(self._device)
        self._models = Precisions(model)
        self._names: dict[int, str] = model.config.id2label
        _check_labels(list(self._names.values()), expected=labels, folder=folder)
        check_window(max_tokens, tokenizer=self._tokenizer, config=model.config, folder=folder)
        self._multi_label = multi_label
        self._max_tokens = max_tokens
        self._batch_tokens = batch_tokens
        self.fingerprint = digest_of_local(
            folder,
            module="encoder",
            device=self._device,
            dtype=dtype,
            max_tokens=max_tokens,
            multi_label=multi_label,
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the encoder sees of each text."""
        return token_windows(texts, tokenizer=self._tokenizer, max_tokens=self._max_tokens)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, JSON list of labels) of every text, a batch at a time."""
        encoded = self._tokenizer(list(texts), truncation=True, max_length=self._max_tokens)
        for batch in batches_by_length(
            encoded["input_ids"], batch_tokens=self._batch_tokens, device=self._device
        ):
            decided = self._decided(batch, self._screening)
            labels = [json.dumps(self._outcome(row)) for row in decided]
            yield list(zip(batch.positions, labels, strict=True))

    def read(self, response: str) -> Reading:
        """Return the outcome in a response."""
        return Reading(Status.OK, tuple(json.loads(response)))

    @torch.inference_mode()
    def _decided(self, batch: Batch, dtype: torch.dtype) -> torch.Tensor:
        """Return logits, shape (rows, labels); those of near ties are in higher precision."""
        logits = self._models[dtype](input_ids=batch.ids, attention_mask=batch.mask()).logits
        logits = logits.double().cpu()
        close = self._near_ties(logits, margin=near_tie(dtype))
        if close and dtype in HIGHER:
            logits[close] = self._decided(batch.rows(close), HIGHER[dtype])
        return logits

    def _near_ties(self, logits: torch.Tensor, *, margin: float) -> list[int]:
        if self._multi_label:
            margins = logits.abs().min(dim=1).values
        else:
            first, second = logits.topk(2, dim=1).values.unbind(dim=1)
            margins = first - second
        rows: list[int] = torch.nonzero(margins < margin).flatten().tolist()
        return rows

    def _outcome(self, logits: torch.Tensor) -> list[str]:
        if self._multi_label:
            chosen = torch.nonzero(logits >= 0).flatten().tolist()
            return sorted(self._names[index] for index in chosen)
        return [self._names[int(logits.argmax())]]


def _check_labels(found: Sequence[str], *, expected: Sequence[str], folder: Path) -> None:
    if expected and set(found) != set(expected):
        raise InputError(
            where=f"{folder}/config.json, key 'id2label'",
            found=f"{len(found)} labels: {', '.join(sorted(found))}"[:300],
            expected=f"the dataset's {len(expected)}: {', '.join(sorted(expected))}"[:300],
            fix="Give the dataset's `label_names` the same names, or use another model.",
        )
