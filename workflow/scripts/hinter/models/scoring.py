"""A prompted language model that scores the labels as continuations of a few-shot prompt."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from transformers import DynamicCache, PreTrainedModel

from ..errors import InputError
from .batching import Batch, batches_by_length, near_tie
from .fingerprints import digest_of_local
from .hardware import DTYPES, find_device, screening_dtype
from .loading import load_causal
from .model import Reading, Status, Window
from .precisions import Precisions
from .prompting import Prompting
from .shared_prefix import SharedPrefix

Scores = npt.NDArray[np.float64]


class ScoringModel:
    """A causal language model, a prompt, and the offset taken from each label's score.

    A label's score is the log-probability of its first token after the prompt minus its offset:
    contextual calibration (Zhao et al. 2021), which removes what the prompt alone makes likely.
    Raises `InputError` for labels that begin with the same token.
    """

    def __init__(
        self,
        folder: Path,
        *,
        prompting: Prompting,
        labels: Sequence[str],
        offsets: Mapping[str, float],
        batch_tokens: int,
        device: str,
        dtype: str,
    ) -> None:
        self._device, self._dtype = find_device(device), DTYPES[dtype]
        self._screening = screening_dtype(self._device, self._dtype)
        model = load_causal(folder, dtype=self._dtype).to(self._device)
        _check_head(model, folder=folder)
        self._models = Precisions(model)
        self._prefixes: dict[torch.dtype, SharedPrefix] = {}
        self._prompting = prompting
        self._labels = sorted(labels)
        self._answer_ids = _first_tokens(self._labels, prompting=prompting)
        self._offsets = np.array([offsets.get(label, 0.0) for label in self._labels])
        self._batch_tokens = batch_tokens
        self.fingerprint = digest_of_local(
            folder,
            module="scoring",
            device=self._device,
            dtype=dtype,
            prompt=prompting.digest,
            offsets=dict(offsets),
            labels=self._labels,
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the model is shown of each text."""
        return self._prompting.windows(texts)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, JSON list of the best label) of every text, a batch at a time."""
        yield from self._decided(self._prompting.rows(texts), dtype=self._screening)

    def read(self, response: str) -> Reading:
        """Return the outcome in a response."""
        return Reading(Status.OK, tuple(json.loads(response)))

    def calibration_offsets(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> dict[str, float]:
        """Return each label's mean score over `texts`, rounded to 6 decimals.

        Zhao et al. (2021) estimate the offsets on content-free inputs. Texts of the task, without
        their labels, also show what the prompt makes likely in its domain. Each text is scored
        alone, so that batches do not matter; `advance` is called with 1 after each.
        """
        scores = []
        for prompt in self._prompting.rows(texts):
            scores.append(self._score_alone(self._dtype, prompt))
            advance(1)
        pairs = zip(self._labels, np.mean(scores, axis=0), strict=True)
        return {label: round(float(mean), 6) for label, mean in pairs}

    def _decided(
        self, prompts: Sequence[Sequence[int]], *, dtype: torch.dtype
    ) -> Iterator[list[tuple[int, str]]]:
        """Yield the answers that are clear in `dtype`, then those decided in higher precision."""
        close: list[int] = []
        for positions, scores in self._scores(prompts, dtype=dtype):
            second, first = np.sort(scores - self._offsets, axis=1)[:, -2:].T
            clear = first - second >= near_tie(dtype)
            rows = zip(positions, scores, clear, strict=True)
            yield [(position, self._best(row)) for position, row, is_clear in rows if is_clear]
            close += [positions[row] for row in np.flatnonzero(~clear).tolist()]
        if dtype != self._dtype and close:
            again = [prompts[position] for position in close]
            for part in self._decided(again, dtype=self._dtype):
                yield [(close[row], answer) for row, answer in part]
        else:
            for position in close:
                alone = self._score_alone(torch.float64, prompts[position])
                yield [(position, self._best(alone))]

    def _best(self, scores: Scores) -> str:
        return json.dumps([self._labels[int((scores - self._offsets).argmax())]])

    def _scores(
        self, prompts: Sequence[Sequence[int]], *, dtype: torch.dtype
    ) -> Iterator[tuple[list[int], Scores]]:
        """Yield positions and scores before calibration, shape (rows, labels), labels sorted."""
        model = self._models[dtype]
        prefix = self._prefixes.setdefault(dtype, SharedPrefix(model))
        shared = prefix.find(prompts)
        for batch in batches_by_length(
            [prompt[shared:] for prompt in prompts],
            batch_tokens=self._batch_tokens,
            device=self._device,
            row_tokens=shared,
        ):
            past = prefix.past(rows=len(batch.positions))
            yield batch.positions, self._label_scores(model, batch, past=past)

    def _score_alone(self, dtype: torch.dtype, prompt: Sequence[int]) -> Scores:
        (batch,) = batches_by_length([prompt], batch_tokens=1, device=self._device)
        row: Scores = self._label_scores(self._models[dtype], batch, past=None)[0]
        return row

    @torch.inference_mode()
    def _label_scores(
        self, model: PreTrainedModel, batch: Batch, *, past: DynamicCache | None
    ) -> Scores:
        """Return log-probabilities, shape (rows, labels), after the last token of each row.

        Rows are padded on the right, so with causal attention the padding has no effect.
        """
        hidden = model.base_model(batch.ids, past_key_values=past, use_cache=past is not None)[0]
        last = hidden[torch.arange(len(hidden), device=hidden.device), batch.lengths - 1]
        log_probabilities = model.get_output_embeddings()(last).double().log_softmax(dim=-1)
        scores: Scores = log_probabilities[:, self._answer_ids].cpu().numpy()
        return scores


def _first_tokens(labels: Sequence[str], *, prompting: Prompting) -> list[int]:
    first = [prompting.first_token(label) for label in labels]
    if len(set(first)) < len(first):
        raise InputError(
            where="datasets sheet, key 'label_names'",
            found=f"labels that begin with the same token: {', '.join(labels)}"[:300],
            expected="labels that differ in their first token",
            fix="Choose other names, or let the model answer in words (`answers: generated`).",
        )
    return first


@torch.inference_mode()
def _check_head(model: PreTrainedModel, *, folder: Path) -> None:
    """Raise `InputError` for a model that transforms the logits of its last layer."""
    ids = torch.tensor([[1, 2, 3]], device=model.device)
    whole = model(ids).logits[0, -1].double()
    ours = model.get_output_embeddings()(model.base_model(ids)[0][0, -1]).double()
    if not torch.allclose(whole, ours, rtol=1e-2, atol=1e-2):
        raise InputError(
            where=str(folder),
            found="a model that transforms its logits",
            expected="logits as its last layer gives them, for `answers: scored`",
            fix="Let it answer in words: `answers: generated`.",
        )
