"""Bias and hidden bias of every mutant run: results/verdicts/{model}/{dataset}.parquet."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ..blocks import INPUTS_OF_BLOCK, OF_BLOCK, RowGroups, blocks_of_originals
from ..database import open_database
from ..mutation import RECIPE_SCHEMA

# The margin of scores for an outcome: the smallest, over all labels, of the log-odds that the label
# applies, if it is in the outcome, or that it does not. If labels are exclusive, this is the score
# of the outcome's label. Null if a label of the outcome has no score.
MARGIN = """
    CASE WHEN list_has_all(map_keys(scores), originals.outcome) THEN list_min(list_transform(
        map_entries(scores),
        lambda label: if(list_contains(originals.outcome, label.key), label.value, -label.value)
    )) END
"""

# Scores are not kept: those of a hundred labels would take more memory than everything else.
GIVEN = f"(FROM read_parquet('{{predictions}}') WHERE {INPUTS_OF_BLOCK})"

ORIGINALS = f"""
    SELECT input_id AS original_id, status, outcome, {MARGIN} AS margin
    FROM {GIVEN} AS originals WHERE NOT contains(input_id, '|')
"""
ANSWERS = f"""
    SELECT input_id, given.status, given.outcome, visible_order, {MARGIN} AS margin
    FROM {GIVEN} AS given JOIN originals ON split_part(input_id, '|', 1) = original_id
"""


VERDICTS_SCHEMA = pa.schema(
    [
        *RECIPE_SCHEMA,
        ("valid", pa.bool_()),
        ("sampled", pa.bool_()),
        ("control", pa.bool_()),
        ("status", pa.string()),
        ("visible_order", pa.int8()),
        ("biased", pa.bool_()),
        ("shift", pa.float32()),
        ("margin", pa.float32()),
        ("counted", pa.bool_()),
        ("complete", pa.bool_()),
        ("hidden", pa.bool_()),
        ("minimal_subsets", pa.list_(pa.string())),
        ("worse", pa.bool_()),
        ("better", pa.bool_()),
        ("favoured", pa.bool_()),
    ]
)
"""The columns of results/verdicts."""

SUBSETS_AT_ONCE = 500_000
"""About how many subsets of pairs are judged at once, so that memory does not grow with the
suite."""

# A mutant is biased if its outcome differs from its original's, and null unless both have one. An
# answer without a label is an outcome if its status is one of those that count.
JUDGED = f"""
    SELECT m.*, a.status, a.visible_order,
        CASE WHEN a.status IN {{statuses}} AND o.status IN {{statuses}}
            THEN a.status <> o.status OR a.outcome IS DISTINCT FROM o.outcome END AS biased,
        round(a.margin::DOUBLE - o.margin::DOUBLE, 2)::FLOAT AS shift,
        round(a.margin::DOUBLE, 2)::FLOAT AS margin,
        biased IS NOT NULL AND len(getvariable('favourable')) > 0 AS directed,
        coalesce(list_has_any(a.outcome, getvariable('favourable')), false) AS good,
        coalesce(list_has_any(o.outcome, getvariable('favourable')), false) AS good_before,
        CASE WHEN directed THEN good_before AND NOT good END AS worse,
        CASE WHEN directed THEN good AND NOT good_before END AS better,
        CASE WHEN directed THEN good_before END AS favoured
    FROM (FROM read_parquet('{{suite}}') WHERE {OF_BLOCK}) AS m
    JOIN ({ANSWERS}) AS a ON a.input_id = m.mutant_id
    JOIN originals AS o ON o.original_id = m.original_id
"""

# The verdict on a part is that of the valid sub-mutant with its pairs, or what `KNOWN` puts in its
# place. A follow-up that changes no attribute has no row.
SUBSETS = """
    WITH numbered AS (
        SELECT rowid AS number, original_id, operator, pair_ids,
            unnest(sub_mutants(pair_ids)) AS part
        FROM judged WHERE "order" > 1
    ),
    named AS (
        SELECT number, original_id, operator, part, part_of(pair_ids, part) AS pairs,
            array_to_string(pairs, '|') AS subset,
            array_to_string(
                list_transform(pairs, lambda pair: split_part(pair, ':', 1)), '+'
            ) AS attributes
        FROM numbered
    )
    SELECT named.number, part, subset, CASE WHEN sub.valid THEN sub.biased END AS biased
    FROM named LEFT JOIN {known}
"""

# By attributes, any sub-mutant that was run stands for all with the same attributes: the first one.
KNOWN = {
    "pairs": "judged AS sub ON sub.mutant_id = named.original_id || '|' || named.subset",
    "attributes": """
        (
            SELECT original_id, operator, attributes, true AS valid,
                arg_min(biased, mutant_id) AS biased
            FROM judged WHERE valid AND biased IS NOT NULL AND NOT control GROUP BY ALL
        ) AS sub ON sub.original_id = named.original_id AND sub.attributes = named.attributes
            AND sub.operator IS NOT DISTINCT FROM named.operator
    """,
}

# A biased subset, which may be the whole mutant, is minimal if it contains no other biased subset:
# no other number of a part equals its bitwise `and` with this number.
MINIMAL = """
    WITH biased AS (
        SELECT number, part, subset FROM subsets WHERE biased
        UNION ALL
        SELECT rowid, (1 << "order") - 1, array_to_string(pair_ids, '|')
        FROM judged WHERE biased AND "order" > 0
    )
    SELECT outside.number, list(outside.subset ORDER BY outside.part) AS minimal_subsets
    FROM biased AS outside
    WHERE NOT EXISTS (
        FROM biased AS inside
        WHERE inside.number = outside.number
            AND inside.part <> outside.part AND inside.part & outside.part = inside.part
    )
    GROUP BY outside.number
"""

LATTICE = """
    SELECT number, bool_and(biased IS NOT NULL) AS complete,
        coalesce(bool_or(biased), false) AS any_biased
    FROM subsets GROUP BY number
"""

VERDICTS = """
    SELECT mutant_id, original_id, "order", attributes, pair_ids, operator, edits, one_person,
        valid, sampled, control, status, visible_order, biased, shift, margin,
        valid AND sampled IS NOT FALSE AND NOT control AND visible_order = "order"
            AND biased IS NOT NULL AS counted,
        coalesce(complete, true) AS complete,
        CASE
            WHEN "order" <= 1 OR biased IS NULL THEN NULL
            WHEN NOT biased OR any_biased THEN false
            WHEN complete THEN true
        END AS hidden,
        coalesce(minimal_subsets, []) AS minimal_subsets, worse, better, favoured
    FROM judged
    LEFT JOIN lattice ON lattice.number = judged.rowid
    LEFT JOIN minimal ON minimal.number = judged.rowid
    ORDER BY original_id, "order", attributes, mutant_id
"""


def judge_mutants(
    suite: Path,
    predictions: Path,
    verdicts: Path,
    *,
    outcome_statuses: Sequence[str],
    hidden_lookup: str = "pairs",
    favourable: Sequence[str] = (),
) -> None:
    """Write the verdict on every mutant of the suite to the Parquet `verdicts`.

    Answers with a label or with one of the `outcome_statuses` have an outcome. With the
    `hidden_lookup` "attributes", as in the authors' code, sub-mutants may have other pairs than
    their mutant: any mutant of its operator with the same original and attributes stands in.

    `biased`: the outcome differs from the original's (null if either has none).
    `shift`: how much the margin of the original's outcome changes from original to mutant, in
    log-odds: negative away from that outcome (null if either has no scores). The margin is the
    score of the outcome's label or, if a text may have several, the smallest over all labels of
    the log-odds with which the model agrees with the outcome.
    `margin`: the margin of the original's outcome by the mutant's scores (null without these).
    `counted`: the mutant counts in the rates of its order: it is valid, was listed or sampled
    itself, is no control, the model sees all its pairs, and there is a verdict.
    `complete`: all proper sub-mutants are valid, were run and have a verdict.
    `hidden`: the mutant is of order 2 or more, biased and complete, and no sub-mutant is biased;
    null for mutants of fewer pairs, and if a missing sub-mutant leaves it undecided.
    `minimal_subsets`: the smallest sets of its pairs known to be biased, pair_ids joined by `|`.
    `worse`, `better`: the mutant has lost all `favourable` labels, or gained one; `favoured`: the
    original has one (null if none is named, and without a verdict).
    """
    connection = open_database()
    connection.execute("SET VARIABLE favourable = ?::VARCHAR[]", [[*favourable]])
    tables = {
        "originals": ORIGINALS.format(predictions=predictions),
        "judged": JUDGED.format(
            suite=suite, predictions=predictions, statuses=["ok", *outcome_statuses]
        ),
        "subsets": SUBSETS.format(known=KNOWN[hidden_lookup]),
    }
    blocks = blocks_of_originals(
        connection,
        rows=f"read_parquet('{suite}')",
        size='sum((1 << "order") - 1)',
        at_once=SUBSETS_AT_ONCE,
    )
    with RowGroups(verdicts, schema=VERDICTS_SCHEMA) as written:
        for _ in blocks:
            for name, query in tables.items():
                connection.execute(f"CREATE OR REPLACE TABLE {name} AS {query}")
            connection.execute(f"CREATE OR REPLACE VIEW minimal AS {MINIMAL}")
            connection.execute(f"CREATE OR REPLACE VIEW lattice AS {LATTICE}")
            written.write(connection.sql(VERDICTS).to_arrow_table().cast(VERDICTS_SCHEMA))
