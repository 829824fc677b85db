"""The probabilities of some tokens after prompts; common beginnings are computed once."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from transformers import PreTrainedModel

from .batching import Batch, Probe, as_batch, batches_by_length, size_batches, within_memory
from .labelled import Scores
from .prefix_tree import CHECKED, CHUNK_TOKENS, SharedPrefix, runs_as_tree, states_after

Scored = tuple[list[int], Scores]
"""Positions of prompts, and their scores, shape (prompts, tokens)."""


class TokenScores:
    """The log-probabilities that a model gives to `tokens` after a prompt.

    Common beginnings of prompts are computed once: on a CPU those of some prompts, such as the
    mutants of one original, and on other devices that of all prompts, the few-shot prompt.
    """

    def __init__(self, model: PreTrainedModel, *, tokens: Sequence[int], batch_tokens: int) -> None:
        self._model, self._tokens = model, list(tokens)
        self._batch_size = size_batches(batch_tokens, model=model)
        self._prefix = SharedPrefix(model)
        self._on_tree = runs_as_tree(model)
        self._settle()

    def _settle(self) -> None:
        """Disable shared beginnings, then batches, until a prompt gives the same as by itself."""
        probe = Probe(self._model, lambda: np.concatenate([self.alone(row) for row in CHECKED]))
        if self._on_tree or probe.agrees(lambda: self._together(CHECKED)):
            return
        self._prefix.is_used = False
        probe.settle(lambda: self._together(CHECKED), size=self._batch_size)

    def _together(self, prompts: Sequence[Sequence[int]]) -> Scores:
        shared = self._prefix.find(prompts)
        rows = [prompt[shared:] for prompt in prompts]
        batch = as_batch(range(len(rows)), rows, device=self._model.device)
        return self._after(batch)

    @torch.inference_mode()
    def alone(self, prompt: Sequence[int]) -> Scores:
        """Return the scores after a prompt, shape (1, tokens), without a shared beginning."""
        row = torch.tensor([prompt], device=self._model.device)
        return self._read(self._model.base_model(row)[0][:, -1])

    def of(self, prompts: Sequence[Sequence[int]]) -> Iterator[Scored]:
        """Yield the positions and scores of all prompts."""
        if self._on_tree:
            yield from self._by_chunks(prompts, size=min(CHUNK_TOKENS, self._batch_size.tokens))
        else:
            yield from self._by_length(prompts)

    def alike(self, prompts: Sequence[Sequence[int]]) -> Iterator[Scored]:
        """Yield the same, computed in batches that depend only on the prompts."""
        if self._on_tree:
            yield from self._by_chunks(prompts, size=CHUNK_TOKENS)
        else:
            shared = self._prefix.find(prompts)
            for position, prompt in enumerate(prompts):
                batch = as_batch([0], [prompt[shared:]], device=self._model.device)
                yield [position], self._after(batch)

    def _by_chunks(self, prompts: Sequence[Sequence[int]], *, size: int) -> Iterator[Scored]:
        for positions, states in states_after(self._model, prompts, size=size):
            yield positions, self._read(states)

    def _by_length(self, prompts: Sequence[Sequence[int]]) -> Iterator[Scored]:
        shared = self._prefix.find(prompts)
        for batch in batches_by_length(
            [prompt[shared:] for prompt in prompts],
            size=self._batch_size,
            device=self._model.device,
            row_tokens=shared,
        ):
            for part, scores in within_memory(batch, self._after, size=self._batch_size):
                yield part.positions, scores

    @torch.inference_mode()
    def _after(self, batch: Batch) -> Scores:
        """Return the scores after the last token of each row, which follows the shared beginning.

        Rows are padded on the right, so with causal attention the padding has no effect.
        """
        past = self._prefix.past(padding=[0] * len(batch.positions))
        model = self._model
        states = model.base_model(batch.ids, past_key_values=past, use_cache=past is not None)[0]
        rows = torch.arange(len(states), device=states.device)
        return self._read(states[rows, batch.lengths - 1])

    @torch.inference_mode()
    def _read(self, states: torch.Tensor) -> Scores:
        log_probabilities = self._model.get_output_embeddings()(states).double().log_softmax(dim=-1)
        return log_probabilities[:, self._tokens].cpu().numpy()
