"""Choose the biased mutants to examine: hidden cases and a sample of all, in turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import duckdb

from ..database import open_database
from ..lattice import lattice_of
from ..mutation import Mutant
from .ddmin import most_answers

# Hidden cases have the order in which Table 1 shows equally robust ones. `rank` is the position in
# the queue.
QUEUE = """
    WITH biased AS (
        FROM read_parquet('{verdicts}') WHERE counted AND biased
            AND "order" >= (SELECT least(2, max("order")) FROM read_parquet('{verdicts}'))
    ),
    turns AS (
        SELECT *, row_number() OVER (
            PARTITION BY original_id ORDER BY md5('{seed}:' || mutant_id)
        ) AS turn
        FROM biased WHERE hidden
    ),
    queued AS (
        SELECT * EXCLUDE turn REPLACE (false AS sampled),
            2 * row_number() OVER (ORDER BY turn, md5('{seed}:' || mutant_id)) AS rank
        FROM turns
        UNION ALL
        SELECT * REPLACE (true AS sampled),
            2 * row_number() OVER (ORDER BY md5('{seed}:sample:' || mutant_id)) + 1
        FROM biased
    )
    SELECT mutant_id, original_id, text, pair_ids, edits, hidden IS TRUE AS hidden, sampled
    FROM (FROM queued ORDER BY rank LIMIT {limit})
    JOIN read_parquet('{corpus}') USING (original_id)
    ORDER BY rank
"""


# If other pairs may stand in for those of a sub-mutant, the suite may not contain it.
PARTS = """
    SELECT mutant_id, original_id, pair_ids, edits FROM read_parquet('{verdicts}')
    WHERE mutant_id IN (SELECT unnest($ids::VARCHAR[]))
"""


@dataclass(frozen=True)
class Case:
    """A biased mutant to examine, with its sub-mutants if its bias is `hidden`.

    `sampled` says whether the case belongs to the sample of all biased mutants.
    """

    mutant: Mutant
    hidden: bool
    sampled: bool
    sub_mutants: tuple[Mutant, ...] = ()

    def most_answers(self, *, repeats: int) -> int:
        """Return how many answers, beyond the predictions, examining the case needs at most."""
        inputs = 2 ** len(self.mutant.pair_ids) if self.hidden else 2
        return (repeats - 1) * inputs + most_answers(len(self.mutant.main_edits))


def choose_cases(
    verdicts: Path, *, corpus: Path, answers: int, repeats: int, seed: int
) -> list[Case]:
    """Return as many cases from the start of the queue as `answers` answers suffice for.

    Hidden cases and a sample of all biased mutants take turns, each in the order of a seeded hash.
    A mutant that is chosen as both is one case.
    """
    # Each turn needs at least one answer, except the second turn of the same mutant.
    query = QUEUE.format(verdicts=verdicts, corpus=corpus, seed=seed, limit=2 * answers)
    connection = open_database()
    cases: dict[str, Case] = {}
    for row in connection.sql(query).to_arrow_table().to_pylist():
        key = row["mutant_id"]
        case = cases.get(key) or Case(Mutant.of_row(row, row["text"]), row["hidden"], False)
        if key not in cases:
            answers -= case.most_answers(repeats=repeats)
            if answers < 0:
                break
        cases[key] = replace(case, sampled=case.sampled or row["sampled"])
    return _with_parts(connection, verdicts, list(cases.values()))


def _with_parts(
    connection: duckdb.DuckDBPyConnection, verdicts: Path, cases: Sequence[Case]
) -> list[Case]:
    """Return cases, with sub-mutants for the hidden ones."""
    lattices = [
        lattice_of(case.mutant.original_id, case.mutant.pair_ids) if case.hidden else {}
        for case in cases
    ]
    asked = connection.sql(
        PARTS.format(verdicts=verdicts), params={"ids": list(chain.from_iterable(lattices))}
    )
    rows = {row["mutant_id"]: row for row in asked.to_arrow_table().to_pylist()}
    return [
        replace(
            case,
            sub_mutants=tuple(
                Mutant.of_row(rows[key], case.mutant.original)
                if key in rows
                else case.mutant.part(part)
                for key, part in list(lattice.items())[1:-1]
            ),
        )
        for case, lattice in zip(cases, lattices, strict=True)
    ]
