"""The cases of relations: a prompt, its follow-up, both answers, and their ratings."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from ..relations import INFORMATION, RELATIONS
from ..tables import Results, open_faults
from .lattices import Key, Row, known, rounded, rows_of
from .prompts import MOST, Prompts, named_pairs, rewording, whole_text

DATASET = "relations"

# Follow-ups with a fault come first, then the others in the order of a seeded hash.
CASES = """
    WITH follow_ups AS (
        SELECT model, mutant_id, original_id, pair_ids, relation, family, source_attributes,
            template, text, coalesce(list(metric ORDER BY metric) FILTER (fault), []) AS changed
        FROM faults GROUP BY ALL
    )
    FROM follow_ups
    ORDER BY len(changed) = 0, md5('{seed}:' || mutant_id), mutant_id, model LIMIT {most}
"""
TOTAL = "SELECT count(*) FROM (SELECT DISTINCT model, mutant_id FROM faults)"
TEXTS = "SELECT original_id, text FROM read_parquet('{corpus}')"
RATINGS = """
    SELECT r.model, replace(r.dataset, 'relations_', '') AS metric, r.input_id, r.outcome, r.status,
        r.answer, r.scores, r.input_hash, f.mutant_id IS NOT NULL AS compared, f.fault, f.shift
    FROM ratings AS r LEFT JOIN faults AS f
        ON f.model = r.model AND f.metric = replace(r.dataset, 'relations_', '')
        AND f.mutant_id = r.input_id
    ORDER BY r.model, r.input_id, metric
"""


def read_follow_ups(
    *, verdicts: Results, ratings: Results, follow_ups: Path, corpus: Path, seed: int
) -> Prompts:
    """Return at most `MOST` follow-ups of a study as cases, those with a fault first.

    `verdicts` and `ratings` are those of all models and metrics; `corpus` has the prompts that the
    `follow_ups` are compared with.
    """
    connection = open_faults(verdicts, follow_up_sources=follow_ups, ratings=ratings)
    chosen = rows_of(connection, CASES.format(seed=seed, most=MOST))
    texts = dict(connection.execute(TEXTS.format(corpus=corpus)).fetchall())
    originals = {row["original_id"] for row in chosen}
    wanted = {(row["model"], row[key]) for row in chosen for key in ("original_id", "mutant_id")}
    ((total,),) = connection.execute(TOTAL).fetchall()
    return Prompts(
        total=total,
        cases=[_case(row, text=texts[row["original_id"]]) for row in chosen],
        originals={(DATASET, key): whole_text(texts[key]) for key in sorted(originals)},
        readings={
            (model, DATASET, input_id): _reading(list(rows))
            for (model, input_id), rows in groupby(
                rows_of(connection, RATINGS), key=itemgetter("model", "input_id")
            )
            if (model, input_id) in wanted
        },
        pairs=named_pairs(pair_id for row in chosen for pair_id in row["pair_ids"]),
    )


def _case(row: Row, *, text: str) -> Row:
    relation = RELATIONS[row["relation"]]
    keys: list[Key] = [(row["model"], DATASET, row[name]) for name in ("original_id", "mutant_id")]
    return {
        "kind": "relations",
        "model": row["model"],
        "dataset": DATASET,
        "id": row["mutant_id"],
        "title": f"{relation.name}: {relation.title}",
        "titles": ["Prompt", "Follow-up"],
        "original": row["original_id"],
        "pairs": row["pair_ids"],
        "hidden": False,
        "valid": True,
        "changes": rewording(text, row["text"]),
        "readings": keys,
        "filters": {
            "relation": [relation.name],
            "family": [row["family"]],
            "information": [INFORMATION[relation.adds_or_removes]],
            "attributes of the source": [row["source_attributes"]],
            "template": [row["template"]],
            "fault": row["changed"] or ["none"],
        },
    }


def _reading(ratings: Sequence[Row]) -> Row:
    """Return an answer with its ratings, and their differences from those of the prompt."""
    first = ratings[0]
    faults = [row["fault"] for row in ratings if row["fault"] is not None]
    return known(
        {
            "outcome": [f"{row['metric']}: {_rated(row)}" for row in ratings],
            "answer": first["answer"],
            "seen": first["input_hash"],
            "scores": {
                f"{row['metric']} {label}": score
                for row in ratings
                for label, score in rounded(row["scores"]).items()
            }
            or None,
            "biased": any(faults) if faults else None,
            "details": [_compared(row) for row in ratings if row["compared"]] or None,
        }
    )


def _rated(row: Mapping[str, object]) -> str:
    outcome = row["outcome"]
    return ", ".join(outcome) if isinstance(outcome, list) and outcome else str(row["status"])


def _compared(row: Row) -> str:
    said = {None: "not compared", True: "changed", False: "unchanged"}[row["fault"]]
    shift = "" if row["shift"] is None else f", shift {row['shift']:.2f}"
    return f"{row['metric']} {said}{shift}"
