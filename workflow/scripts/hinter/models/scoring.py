"""A prompted language model that scores the labels as continuations of a few-shot prompt."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel

from ..errors import InputError
from .batching import near_tie, reported_if_failing
from .digests import digest_of_local
from .hardware import Precisions
from .labelled import Scores, check_numbers, close_rows, labelled_response, log_odds, read_labelled
from .loading import load_causal
from .model import ParsedAnswer, Window
from .prompting import Prompting
from .token_scores import TokenScores

NOISE = 5e-5
"""Far above the noise of batching in log-odds, about 1e-5 in single precision."""


class ScoringModel:
    """A causal language model, a prompt, and the offset that is subtracted from each label's score.

    A label's score is the log-probability of its first token after the prompt minus its offset:
    contextual calibration (Zhao et al. 2021), which removes the preference of the prompt alone.
    If the `sheet` keeps scores, responses have the log-odds of labels by these, and all texts are
    computed at least in single precision. Raises `InputError` for labels with the same first token.
    """

    def __init__(
        self,
        folder: Path,
        *,
        sheet: Mapping[str, Any],
        prompting: Prompting,
        offsets: Mapping[str, float],
    ) -> None:
        self._folder, self._keeps_scores = folder, sheet["scores"]
        self._models = models = Precisions(load_causal, folder, sheet=sheet)
        self._dtype, self._screening = models.dtype, models.screening
        _check_head(models[self._dtype], folder=folder)
        self._prompting = prompting
        self._labels = sorted(prompting.prompt.labels)
        self._answer_ids = _first_tokens(self._labels, prompting=prompting)
        # The scores of labels before calibration, labels sorted, by precision.
        self._scores = cache(
            lambda precision: TokenScores(
                models[precision], tokens=self._answer_ids, batch_tokens=sheet["batch_tokens"]
            )
        )
        self._offsets = np.array([offsets.get(label, 0.0) for label in self._labels])
        self.fingerprint = digest_of_local(
            folder,
            module="scoring",
            device=models.device,
            dtype=sheet["dtype"],
            prompt=prompting.digest,
            offsets=dict(offsets),
            labels=self._labels,
            scores=sheet["scores"],
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the part of each text that the model is shown."""
        return self._prompting.windows(texts)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, a batch at a time."""
        yield from self._decided(self._prompting.rows(texts), dtype=self._screening)

    def read(self, response: str) -> ParsedAnswer:
        """Return the outcome in a response, and the labels' scores."""
        return read_labelled(response, labels=self._labels)

    def calibration_offsets(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> dict[str, float]:
        """Return each label's mean score over `texts`, rounded to 6 decimals.

        Zhao et al. (2021) estimate the offsets on content-free inputs. Texts of the task, without
        their labels, also show which labels the prompt favours in its domain. The texts are always
        computed in the same batches, so the offsets do not depend on settings. `advance` is called
        with the number of scored texts.
        """
        scores = np.zeros((len(texts), len(self._labels)))
        for positions, found in self._scores(self._dtype).alike(self._prompting.rows(texts)):
            scores[positions] = found
            advance(len(positions))
        pairs = zip(self._labels, scores.mean(axis=0), strict=True)
        return {label: round(float(mean), 6) for label, mean in pairs}

    def _decided(
        self, prompts: Sequence[Sequence[int]], *, dtype: torch.dtype
    ) -> Iterator[list[tuple[int, str]]]:
        """Yield the responses that are clear in `dtype`, then others from higher precision."""
        close: list[int] = []
        noise = NOISE if self._keeps_scores else None
        for positions, scores in self._scores(dtype).of(prompts):
            again: list[int] = []
            calibrated = scores - self._offsets
            if dtype == torch.float64:
                check_numbers(scores, folder=self._folder)
            else:
                again = close_rows(calibrated, margin=near_tie(dtype), noise=noise)
            close += [positions[row] for row in again]
            clear = np.delete(np.arange(len(positions)), again).tolist()
            yield [(positions[row], self._response(calibrated[row])) for row in clear]
        if close:
            higher = self._dtype if dtype != self._dtype else torch.float64
            rows = [prompts[row] for row in close]
            for part in self._again(rows, dtype=dtype, higher=higher):
                yield [(close[row], response) for row, response in part]

    def _again(
        self, prompts: Sequence[Sequence[int]], *, dtype: torch.dtype, higher: torch.dtype
    ) -> Iterator[list[tuple[int, str]]]:
        """Yield responses in higher precision or, if the model has none, one by one in this one."""
        try:
            self._scores(higher)
        except InputError:
            for row, prompt in enumerate(prompts):
                calibrated = self._scores(dtype).alone(prompt) - self._offsets
                check_numbers(calibrated, folder=self._folder)
                yield [(row, self._response(calibrated[0]))]
        else:
            yield from self._decided(prompts, dtype=higher)

    def _response(self, calibrated: Scores) -> str:
        odds = log_odds(calibrated[None])[0] if self._keeps_scores else None
        return labelled_response([self._labels[int(calibrated.argmax())]], odds)


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
    """Raise `InputError` for a model that transforms the logits of its last layer, or fails."""
    ids = torch.tensor([[1, 2, 3]], device=model.device)
    with reported_if_failing(model):
        whole = model(ids).logits[0, -1].double()
        ours = model.get_output_embeddings()(model.base_model(ids)[0][0, -1]).double()
    if not torch.allclose(whole, ours, rtol=1e-2, atol=1e-2):
        raise InputError(
            where=str(folder),
            found="a model that transforms its logits",
            expected="logits as its last layer gives them, for `answers: scored`",
            fix="Let it answer in words: `answers: generated`.",
        )
