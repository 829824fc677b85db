"""A prompted language model that answers in words.

A response is JSON: {"answer": ..., "finish": ...}, where `finish` tells whether the answer ended
(`stop`) or used up its tokens (`length`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import torch
from transformers import (
    DynamicCache,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedTokenizerBase,
)

from .batching import Batch, batches_by_length, near_tie
from .fingerprints import digest_of_local
from .hardware import DTYPES, find_device
from .labelled import check_numbers
from .loading import load_causal
from .memory import size_batches, within_memory
from .model import CUT, Reader, Reading, Window
from .onednn import run_by_onednn
from .prompting import Prompting
from .shared_prefix import SharedPrefix, begin

STEP_TOKENS = 24
"""A step of an answer takes about as long as so many tokens of prompts, on a CPU."""


class GeneratingModel:
    """A causal language model and a prompt; each next token is the likeliest (temperature 0).

    What all prompts share is computed once, as is what mutants of one original may share, and
    prompts are answered in batches. An answer with a
    close decision is made again alone, so that its batch does not matter.
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
        self._tokenizer, self._prompting, self._reader = tokenizer, prompting, reader
        self._answer_tokens = max_answer_tokens
        self._folder = folder
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
        prompts = self._prompting.rows(texts)
        shared = self._prefix.find(prompts)
        rows = [prompt[shared:] for prompt in prompts]
        families, alone = self._prefix.families(rows)
        for family in families:
            if family.saved() > STEP_TOKENS * self._answer_tokens:
                kept = {position: shared + tokens for position, tokens in family.shared(rows)}
                past = self._past_of(rows[family.trunk])
                yield from self._of_rows(prompts, kept=kept, past=past)
            else:
                alone += family.positions()
        kept = dict.fromkeys(alone, shared)
        yield from self._of_rows(prompts, kept=kept, past=self._prefix.past(rows=1))

    def _of_rows(
        self,
        prompts: Sequence[Sequence[int]],
        *,
        kept: Mapping[int, int],
        past: DynamicCache | None,
    ) -> Iterator[list[tuple[int, str]]]:
        """Yield the responses to the prompts at the positions in `kept`.

        Of each prompt, so many tokens are `kept`: they are in the `past` of one row.
        """
        positions = list(kept)
        rests = [prompts[position][kept[position] :] for position in positions]
        before = past.get_seq_length() if past else 0
        for batch in batches_by_length(
            rests,
            size=self._batch_size,
            device=self._device,
            row_tokens=before + self._answer_tokens,
        ):
            batch = batch._replace(positions=[positions[row] for row in batch.positions])
            answer = partial(self._answered, prompts=prompts, kept=kept, past=past)
            for part, answers in within_memory(batch, answer, size=self._batch_size):
                yield list(zip(part.positions, answers, strict=True))

    @torch.inference_mode()
    def _past_of(self, row: Sequence[int]) -> DynamicCache:
        """Return the keys and values of what all prompts share and of the row that follows it."""
        past = self._prefix.past(rows=1) or DynamicCache()
        ids = torch.tensor([row], device=self._device)
        self._model.base_model(ids, past_key_values=past, use_cache=True)
        return past

    def read(self, response: str) -> Reading:
        """Return what a response means."""
        document = json.loads(response)
        return self._reader.read(document["answer"], cut=document["finish"] == CUT)

    def _answered(
        self,
        batch: Batch,
        *,
        prompts: Sequence[Sequence[int]],
        kept: Mapping[int, int],
        past: DynamicCache | None,
    ) -> list[str]:
        """Return the responses to the prompts of a batch, close ones made again alone."""
        rows = [prompts[position] for position in batch.positions]
        answers: list[str]
        known = [kept[position] for position in batch.positions]
        answers, close = self._generate(rows, kept=known, past=past)
        for row in close:
            answers[row] = self._generate([rows[row]], kept=[0], past=None)[0][0]
        return answers

    @torch.inference_mode()
    def _generate(
        self,
        prompts: Sequence[Sequence[int]],
        *,
        kept: Sequence[int],
        past: DynamicCache | None,
    ) -> tuple[list[str], list[int]]:
        """Return the responses, and the rows in which a decision was close.

        Rows are padded between the tokens that are `kept` of the past and those that follow.
        """
        before = past.get_seq_length() if past else 0
        rests = [len(prompt) - known for prompt, known in zip(prompts, kept, strict=True)]
        longest = before + max(rests)
        fill = self._tokenizer.pad_token_id or 0
        ids = torch.full((len(prompts), longest), fill)
        mask = torch.zeros(len(prompts), longest, dtype=torch.long)
        for row, (prompt, known, rest) in enumerate(zip(prompts, kept, rests, strict=True)):
            columns = torch.cat([torch.arange(known), torch.arange(longest - rest, longest)])
            ids[row, columns], mask[row, columns] = torch.tensor(prompt), 1
        margins = _Margins()
        found = self._model.generate(
            ids.to(self._device),
            attention_mask=mask.to(self._device),
            past_key_values=past and begin(past, tokens=before, rows=len(prompts)),
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
