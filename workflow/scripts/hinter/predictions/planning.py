"""Plan the cost of a run behind an endpoint, before the first paid call."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from ..database import open_database
from ..job import progress_bar
from ..limits import HeldOut
from ..models import Model, Prices
from ..responses import ResponseStore, SuiteShard
from .inputs import Input, suite_inputs
from .prediction import repeat_keys

PLAN_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("weight", pa.float64()),
        ("calls", pa.int64()),
        ("repeats", pa.int64()),
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("nano_dollars", pa.int64()),
        ("most_input_tokens", pa.int64()),
        ("most_nano_dollars", pa.int64()),
    ]
)

CASES_ID = "|cases"
"""The id of the row for calls about cases; no input has it."""
JUDGED_ID = "|judged"
"""The id of the row for calls of a judge; no input has it."""

EXACT_MUTANTS = 20_000
"""A suite with at most so many mutants is planned exactly."""
SAMPLED = 10_000
"""Sample size for each order, and for controls. It is smaller than `EXACT_MUTANTS`."""

# The rows with the smallest seeded hashes are a uniform sample that depends on no order of rows.
SAMPLE_QUERY = """
    SELECT unnest(arg_min(mutant_id, md5('{seed}:' || mutant_id), {size})) AS mutant_id,
        count(*) / least(count(*), {size}) AS weight
    FROM read_parquet('{suite}') WHERE valid OR {discarded}
    GROUP BY control, if(control, NULL, "order")
"""


class PaidModel(Model, Protocol):
    """A model that is paid by the token."""

    @property
    def max_answer_tokens(self) -> int:
        """The maximum number of tokens of an answer."""

    def input_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the maximum number of tokens of a request about each text."""

    def most_input_tokens(self, text_bytes: int) -> int:
        """Return the maximum number of tokens of a request about a text of so many bytes."""


def write_plan(
    model: PaidModel,
    *,
    corpus: Path,
    suite: Path,
    held_out: HeldOut,
    discarded: bool,
    store: ResponseStore,
    repeats: int,
    case_answers: int,
    prices: Prices | None,
    seed: int,
    plan: Path,
) -> None:
    """Write a row (PLAN_SCHEMA) for each input with calls that the store cannot answer.

    Tokens and dollars are the maximum for its calls; dollars are null without prices. Of inputs
    that are the same to the model, only the first counts. Each original of the suite is asked about
    `repeats` times; all its calls except the first are its repeats. Without `discarded`, discarded
    mutants are not asked about.

    If a suite has too many mutants to count their tokens, some are sampled by the `seed`. The
    `weight` of a row is the number of inputs that it stands for, and sampled mutants have a row
    even without calls. As equal inputs are not found in a sample, each counts by itself, so the
    plan may be too high. `most_input_tokens` and `most_nano_dollars` are the maximum for any input
    of the dataset: by the window and the longest text, as mutants may be twice as long.

    The last row, `CASES_ID`, has the calls about cases, which are unknown before all others are
    answered: `case_answers`, each with the tokens of the longest planned input or, if mutants were
    sampled, with the maximum for any input. It is left out if no other call is planned.
    """
    with TemporaryDirectory() as scratch:
        sample = Path(scratch, "sample.parquet")
        weights = sample_mutants(suite, sample, discarded=discarded, seed=seed)
        inputs = SuiteShard(
            corpus=corpus,
            suite=suite,
            held_out=held_out,
            discarded=discarded,
            sample=sample if weights else None,
        )
        query = f"SELECT max(strlen(text)) FROM read_parquet('{corpus}')"
        ((longest,),) = open_database().execute(query).fetchall()
        most_tokens = model.most_input_tokens(2 * longest)
        planning = _Planning(model, store, prices, most_tokens, weights)
        with (
            pq.ParquetWriter(plan, PLAN_SCHEMA, compression="zstd") as writer,
            progress_bar(total=len(inputs), label="plan", unit=" texts") as bar,
        ):
            for block in inputs.blocks():
                times = dict.fromkeys(block.mutated, repeats)
                for part in suite_inputs(model, block):
                    rows = planning.rows(part, times=times)
                    writer.write_table(pa.Table.from_pylist(rows, schema=PLAN_SCHEMA))
                    bar.update(len(part))
            rows = planning.cases(case_answers)
            writer.write_table(pa.Table.from_pylist(rows, schema=PLAN_SCHEMA))


def sample_mutants(suite: Path, sample: Path, *, discarded: bool, seed: int) -> dict[str, float]:
    """Sample mutants of a suite, write their rows to the Parquet `sample` and return their weights.

    A weight is the number of mutants of the same order (or of controls) that one stands for, which
    is 1 if all were sampled. Without `discarded`, discarded mutants are left out. If the suite is
    small enough to be planned exactly, nothing is written and there are no weights.
    """
    connection = open_database()
    mutants = f"FROM read_parquet('{suite}') WHERE valid OR {discarded}"
    (count,) = connection.execute(f"SELECT count(*) {mutants}").fetchall()[0]
    if count <= EXACT_MUTANTS:
        return {}
    sampled = SAMPLE_QUERY.format(suite=suite, discarded=discarded, seed=seed, size=SAMPLED)
    connection.execute(
        f"""
        CREATE TABLE sampled AS {sampled};
        COPY (
            FROM read_parquet('{suite}') SEMI JOIN sampled USING (mutant_id)
            ORDER BY original_id, mutant_id
        ) TO '{sample}' (FORMAT parquet, COMPRESSION zstd)
        """
    )
    return dict(connection.execute("FROM sampled").fetchall())


@dataclass
class _Planning:
    """The inputs planned so far: what the model sees of them, and the tokens of the longest."""

    model: PaidModel
    store: ResponseStore
    prices: Prices | None
    most_tokens: int
    weights: Mapping[str, float]
    planned: set[str] = field(default_factory=set)
    longest: int = 0

    def rows(self, part: Sequence[Input], *, times: Mapping[str, int]) -> list[dict[str, Any]]:
        """Return the rows of some inputs; `times` says how often each is asked, if not once."""
        asked = list(self._new_calls(part, times=times))
        texts = [item.text for item, calls, _ in asked if calls]
        tokens = iter(self.model.input_tokens(texts))
        return [
            self._row(
                item.input_id, calls=calls, repeats=again, input_tokens=next(tokens) if calls else 0
            )
            for item, calls, again in asked
        ]

    def cases(self, answers: int) -> list[dict[str, Any]]:
        """Return the row of the calls about cases, if there are any."""
        if not (self.longest and answers):
            return []
        tokens = self.most_tokens if self.weights else self.longest
        return [self._row(CASES_ID, calls=answers, repeats=0, input_tokens=tokens)]

    def _new_calls(
        self, part: Sequence[Input], *, times: Mapping[str, int]
    ) -> Iterator[tuple[Input, int, int]]:
        """Yield the inputs with calls that are neither planned nor answered, and sampled inputs.

        Each comes with the number of these calls, and the number of repeats among them.
        """
        keys = [
            (item, repeat_keys(item.window.digest, repeats=times.get(item.input_id, 1)))
            for item in part
        ]
        known = self.store.get([key for _, several in keys for key in several]).keys()
        for item, several in keys:
            new = set() if item.identical else set(several) - known - self.planned
            sampled = self.weights.get(item.input_id, 1) > 1
            if not sampled:
                self.planned.update(new)
            if new or sampled:
                yield item, len(new), len(new & set(several[1:]))

    def _row(self, input_id: str, *, calls: int, repeats: int, input_tokens: int) -> dict[str, Any]:
        self.longest = max(self.longest, input_tokens)
        each = calls_row(
            input_id,
            calls,
            input_tokens=input_tokens,
            most_input_tokens=self.most_tokens,
            output_tokens=self.model.max_answer_tokens,
            prices=self.prices,
        )
        return each | {"weight": self.weights.get(input_id, 1.0), "repeats": repeats}


def calls_row(
    input_id: str,
    calls: int,
    *,
    input_tokens: int,
    most_input_tokens: int,
    output_tokens: int,
    prices: Prices | None,
) -> dict[str, Any]:
    """Return the row (PLAN_SCHEMA) of calls about an input with at most so many tokens each."""
    price, most = (
        prices and prices.cost(input_tokens=tokens, output_tokens=output_tokens)
        for tokens in (input_tokens, most_input_tokens)
    )
    return {
        "input_id": input_id,
        "weight": 1.0,
        "calls": calls,
        "repeats": 0,
        "input_tokens": calls * input_tokens,
        "output_tokens": calls * output_tokens,
        "nano_dollars": None if price is None else calls * price,
        "most_input_tokens": most_input_tokens,
        "most_nano_dollars": most,
    }
