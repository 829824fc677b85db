"""The cases of probes: a prompt, the changes to it, and the answers to both."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ..lattice import lattice_of
from ..tables import Results, open_results
from .lattices import Key, Row, known, reading, rows_of
from .prompts import MOST, Prompts, named_pairs, rewording, whole_text

MOST_VALUES = 30
"""A fact with more values among the prompts of a probe than this is not a filter."""

# Unchanged prompts are cases if their answers can be hits by themselves.
HITS = """
    SELECT h.*, p.input_hash, coalesce(s.pair_ids, []) AS pair_ids, s.text
    FROM hits AS h JOIN predictions AS p USING (model, dataset, input_id)
    LEFT JOIN suites AS s ON s.dataset = h.dataset AND s.mutant_id = h.input_id
    WHERE {which}
"""
CASES = f"""
    {HITS.format(which="h.input_id <> h.original_id OR h.hit IS NOT NULL")}
    ORDER BY h.hit IS NOT TRUE, h.biased IS NOT TRUE, md5('{{seed}}:' || h.input_id), h.model
    LIMIT {{most}}
"""
TOTAL = "SELECT count(*) FROM hits WHERE input_id <> original_id OR hit IS NOT NULL"
TEXTS = "SELECT dataset, original_id, text, labels FROM corpora"
FACTS = """
    WITH facts AS (SELECT dataset, unnest(map_entries(facts)) AS fact FROM hits)
    SELECT dataset, fact.key FROM facts GROUP BY ALL HAVING count(DISTINCT fact.value) <= {most}
"""
KNOWN = {True: "yes", False: "no", None: "unknown"}


def read_probed(
    *, hits: Results, predictions: Results, corpora: Results, suites: Results, seed: int
) -> Prompts:
    """Return at most `MOST` prompts of a study's probes as cases, hits first."""
    connection = open_results(hits=hits, predictions=predictions, corpora=corpora, suites=suites)
    chosen = rows_of(connection, CASES.format(seed=seed, most=MOST))
    by_key = {_key(row): row for row in rows_of(connection, HITS.format(which="true"))}
    details = set(connection.execute(FACTS.format(most=MOST_VALUES)).fetchall())
    originals = {
        (dataset, original_id): (text, labels)
        for dataset, original_id, text, labels in connection.execute(TEXTS).fetchall()
    }
    used = sorted({(row["dataset"], row["original_id"]) for row in chosen})
    ((total,),) = connection.execute(TOTAL).fetchall()
    cases = [
        _case(row, by_key, text=originals[row["dataset"], row["original_id"]][0], details=details)
        for row in chosen
    ]
    return Prompts(
        total=total,
        cases=cases,
        originals={key: whole_text(*originals[key]) for key in used},
        readings={
            key: reading(by_key[key], details=[f"finding: {by_key[key]['finding']}"])
            for case in cases
            for key in case["readings"]
            if key in by_key
        },
        pairs=named_pairs(pair_id for row in chosen for pair_id in row["pair_ids"]),
    )


def _key(row: Row) -> Key:
    return row["model"], row["dataset"], row["input_id"]


def _case(row: Row, by_key: Mapping[Key, Row], *, text: str, details: set[tuple[str, str]]) -> Row:
    """Return a prompt with those parts of its changes that were also asked."""
    keys: Sequence[Key] = [
        (row["model"], row["dataset"], input_id)
        for input_id in lattice_of(row["original_id"], row["pair_ids"])
    ]
    parts = {
        mask: rewording(text, by_key[key]["text"])
        for mask, key in enumerate(keys)
        if mask and key in by_key
    }
    filters = defaultdict[str, list[str]](list)
    filters |= {"question": row["kinds"] or ["as it is"], "finding": [row["finding"]]}
    filters |= {"hit": [KNOWN[row["hit"]]], "changed": [KNOWN[row["biased"]]]}
    # An unchanged prompt has its facts in place of the list of its changes.
    facts = ", ".join(f"{name} {value}" for name, value in sorted(row["facts"].items()))
    for name, value in row["facts"].items():
        if (row["dataset"], name) in details:
            filters[f"{name} in the prompt"] = [value]
    return known(
        {
            "kind": "probes",
            "model": row["model"],
            "dataset": row["dataset"],
            "title": None if row["pair_ids"] else facts,
            "original": row["original_id"],
            "pairs": row["pair_ids"],
            "hidden": bool(row["hidden"]),
            "valid": True,
            "complete": row["complete"] or None,
            "changes": parts.get(len(keys) - 1, []),
            "others": {
                str(mask): changes for mask, changes in parts.items() if mask < len(keys) - 1
            }
            or None,
            "readings": keys,
            "filters": dict(filters),
        }
    )
