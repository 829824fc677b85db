"""How likely some tokens are after prompts; what prompts share is computed once."""

from collections.abc import Iterator, Sequence
from functools import partial

import torch
from transformers import DynamicCache, PreTrainedModel

from .batching import Batch, as_batch, batches_by_length
from .families import Family
from .log_odds import Scores
from .memory import size_batches, within_memory
from .shared_prefix import SharedPrefix, begin

Scored = tuple[list[int], Scores]
"""Positions of prompts, and their scores, shape (prompts, tokens)."""


class TokenScores:
    """The log-probabilities that a model gives to `tokens` after a prompt.

    All prompts of a call share their beginning, the few-shot prompt, and the mutants of one
    original may share what comes before the first word that they replace.
    """

    def __init__(self, model: PreTrainedModel, *, tokens: Sequence[int], batch_tokens: int) -> None:
        self._model, self._tokens = model, list(tokens)
        self._batch_size = size_batches(batch_tokens, model=model)
        self._prefix = SharedPrefix(model)

    def of(self, prompts: Sequence[Sequence[int]]) -> Iterator[Scored]:
        """Yield the positions and scores of all prompts."""
        shared = self._prefix.find(prompts)
        rows = [prompt[shared:] for prompt in prompts]
        families, alone = self._prefix.families(rows)
        for family in families:
            yield from self._of_family(family, rows)
        yield from self._of_rows(alone, rows, past=self._prefix.past(rows=1), skipped=0)

    def each(self, prompts: Sequence[Sequence[int]]) -> Iterator[Scores]:
        """Yield the scores of each prompt, shape (tokens,), each computed in no batch with others.

        They share their beginning as well.
        """
        shared = self._prefix.find(prompts)
        for prompt in prompts:
            batch = as_batch([0], [prompt[shared:]], device=self._model.device)
            yield self._after(batch, past=self._prefix.past(rows=1))[0]

    def _of_family(self, family: Family, rows: Sequence[Sequence[int]]) -> Iterator[Scored]:
        past = self._prefix.past(rows=1) or DynamicCache()
        before = past.get_seq_length()
        batch = as_batch([family.trunk], rows, device=self._model.device)
        # Its keys and values are added to those that were there.
        yield [family.trunk], self._of_batch(batch, past=past)
        for branch in family.branches:
            begun = begin(past, tokens=before + branch.shared, rows=1)
            yield from self._of_rows(branch.positions, rows, past=begun, skipped=branch.shared)

    def _of_rows(
        self,
        positions: Sequence[int],
        rows: Sequence[Sequence[int]],
        *,
        past: DynamicCache | None,
        skipped: int,
    ) -> Iterator[Scored]:
        """Yield the scores of the rows at some positions, whose first tokens are in the `past`."""
        before = past.get_seq_length() if past else 0
        for batch in batches_by_length(
            [rows[position][skipped:] for position in positions],
            size=self._batch_size,
            device=self._model.device,
            row_tokens=before,
        ):
            compute = partial(self._after, past=past)
            for part, scores in within_memory(batch, compute, size=self._batch_size):
                yield [positions[row] for row in part.positions], scores

    def _after(self, batch: Batch, *, past: DynamicCache | None) -> Scores:
        """Return the scores of rows that all follow the same `past`, which is left as it is."""
        rows = len(batch.positions)
        begun = past and begin(past, tokens=past.get_seq_length(), rows=rows)
        scores: Scores = self._of_batch(batch, past=begun)
        return scores

    @torch.inference_mode()
    def _of_batch(self, batch: Batch, *, past: DynamicCache | None) -> Scores:
        """Return the scores after the last token of each row.

        Rows are padded on the right, so with causal attention the padding has no effect.
        """
        model = self._model
        hidden = model.base_model(batch.ids, past_key_values=past, use_cache=past is not None)[0]
        last = hidden[torch.arange(len(hidden), device=hidden.device), batch.lengths - 1]
        log_probabilities = model.get_output_embeddings()(last).double().log_softmax(dim=-1)
        scores: Scores = log_probabilities[:, self._tokens].cpu().numpy()
        return scores
