"""A prompted language model that scores the labels as continuations of a few-shot prompt."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from transformers import DynamicCache

from ..errors import InputError
from .batching import Batch, batches_by_length, near_tie
from .fingerprints import digest_of_local
from .hardware import DTYPES, find_device
from .loading import load_causal
from .model import Reading, Status, Window
from .prompting import Prompting
from .shared_prefix import SharedPrefix

Scores = npt.NDArray[np.float64]


class ScoringModel:
    """A causal language model, a prompt, and the offset taken from each label's score.

    A label's score is the log-probability of its first token after the prompt, less its offset:
    contextual calibration (Zhao et al. 2021), which takes away what the prompt alone makes likely.
    Raises `InputError` for labels that begin with the same token.
    """

    def __init__(
        self,
        folder: Path,
        *,
        prompting: Prompting,
        answers: Mapping[str, int],
        offsets: Mapping[str, float],
        batch_tokens: int,
        device: str,
        dtype: str,
    ) -> None:
        self._device, self._dtype = find_device(device), DTYPES[dtype]
        self._model = load_causal(folder, dtype=self._dtype).to(self._device)
        self._prefix = SharedPrefix(self._model)
        self._prompting = prompting
        self._labels = sorted(answers)
        self._answer_ids = [answers[label] for label in self._labels]
        self._offsets = np.array([offsets.get(label, 0.0) for label in self._labels])
        self._batch_tokens = batch_tokens
        self.fingerprint = digest_of_local(
            folder,
            module="scoring",
            device=self._device,
            dtype=dtype,
            prompt=prompting.digest,
            offsets=dict(offsets),
            answers=dict(answers),
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the model is shown of each text."""
        return self._prompting.windows(texts)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, JSON list of the best label) of every text, a batch at a time."""
        prompts = self._prompting.rows(texts)
        for positions, scores in self._scores(prompts):
            calibrated = scores - self._offsets
            second, first = np.sort(calibrated, axis=1)[:, -2:].T
            for row in np.flatnonzero(first - second < near_tie(self._dtype)).tolist():
                calibrated[row] = self._score_alone(prompts[positions[row]]) - self._offsets
            best = [json.dumps([self._labels[index]]) for index in calibrated.argmax(axis=1)]
            yield list(zip(positions, best, strict=True))

    def read(self, response: str) -> Reading:
        """Return the outcome in a response."""
        return Reading(Status.OK, tuple(json.loads(response)))

    def calibration_offsets(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> dict[str, float]:
        """Return each label's mean score over `texts`, rounded to 6 decimals.

        Zhao et al. (2021) estimate the offsets on content-free inputs. Texts of the task, without
        their labels, show as well what the prompt makes likely in its domain. `advance` is told the
        size of each finished batch.
        """
        rows = np.zeros((len(texts), len(self._labels)))
        for positions, scores in self._scores(self._prompting.rows(texts)):
            rows[positions] = scores
            advance(len(positions))
        pairs = zip(self._labels, rows.mean(axis=0), strict=True)
        return {label: round(float(mean), 6) for label, mean in pairs}

    def _scores(self, prompts: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], Scores]]:
        """Yield positions and scores before calibration, shape (rows, labels), labels sorted."""
        shared = self._prefix.find(prompts)
        for batch in batches_by_length(
            [prompt[shared:] for prompt in prompts],
            batch_tokens=self._batch_tokens,
            device=self._device,
        ):
            past = self._prefix.past(rows=len(batch.positions))
            yield batch.positions, self._label_scores(self._model, batch, past=past)

    @cached_property
    def _double(self) -> torch.nn.Module:
        return copy.deepcopy(self._model).double()

    def _score_alone(self, prompt: Sequence[int]) -> Scores:
        (batch,) = batches_by_length([prompt], batch_tokens=1, device=self._device)
        row: Scores = self._label_scores(self._double, batch, past=None)[0]
        return row

    @torch.inference_mode()
    def _label_scores(
        self, model: torch.nn.Module, batch: Batch, *, past: DynamicCache | None
    ) -> Scores:
        """Return log-probabilities, shape (rows, labels), after the last token of each row.

        Rows are padded on the right, so causal attention keeps the padding out of what is read.
        """
        hidden = model.model(batch.ids, past_key_values=past, use_cache=past is not None)[0]
        last = hidden[torch.arange(len(hidden), device=hidden.device), batch.lengths - 1]
        log_probabilities = model.lm_head(last).double().log_softmax(dim=-1)
        scores: Scores = log_probabilities[:, self._answer_ids].cpu().numpy()
        return scores


def first_tokens(labels: Sequence[str], *, encode: Callable[[str], list[int]]) -> dict[str, int]:
    """Return the first token of each label after a space.

    Raises `InputError` where two labels begin with the same token.
    """
    first = {label: encode(f" {label}")[0] for label in labels}
    if len(set(first.values())) < len(first):
        raise InputError(
            where="datasets sheet, key 'label_names'",
            found=f"labels that begin with the same token: {', '.join(labels)}"[:300],
            expected="labels that differ in their first token",
            fix="Choose other names, or let the model answer in words (`answers: generated`).",
        )
    return first
