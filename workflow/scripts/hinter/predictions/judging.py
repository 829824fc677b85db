"""Label answers in words: by a judge, which is a prompted model, or by a classifier."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import JudgePrompt
from ..job import progress_bar
from ..models import ParsedAnswer, Prices, Status, WholeTexts, Window
from ..responses import SuiteShard, source_metadata
from .inputs import check_whole, suite_inputs
from .opened import Opened, again_once_learnt
from .planning import JUDGED_ID, PLAN_SCHEMA, PaidModel, calls_row
from .prediction import PREDICTIONS_SCHEMA

JUDGED_SCHEMA = pa.schema(
    [
        *PREDICTIONS_SCHEMA,
        ("judgement", pa.string()),
        ("parsed_status", pa.string()),
        ("parsed_outcome", pa.list_(pa.string())),
    ]
)
"""The columns of predictions, with the judge's status and outcome, and three more: the judge's
words, and the status and outcome by exact parsing. These are null for answers without a judgement.
"""

TOKENS_OF_TOKEN = 2
"""How many tokens of the judge a plan assumes per token of another model."""


@again_once_learnt
def write_judged(
    judge: Opened, *, prompt: JudgePrompt, answers: Path, corpus: Path, suite: Path, path: Path
) -> None:
    """Write the predictions in `answers` with the labels of the judge (JUDGED_SCHEMA).

    The judge is asked about each answer in words. If the judge itself declines, or its reply cannot
    be parsed, the answer is `unparsed`. Scores are kept if they fit the judge's outcome. Judgements
    in the store are not requested again. Raises `InputError` if the judge does not see all of a
    prompt and its answer. The metadata of the file identify the judge.
    """
    rows = pq.read_table(answers).to_pylist()
    prompts = asked_prompts(corpus, suite)
    given = [row for row in rows if (row["answer"] or "").strip()]
    texts = [prompt.text(prompt=prompts[row["input_id"]], answer=row["answer"]) for row in given]
    windows = judge.asked.windows(texts) if texts else []
    for row, text, window in zip(given, texts, windows, strict=True):
        check_whole(text, window, where=f"answer to {row['input_id']}, for the judge")
    for row, parsed in zip(given, _ask(judge, texts, windows, label="judge"), strict=True):
        row |= _judged(row, parsed, refused=prompt.refused)
    schema = JUDGED_SCHEMA.with_metadata(source_metadata(judge.store.fingerprint))
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path, compression="zstd")


def _ask(
    opened: Opened, texts: Sequence[str], windows: Sequence[Window], *, label: str
) -> list[ParsedAnswer]:
    """Return the answers to texts; those that are the same to the model are asked about once."""
    keyed = [(window.digest, text) for window, text in zip(windows, texts, strict=True)]
    with progress_bar(total=len(texts), label=label, unit=" answers", note=opened.note) as bar:
        found = opened.ask_each(keyed, advance=bar.update)
    logging.info(
        "%d answers with words, %d of them different; %d asked, %d known",
        *(len(texts), len(dict(keyed)), opened.counts["asked"], opened.counts["known"]),
    )
    return found


def write_judge_plan(
    judge: PaidModel,
    *,
    prompt: JudgePrompt,
    corpus: Path,
    suite: Path,
    models: int,
    answer_tokens: int,
    prices: Prices | None,
    plan: Path,
) -> None:
    """Write a row (PLAN_SCHEMA) with the maximum of tokens for judging the answers of some models.

    As these are unknown yet, the plan assumes an answer of each of the `models` to every prompt of
    the `suite`, that all are different, and that none has been judged before. Each counts as the
    longest prompt with `answer_tokens`, and a token of these as `TOKENS_OF_TOKEN` of the judge's.
    """
    texts = [prompt.text(prompt=text, answer="") for text in asked_prompts(corpus, suite).values()]
    tokens = max(judge.input_tokens(texts)) + TOKENS_OF_TOKEN * answer_tokens
    row = calls_row(
        JUDGED_ID,
        models * len(texts),
        input_tokens=tokens,
        most_input_tokens=tokens,
        output_tokens=judge.max_answer_tokens,
        prices=prices,
    )
    pq.write_table(pa.Table.from_pylist([row], schema=PLAN_SCHEMA), plan, compression="zstd")


def asked_prompts(corpus: Path, suite: Path) -> dict[str, str]:
    """Return the texts of originals and mutants by id, given a suite whose mutants have texts."""
    return {
        item.input_id: item.text
        for block in SuiteShard(corpus=corpus, suite=suite).blocks()
        for part in suite_inputs(WholeTexts(), block)
        for item in part
    }


def _judged(row: dict[str, Any], parsed: ParsedAnswer, *, refused: str) -> dict[str, Any]:
    """Return the row of an answer with the parsed reply of the judge."""
    status, outcome = parsed.status, parsed.outcome
    if outcome == (refused,):
        status, outcome = Status.REFUSED, None
    elif status == Status.REFUSED:
        status = Status.UNPARSED
    same = (outcome and list(outcome)) == row["outcome"]
    return {
        "status": status.value,
        "outcome": outcome,
        "scores": row["scores"] if same else None,
        "judgement": parsed.answer,
        "parsed_status": row["status"],
        "parsed_outcome": row["outcome"],
    }


def write_ratings(rater: Opened, *, answers: Path, path: Path) -> None:
    """Write the rows in `answers` with the rater's outcome and scores of each answer.

    Both files are Parquet, with the columns of predictions or of repeats. Only answers with the
    status `ok` are rated. Others keep their status and have no outcome.
    """
    table = pq.read_table(answers)
    rows = table.to_pylist()
    given = [row for row in rows if row["status"] == Status.OK]
    texts = [row["answer"] for row in given]
    windows = rater.asked.windows(texts) if texts else []
    for row, parsed in zip(given, _ask(rater, texts, windows, label="rate"), strict=True):
        row |= {"outcome": parsed.outcome, "scores": parsed.scores}
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path, compression="zstd")
