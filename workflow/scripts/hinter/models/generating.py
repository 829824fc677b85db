"""A prompted language model that answers in words.

A response is JSON: {"answer": ..., "finish": ...}, where `finish` tells whether the answer ended
(`stop`) or used up its tokens (`length`).
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import torch
from torch.nn.functional import pad
from transformers import (
    DynamicCache,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedTokenizerBase,
)

from .answers import telling
from .batching import Batch, batches_by_length, near_tie, size_batches, within_memory
from .hardware import DTYPES, find_device
from .labelled import check_numbers
from .loading import digest_of_local, load_causal
from .model import CUT, Reader, Reading, Window
from .onednn import run_by_onednn
from .prefix_tree import CHUNK_TOKENS, Past, SharedPrefix, pasts_of, runs_as_tree
from .prompting import Prompting


class GeneratingModel:
    """A causal language model and a prompt; each next token is the likeliest (temperature 0).

    What prompts begin with is computed once: on a CPU, what some of them share, such as the mutants
    of one original, and elsewhere what all of them share. Prompts are answered in batches. An
    answer with a close decision is made again alone, so that its batch does not matter.
    """

    def __init__(
        self,
        folder: Path,
        *,
        tokenizer: PreTrainedTokenizerBase,
        prompting: Prompting,
        reader: Reader,
        max_answer_tokens: int,
        batch_tokens: int,
        device: str,
        dtype: str,
    ) -> None:
        self._device, self._dtype = find_device(device), DTYPES[dtype]
        self._model = run_by_onednn(load_causal(folder, dtype=self._dtype).to(self._device))
        # A model's own settings may ask for sampling.
        self._model.generation_config.update(
            do_sample=False, temperature=None, top_p=None, top_k=None
        )
        self._prefix = SharedPrefix(self._model)
        self._on_tree = runs_as_tree(self._model)
        self._tokenizer, self._prompting, self._reader = tokenizer, prompting, reader
        self._answer_tokens = max_answer_tokens
        self._folder = folder
        # Where the template begins a thought, the answer goes on with it.
        self._begun = "<think>" if prompting.opens_thought() else ""
        self._batch_size = size_batches(batch_tokens, model=self._model)
        self.fingerprint = digest_of_local(
            folder,
            module="generating",
            device=self._device,
            dtype=dtype,
            prompt=prompting.digest,
            max_answer_tokens=max_answer_tokens,
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the model is shown of each text."""
        return self._prompting.windows(texts)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, a batch at a time."""
        return telling(self._answers(texts), place=str(self._folder), begun=self._begun)

    def _answers(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        prompts = self._prompting.rows(texts)
        if self._on_tree and min(map(len, prompts)) > 1:
            yield from self._by_chunks(prompts)
        else:
            yield from self._by_length(prompts)

    def _by_chunks(self, prompts: Sequence[Sequence[int]]) -> Iterator[list[tuple[int, str]]]:
        begun = [prompt[:-1] for prompt in prompts]
        size = min(CHUNK_TOKENS, self._batch_size.tokens)
        for batch in self._batched(pasts_of(self._model, begun, size=size)):
            positions, kept = zip(*batch, strict=True)
            rows = [prompts[position] for position in positions]
            yield list(zip(positions, self._answered(rows, past=_stacked(kept)), strict=True))

    def _batched(self, pasts: Iterator[Past]) -> Iterator[list[Past]]:
        """Yield keys and values of as many prompts as are answered together."""
        batch: list[Past] = []
        longest = 0
        for past in pasts:
            longest = max(longest, past.kept.get_seq_length() + self._answer_tokens)
            if batch and (len(batch) + 1) * longest > self._batch_size.tokens:
                yield batch
                batch, longest = [], past.kept.get_seq_length() + self._answer_tokens
            batch.append(past)
        yield batch

    def _by_length(self, prompts: Sequence[Sequence[int]]) -> Iterator[list[tuple[int, str]]]:
        shared = self._prefix.find(prompts)
        answered = partial(self._of_batch, prompts=prompts, shared=shared)
        for batch in batches_by_length(
            [prompt[shared:] for prompt in prompts],
            size=self._batch_size,
            device=self._device,
            row_tokens=shared + self._answer_tokens,
        ):
            for part, answers in within_memory(batch, answered, size=self._batch_size):
                yield list(zip(part.positions, answers, strict=True))

    def _of_batch(
        self, batch: Batch, *, prompts: Sequence[Sequence[int]], shared: int
    ) -> list[str]:
        rows = [prompts[position] for position in batch.positions]
        return self._answered(rows, past=self._prefix.past(rows=len(rows)), shared=shared)

    def read(self, response: str) -> Reading:
        """Return what a response means."""
        document = json.loads(response)
        answer = self._begun + document["answer"]
        return self._reader.read(answer, cut=document["finish"] == CUT)

    def _answered(
        self, rows: Sequence[Sequence[int]], *, past: DynamicCache | None, shared: int = 0
    ) -> list[str]:
        """Return the responses to the prompts of a batch, close ones made again alone."""
        answers: list[str]
        answers, close = self._generate(rows, past=past, shared=shared)
        for row in close:
            answers[row] = self._generate([rows[row]], past=None, shared=0)[0][0]
        return answers

    @torch.inference_mode()
    def _generate(
        self, prompts: Sequence[Sequence[int]], *, past: DynamicCache | None, shared: int
    ) -> tuple[list[str], list[int]]:
        """Return the responses, and the rows in which a decision was close.

        Rows are padded on the left, but for the tokens of the past that all of them share.
        """
        longest = max(map(len, prompts))
        fill = self._tokenizer.pad_token_id or 0
        ids = torch.full((len(prompts), longest), fill)
        mask = torch.zeros(len(prompts), longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            own = torch.arange(longest - len(prompt) + shared, longest)
            columns = torch.cat([torch.arange(shared), own])
            ids[row, columns], mask[row, columns] = torch.tensor(prompt), 1
        margins = _Margins()
        found = self._model.generate(
            ids.to(self._device),
            attention_mask=mask.to(self._device),
            past_key_values=past,
            max_new_tokens=self._answer_tokens,
            pad_token_id=fill,
            logits_processor=LogitsProcessorList([margins]),
        )[:, longest:].cpu()
        answers = self._tokenizer.batch_decode(found, skip_special_tokens=True)
        ended = torch.isin(found, self._end_tokens())
        responses = map(_response, answers, ended.any(dim=1).tolist())
        ahead = margins.stacked()
        check_numbers(ahead.numpy(), folder=self._folder)
        return list(responses), self._close_rows(ended, ahead)

    def _end_tokens(self) -> torch.Tensor:
        ends = self._model.generation_config.eos_token_id
        return torch.tensor(ends if isinstance(ends, list) else [ends])

    def _close_rows(self, ended: torch.Tensor, margins: torch.Tensor) -> list[int]:
        """Return the rows with a near tie before their answer ends; shapes are (rows, steps)."""
        after_end = ended.cumsum(dim=1) - ended.long() > 0
        close = (margins < near_tie(self._dtype)) & ~after_end
        rows: list[int] = torch.nonzero(close.any(dim=1)).flatten().tolist()
        return rows


def _stacked(pasts: Sequence[DynamicCache]) -> DynamicCache:
    """Return the keys and values of several rows as those of a batch, padded on the left."""
    longest = max(past.get_seq_length() for past in pasts)
    stacked = DynamicCache()
    for number, layers in enumerate(zip(*(past.layers for past in pasts), strict=True)):
        keys, values = (
            torch.cat([pad(of_row, (0, 0, longest - of_row.shape[2], 0)) for of_row in rows])
            for rows in zip(*((layer.keys, layer.values) for layer in layers), strict=True)
        )
        stacked.update(keys, values, number)
    return stacked


def _response(answer: str, ended: bool) -> str:
    document = {"answer": answer, "finish": "stop" if ended else CUT}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


class _Margins(LogitsProcessor):  # type: ignore[misc]
    """Records how far the likeliest token is ahead of the next one; changes nothing."""

    def __init__(self) -> None:
        self._steps: list[torch.Tensor] = []

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        first, second = scores.topk(2, dim=1).values.unbind(dim=1)
        self._steps.append((first - second).float().cpu())
        return scores

    def stacked(self) -> torch.Tensor:
        """Return the margins, shape (rows, steps)."""
        return torch.stack(self._steps, dim=1)
