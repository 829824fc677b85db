"""A prompted language model that scores the labels as continuations of a few-shot prompt."""

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

from ..corpora import Prompt, Text, read_prompt, read_split
from ..errors import InputError
from .batching import NEAR_TIE, batches_by_length
from .windows import visible_lengths

Scores = npt.NDArray[np.float64]


class PromptedModel:
    """A causal language model, a prompt, and the offset taken from each label's score.

    A label's score is the log-probability of the first token of its answer after the prompt, less
    its offset: contextual calibration (Zhao et al. 2021), which takes away what the prompt alone
    makes likely. The part that all prompts share is computed once.
    """

    def __init__(
        self,
        folder: Path,
        *,
        prompt: Prompt,
        examples: Sequence[Text],
        offsets: Mapping[str, float] | None,
        max_tokens: int,
        batch_size: int,
        threads: int,
    ) -> None:
        torch.set_num_threads(threads)
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self._prompt = prompt
        self._shown = prompt.shown([(text.text, text.labels[0]) for text in examples])
        self._labels = sorted(prompt.answers)
        self._offsets = np.array([(offsets or {}).get(label, 0.0) for label in self._labels])
        self._answer_ids = self._first_tokens()
        self._max_tokens = max_tokens
        self._batch_size = batch_size

    def visible_lengths(self, texts: Sequence[str]) -> list[int]:
        """Return how many leading characters of each text the model sees."""
        return visible_lengths(texts, tokenizer=self._tokenizer, max_tokens=self._max_tokens)

    def outcomes(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> list[tuple[str, ...]]:
        """Return the best label of each text; `advance` is told the size of finished batches."""
        scores = self._scores(texts, advance=advance) - self._offsets
        second, first = np.sort(scores, axis=1)[:, -2:].T
        for position in np.flatnonzero(first - second < NEAR_TIE).tolist():
            scores[position] = self._score_alone(texts[position]) - self._offsets
        return [(self._labels[best],) for best in scores.argmax(axis=1)]

    def calibration_offsets(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> dict[str, float]:
        """Return each label's mean score over `texts`, rounded to 6 decimals.

        Zhao et al. (2021) estimate the offsets on content-free inputs. Texts of the task, without
        their labels, show as well what the prompt makes likely in its domain.
        """
        means = self._scores(texts, advance=advance).mean(axis=0)
        pairs = zip(self._labels, means, strict=True)
        return {label: round(float(mean), 6) for label, mean in pairs}

    def _scores(self, texts: Sequence[str], *, advance: Callable[[int], object]) -> Scores:
        """Return the scores before calibration, shape (texts, labels), labels sorted."""
        prompts = [self._token_ids(text) for text in texts]
        # Cut between tokens: tokenised alone, the shared text may end in another token.
        shared = min(_shared_length(prompts), min(map(len, prompts)) - 1)
        scores = np.zeros((len(texts), len(self._labels)))
        with torch.inference_mode():
            prefix = torch.tensor([prompts[0][:shared]])
            past = self._model.model(prefix, use_cache=True).past_key_values
            rests = [prompt[shared:] for prompt in prompts]
            for positions, ids, lengths in batches_by_length(rests, batch_size=self._batch_size):
                scores[positions] = self._label_scores(self._model, ids, lengths, past=past)
                advance(len(positions))
        return scores

    @cached_property
    def _double(self) -> torch.nn.Module:
        return copy.deepcopy(self._model).double()

    def _score_alone(self, text: str) -> Scores:
        ids = torch.tensor([self._token_ids(text)])
        with torch.inference_mode():
            scores = self._label_scores(self._double, ids, torch.tensor([ids.shape[1]]), past=None)
        row: Scores = scores[0]
        return row

    def _label_scores(
        self,
        model: torch.nn.Module,
        ids: torch.Tensor,
        lengths: torch.Tensor,
        *,
        past: DynamicCache | None,
    ) -> Scores:
        """Return log-probabilities, shape (batch, labels), after the last token of each row.

        Rows are padded on the right, so causal attention keeps the padding out of what is read.
        """
        if past is not None:
            past = copy.deepcopy(past)
            past.batch_repeat_interleave(len(ids))
        hidden = model.model(ids, past_key_values=past, use_cache=past is not None)[0]
        last = hidden[torch.arange(len(ids)), lengths - 1]
        log_probabilities = model.lm_head(last).log_softmax(dim=-1)
        scores: Scores = log_probabilities[:, self._answer_ids].double().numpy()
        return scores

    def _token_ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer(self._shown + self._prompt.asked(text))["input_ids"]
        return ids

    def _first_tokens(self) -> list[int]:
        answers = [self._prompt.answers[label] for label in self._labels]
        first = [self._tokenizer(answer)["input_ids"][0] for answer in answers]
        if len(set(first)) < len(first):
            raise InputError(
                where="prompt, key 'answers'",
                found=f"answers that begin with the same token: {answers}",
                expected="answers that differ in their first token",
                fix="Choose other words for the answers.",
            )
        return first


def _shared_length(rows: Sequence[Sequence[int]]) -> int:
    """Return how many leading elements all rows share."""
    columns = zip(*rows, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def open_prompted(
    folder: Path,
    *,
    corpus: Path,
    prompt: str,
    schema: str,
    sheet: Mapping[str, Any],
    offsets: Path | None = None,
) -> PromptedModel:
    """Return the model in `folder` with the prompt file and its examples from the corpus.

    `sheet` is the model's entry in the models sheet, `offsets` the JSON file of its calibration.
    """
    template = read_prompt(prompt, schema=schema)
    shown = {text.original_id: text for text in read_split(corpus, split="examples")}
    return PromptedModel(
        folder,
        prompt=template,
        examples=[shown[example] for example in template.examples],
        offsets=json.loads(offsets.read_text(encoding="utf-8")) if offsets else None,
        max_tokens=sheet["max_tokens"],
        batch_size=sheet["batch_size"],
        threads=sheet["threads"],
    )
