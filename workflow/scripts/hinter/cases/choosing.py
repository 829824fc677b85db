"""Which biased mutants are examined: hidden cases and a sample of all, by turns."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..database import open_database
from ..dictionary import WordPair
from ..mutation import Substitution, place_pairs
from .ddmin import most_answers

# Hidden cases come in the order in which Table 1 shows them. `place` is that in the queue.
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
        SELECT * EXCLUDE turn, false AS sampled,
            2 * row_number() OVER (ORDER BY turn, md5('{seed}:' || mutant_id)) AS place
        FROM turns
        UNION ALL
        SELECT *, true,
            2 * row_number() OVER (ORDER BY md5('{seed}:sample:' || mutant_id)) + 1
        FROM biased
    )
    SELECT mutant_id, text, pair_ids, places, hidden IS TRUE AS hidden, sampled
    FROM (FROM queued ORDER BY place LIMIT {limit})
    JOIN read_parquet('{corpus}') USING (original_id)
    ORDER BY place
"""


@dataclass(frozen=True)
class Case:
    """A biased mutant to examine.

    `pairs` are the mutant's, and `recipe` the places of its recipe. `substitutions` are those of
    each pair. `sampled` tells whether the case is one of the sample of all biased mutants; it is
    `hidden` if its bias is.
    """

    mutant_id: str
    text: str
    pairs: tuple[WordPair, ...]
    recipe: list[Mapping[str, Any]] | None
    substitutions: tuple[tuple[Substitution, ...], ...]
    hidden: bool
    sampled: bool

    @property
    def places(self) -> list[tuple[int, Substitution]]:
        """The substitutions from left to right, each with the number of its pair."""
        numbered = (
            (n, change) for n, several in enumerate(self.substitutions) for change in several
        )
        return sorted(numbered, key=lambda numbered: numbered[1].place)

    def most_answers(self, *, repeats: int) -> int:
        """Return the most answers that examining the case takes beyond the predictions."""
        inputs = 2 ** len(self.pairs) if self.hidden else 2
        return (repeats - 1) * inputs + most_answers(len(self.places))


def choose_cases(
    verdicts: Path,
    *,
    corpus: Path,
    pairs: Mapping[str, WordPair],
    answers: int,
    repeats: int,
    seed: int,
) -> list[Case]:
    """Return the first cases of the queue, as many as `answers` answers suffice for.

    Hidden cases and a sample of all biased mutants take turns, each in the order of a seeded hash.
    A mutant that is drawn as both is one case. `pairs` are given by pair_id.
    """
    # Each turn but the second of a mutant takes at least one answer.
    query = QUEUE.format(verdicts=verdicts, corpus=corpus, seed=seed, limit=2 * answers)
    cases: dict[str, Case] = {}
    for row in open_database().sql(query).to_arrow_table().to_pylist():
        case = cases.get(row["mutant_id"]) or _to_case(row, pairs=pairs)
        if case.mutant_id not in cases:
            answers -= case.most_answers(repeats=repeats)
            if answers < 0:
                break
        cases[case.mutant_id] = replace(case, sampled=case.sampled or row["sampled"])
    return list(cases.values())


def _to_case(row: Mapping[str, Any], *, pairs: Mapping[str, WordPair]) -> Case:
    own = tuple(pairs[pair_id] for pair_id in row["pair_ids"])
    return Case(
        mutant_id=row["mutant_id"],
        text=row["text"],
        pairs=own,
        recipe=row["places"],
        substitutions=tuple(map(tuple, place_pairs(row["text"], own, row["places"]))),
        hidden=row["hidden"],
        sampled=row["sampled"],
    )
