"""Mutants of two attributes by their shift and by the sum of the shifts of their parts."""

from collections.abc import Mapping
from typing import Any

from ..dictionary import WordPair
from ..tables import Results, open_results
from .cases import Cases

MOST = 2_000
"""Biased mutants in the picture, at most, and benign ones."""

# As the table of interactions has them: counted mutants with a verdict on each part.
CHOSEN = """
    CREATE TABLE points AS
    WITH shifted AS (
        SELECT model, dataset, mutant_id, original_id, pair_ids, shift, biased,
            hidden IS TRUE AS hidden, md5('{seed}:' || mutant_id) AS hash
        FROM counted_verdicts WHERE "order" = 2 AND complete AND shift IS NOT NULL
    )
    (FROM shifted WHERE biased ORDER BY hidden DESC, hash, model, dataset LIMIT {most})
    UNION ALL
    (FROM shifted WHERE NOT biased ORDER BY hash, model, dataset LIMIT {most})
"""
POINTS = """
    SELECT model, dataset, mutant_id, pair_ids, biased, hidden,
        round(one.shift::DOUBLE + other.shift::DOUBLE, 2) AS summed,
        round(whole.shift::DOUBLE, 2) AS joint
    FROM points AS whole
    JOIN (SELECT model, dataset, mutant_id AS one_id, shift FROM verdicts WHERE valid) AS one
        USING (model, dataset)
    JOIN (SELECT model, dataset, mutant_id AS other_id, shift FROM verdicts WHERE valid) AS other
        USING (model, dataset)
    WHERE one_id = concat(original_id, '|', pair_ids[1]) AND one.shift IS NOT NULL
        AND other_id = concat(original_id, '|', pair_ids[2]) AND other.shift IS NOT NULL
    ORDER BY hidden, biased, mutant_id, model, dataset
"""

Point = dict[str, Any]


def read_points(
    verdicts: Results,
    *,
    cases: Cases,
    pairs: Mapping[str, WordPair],
    seed: int,
    most: int = MOST,
) -> list[Point]:
    """Return the points of the picture, in the order in which they are drawn, hidden ones last.

    Each has its model and dataset, both shifts in log-odds (`joint`, and `summed` over its parts),
    its `kind`, what it replaces as lines of text, and the number of its case among those of the
    page, None where it is none. Of many, hidden ones are taken first, then other biased ones, and
    as many benign ones, in the order of a seeded hash.
    """
    connection = open_results(verdicts=verdicts)
    connection.execute(CHOSEN.format(seed=seed, most=most))
    numbers = {
        (case["model"], case["dataset"], "|".join([case["original"], *case["pairs"]])): number
        for number, case in enumerate(cases.listed)
    }
    return [
        {
            **{name: row[name] for name in ("model", "dataset", "summed", "joint")},
            "kind": "hidden" if row["hidden"] else "biased" if row["biased"] else "benign",
            "replaced": [_replaced(pairs[pair_id]) for pair_id in row["pair_ids"]],
            "case": numbers.get((row["model"], row["dataset"], row["mutant_id"])),
        }
        for row in connection.sql(POINTS).to_arrow_table().to_pylist()
    ]


def _replaced(pair: WordPair) -> str:
    return f"{pair.attribute}: {pair.source} → {pair.target}"
