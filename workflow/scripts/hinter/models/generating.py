"""A prompted language model that answers in words.

A response is JSON: {"answer": ..., "finish": ...}, where `finish` says whether the answer ended
(`stop`) or used up its tokens (`length`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import DynamicCache, LogitsProcessor, LogitsProcessorList

from .answers import reporting
from .batching import Batch, Probe, batches_by_length, near_tie, size_batches, within_memory
from .digests import digest_of_local
from .hardware import DTYPES, find_device, run_by_onednn
from .labelled import Scores, check_numbers
from .loading import end_tokens, load_causal
from .model import CUT, ParsedAnswer, ResponseParser, Window
from .prefix_tree import CHECKED, CHUNK_TOKENS, Past, SharedPrefix, pasts_of, runs_as_tree, stacked
from .prompting import Prompting


class GeneratingModel:
    """A causal language model and a prompt; each next token is the likeliest (temperature 0).

    Common beginnings of prompts are computed once: on a CPU those of some prompts, such as the
    mutants of one original, and on other devices the one of all prompts. Prompts are answered in
    batches. An answer with a close decision is made again by itself, so its batch does not matter.
    The `sheet` says how it is run.
    """

    def __init__(
        self,
        folder: Path,
        *,
        sheet: Mapping[str, Any],
        prompting: Prompting,
        parser: ResponseParser,
    ) -> None:
        self._device, self._dtype = find_device(sheet["device"]), DTYPES[sheet["dtype"]]
        self._model = run_by_onednn(load_causal(folder, dtype=self._dtype).to(self._device))
        config = self._model.config
        tokenizer = self._tokenizer = prompting.tokenizer
        self._ends = end_tokens(folder, config=config, tokenizer=tokenizer)
        self._model.generation_config.eos_token_id = self._ends or None
        self._prefix = SharedPrefix(self._model)
        self._on_tree = runs_as_tree(self._model)
        self._prompting, self._parser = prompting, parser
        self._answer_tokens = prompting.prompt.max_answer_tokens
        # A padding token may have been added to a tokenizer without an embedding.
        pad, known = tokenizer.pad_token_id, config.get_text_config().vocab_size
        self._fill = pad if pad in range(known) else 0
        self._lengths = {"max_new_tokens": self._answer_tokens}
        self._folder = folder
        # If the template begins a thought, the answer continues it.
        self._begun = "<think>" if prompting.opens_thought() else ""
        self._batch_size = size_batches(sheet["batch_tokens"], model=self._model)
        self._settle()
        self.fingerprint = digest_of_local(
            folder,
            module="generating",
            device=self._device,
            dtype=sheet["dtype"],
            prompt=prompting.digest,
            max_answer_tokens=self._answer_tokens,
        )

    def _settle(self) -> None:
        """Disable shared beginnings, then batches, until a prompt gives the same as by itself."""
        probe = Probe(
            self._model, lambda: np.concatenate([self._margins([row]) for row in CHECKED])
        )
        if self._on_tree and probe.agrees(self._by_tree):
            return
        self._on_tree = False
        if not probe.agrees(self._together):
            self._prefix.is_used = False
            probe.settle(self._together, size=self._batch_size)

    def _by_tree(self) -> Scores:
        begun = [prompt[:-1] for prompt in CHECKED]
        pasts = sorted(pasts_of(self._model, begun, size=CHUNK_TOKENS), key=itemgetter(0))
        return self._margins(CHECKED, past=_stacked([past.kept for past in pasts]))

    def _together(self) -> Scores:
        self._prefix.find(CHECKED)
        return self._margins(CHECKED, past=self._past(CHECKED))

    def _margins(
        self, prompts: Sequence[Sequence[int]], *, past: DynamicCache | None = None
    ) -> Scores:
        """Return the margins of the likeliest tokens at two steps after prompts."""
        _, ahead = self._generate(prompts, past=past, max_new_tokens=2, min_new_tokens=2)
        return ahead.numpy()

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the part of each text that the model is shown."""
        return self._prompting.windows(texts)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, a batch at a time."""
        return reporting(self._answers(texts), location=str(self._folder), begun=self._begun)

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
        """Yield the keys and values of prompts that are answered together."""
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
        answered = partial(self._of_batch, prompts=prompts)
        for batch in batches_by_length(
            [prompt[shared:] for prompt in prompts],
            size=self._batch_size,
            device=self._device,
            row_tokens=shared + self._answer_tokens,
        ):
            for part, answers in within_memory(batch, answered, size=self._batch_size):
                yield list(zip(part.positions, answers, strict=True))

    def _of_batch(self, batch: Batch, *, prompts: Sequence[Sequence[int]]) -> list[str]:
        rows = [prompts[position] for position in batch.positions]
        return self._answered(rows, past=self._past(rows))

    def _past(self, rows: Sequence[Sequence[int]]) -> DynamicCache | None:
        longest = max(map(len, rows))
        return self._prefix.past(padding=[longest - len(row) for row in rows])

    def read(self, response: str) -> ParsedAnswer:
        """Return the meaning of a response."""
        document = json.loads(response)
        answer = self._begun + document["answer"]
        return self._parser.read(answer, cut=document["finish"] == CUT)

    def _answered(self, rows: Sequence[Sequence[int]], *, past: DynamicCache | None) -> list[str]:
        """Return the responses to the prompts of a batch; close ones are made again one by one."""
        answers: list[str]
        answers, close = self._close(*self._generate(rows, past=past, **self._lengths))
        for row in close:
            alone = self._generate([rows[row]], past=None, **self._lengths)
            answers[row] = self._close(*alone)[0][0]
        return answers

    @torch.inference_mode()
    def _generate(
        self, prompts: Sequence[Sequence[int]], *, past: DynamicCache | None, **lengths: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the tokens of answers and the margin of each, shape (rows, steps).

        Rows are padded on the left, in the past as well.
        """
        longest = max(map(len, prompts))
        ids = torch.full((len(prompts), longest), self._fill)
        mask = torch.zeros(len(prompts), longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            mask[row, longest - len(prompt) :] = 1
        margins = _Margins()
        found = self._model.generate(
            ids.to(self._device),
            attention_mask=mask.to(self._device),
            past_key_values=past,
            **lengths,
            pad_token_id=self._fill,
            logits_processor=LogitsProcessorList([margins]),
        )[:, longest:].cpu()
        return found, margins.stacked()

    def _close(self, found: torch.Tensor, ahead: torch.Tensor) -> tuple[list[str], list[int]]:
        """Return the responses, and the rows in which a decision was close."""
        ended = torch.isin(found, torch.tensor(self._ends, dtype=torch.long))
        ends = ended.cumsum(dim=1)
        # Control tokens are kept: they may enclose a thought.
        answers = [
            self._tokenizer.decode(row[kept]) for row, kept in zip(found, ends == 0, strict=True)
        ]
        responses = map(_response, answers, ended.any(dim=1).tolist())
        check_numbers(ahead.numpy(), folder=self._folder)
        # The first end token is still a decision.
        close = (ahead < near_tie(self._dtype)) & (ends - ended.long() == 0)
        return list(responses), torch.nonzero(close.any(dim=1)).flatten().tolist()


def _stacked(pasts: Sequence[DynamicCache]) -> DynamicCache:
    longest = max(past.get_seq_length() for past in pasts)
    padding = [longest - past.get_seq_length() for past in pasts]
    return stacked(pasts, padding=padding, columns=longest)


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
