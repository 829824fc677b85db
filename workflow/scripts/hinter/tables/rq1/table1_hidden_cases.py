"""Table 1 of the paper: hidden cases with their mutations marked (RQ1)."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from ...dictionary import WordPair, read_pairs
from ...invariant import split_sentences
from ...lattice import lattice_of
from ...mutation import Mutant, Span, render
from ..sources import Results, open_results
from ..table import Table
from ..writing import MARK_END, MARK_START, UNKNOWN

# Cases alternate between models and between originals, in the order of a seeded hash.
HIDDEN = """
    WITH ranked AS (
        SELECT model, dataset, mutant_id, original_id, attributes, pair_ids, edits,
            row_number() OVER (
                PARTITION BY model, dataset, original_id ORDER BY md5('{seed}:' || mutant_id)
            ) AS turn
        FROM seen_verdicts WHERE hidden AND valid
    ),
    queued AS (
        SELECT *, row_number() OVER (
            PARTITION BY model, dataset ORDER BY turn, md5('{seed}:' || mutant_id)
        ) AS place
        FROM ranked
    )
    SELECT model, dataset, mutant_id, original_id, attributes, pair_ids, edits
    FROM queued ORDER BY place, dataset, model LIMIT {count}
"""
# An answer without a label may be an outcome, too, and so may a choice of none of several labels.
OUTCOME = """
    CASE WHEN len(outcome) = 0 THEN 'no label' ELSE coalesce(array_to_string(outcome, ', '), status)
    END
"""
OUTCOMES = f"""
    SELECT model, dataset, input_id, {OUTCOME} AS outcome, edits
    FROM predictions
    LEFT JOIN (SELECT model, dataset, mutant_id AS input_id, edits FROM judged)
        USING (model, dataset, input_id)
    WHERE input_id IN (SELECT unnest(?))
"""

TEXTS = """
    SELECT dataset, original_id, text FROM corpora WHERE list_contains(?, original_id)
"""

EXAMINED = f"""
    SELECT model, dataset, mutant_id, edits, {OUTCOME} AS outcome, replaced, sufficient,
        CASE WHEN repeats IS NULL THEN 'always' WHEN repeats > 1
            THEN times_hidden || ' of ' || repeats || ' times' ELSE '' END AS holds
    FROM cases WHERE hidden AND list_contains(?, mutant_id)
"""

COLUMNS = {
    "case": "number of the case",
    "dataset": "name of the dataset",
    "model": "name of the model",
    "original_id": "id of the original",
    "attributes": "attributes that change, joined by +",
    "role": "original, atomic, sub-mutant of two or more pairs, intersectional, or narrowed: with "
    "only as many of the places replaced as the outcome needs",
    "mutations": "source and target term of each pair",
    "excerpt": "the sentences that the intersectional mutant changes, with each mutation marked",
    "outcome": "labels, joined by a comma, or no label, none, refused or unparsed",
    "biased": "whether the outcome differs from the original's",
    "holds": "of the intersectional mutant, if examined: how often it was hidden when asked again; "
    "always, if the model is deterministic",
}


def tabulate_hidden_cases(
    verdicts: Results,
    predictions: Results,
    *,
    cases: Results,
    corpora: Results,
    pairs: Mapping[str, WordPair],
    count: int,
    seed: int,
) -> pd.DataFrame:
    """Return the rows of `count` hidden cases: for each its original, sub-mutants and mutant.

    Those of the `cases` that were narrowed follow with the places that suffice. `pairs` is the
    dictionary by pair_id.
    """
    connection = open_results(verdicts=verdicts, predictions=predictions, corpora=corpora)
    hidden = connection.sql(HIDDEN.format(seed=seed, count=count)).to_arrow_table().to_pylist()
    lattices = [lattice_of(case["original_id"], case["pair_ids"]) for case in hidden]
    asked = connection.execute(OUTCOMES, [list(chain.from_iterable(lattices))]).fetchall()
    found = {tuple(key): (outcome, edits) for *key, outcome, edits in asked}
    # Only the texts of these cases are kept: a corpus may be larger than the job's memory.
    told = connection.execute(TEXTS, [[case["original_id"] for case in hidden]]).fetchall()
    texts = {tuple(key): text for *key, text in told}
    examined = _examined(cases, [case["mutant_id"] for case in hidden])
    rows = []
    for number, (case, lattice) in enumerate(zip(hidden, lattices, strict=True), start=1):
        run, text = (case["model"], case["dataset"]), texts[case["dataset"], case["original_id"]]
        rows += _rows(
            {"case": number, **{name: case[name] for name in ("dataset", "model", "original_id")}},
            parts=[
                (Mutant.of_row({**case, "pair_ids": part, "edits": edits}, text), outcome)
                for key, part in sorted(lattice.items(), key=lambda item: len(item[1]))
                for outcome, edits in [found[*run, key]]
            ],
            pairs=pairs,
            examined=examined.get((*run, case["mutant_id"])),
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _examined(cases: Results, mutant_ids: Sequence[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return what was found of the mutants that were examined, by model, dataset and id."""
    if not cases:
        return {}
    told = open_results(cases=cases).sql(EXAMINED, params=[mutant_ids])
    found = told.to_arrow_table().to_pylist()
    return {(row["model"], row["dataset"], row["mutant_id"]): row for row in found}


def _rows(
    keys: Mapping[str, Any],
    *,
    parts: Sequence[tuple[Mutant, str]],
    pairs: Mapping[str, WordPair],
    examined: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Return the rows of a case: its `parts`, from the original to the mutant, then the narrowed.

    Parts come with their outcome.
    """
    whole, _ = parts[-1]
    rows = [
        {
            **keys,
            **_pairs(part, pairs),
            "role": _role(part, whole=whole),
            "excerpt": _excerpt(part, among=whole),
            "outcome": outcome,
            # By the verdict, not by the words: different outcomes may read alike.
            "biased": part is whole,
            "holds": "",
        }
        for part, outcome in parts
    ]
    rows[-1]["holds"] = examined["holds"] if examined else ""
    if examined is None or examined["sufficient"] == examined["replaced"]:
        return rows
    kept = whole.narrowed(Mutant.of_row({**whole.recipe(), **examined}, whole.original).edits)
    narrowed = {
        **_pairs(kept, pairs),
        "role": "narrowed to {sufficient} of {replaced} places".format_map(examined),
        "excerpt": _excerpt(kept, among=whole),
        "outcome": examined["outcome"],
    }
    return [*rows, rows[-1] | narrowed | {"holds": ""}]


def _pairs(mutant: Mutant, pairs: Mapping[str, WordPair]) -> dict[str, str]:
    own = [pairs[pair_id] for pair_id in mutant.pair_ids]
    return {
        "attributes": "+".join(mutant.attributes),
        "mutations": ", ".join(f"{pair.source} -> {pair.target}" for pair in own),
    }


def _role(part: Mutant, *, whole: Mutant) -> str:
    if len(part.pair_ids) < 2:
        return "atomic" if part.pair_ids else "original"
    return "intersectional" if part is whole else "sub-mutant"


def _excerpt(mutant: Mutant, *, among: Mutant) -> str:
    """Return the sentences that the mutant `among` changes, as a part of it changes them."""
    kept = []
    for start, end in split_sentences(mutant.original):
        if any(start <= edit.start < end for edit in among.edits):
            own = (edit.moved(-start) for edit in mutant.edits if start <= edit.start < end)
            kept.append(_marked(*render(mutant.original[start:end], own)))
    return " ... ".join(kept)


_OWN = str.maketrans(dict.fromkeys((MARK_START, MARK_END), UNKNOWN))


def _marked(sentence: str, spans: Mapping[Span, Span]) -> str:
    sentence = sentence.translate(_OWN)
    for start, end in sorted(spans.values(), reverse=True):
        marked = f"{MARK_START}{sentence[start:end]}{MARK_END}"
        sentence = sentence[:start] + marked + sentence[end:]
    return sentence


def _compute(
    *,
    verdicts: Results,
    predictions: Results,
    cases: Results,
    corpora: Results,
    pairs: Path,
    hidden_cases: int,
    seed: int,
) -> pd.DataFrame:
    return tabulate_hidden_cases(
        verdicts,
        predictions,
        cases=cases,
        corpora=corpora,
        pairs={pair.pair_id: pair for pair in read_pairs(pairs)},
        count=hidden_cases,
        seed=seed,
    )


TABLE = Table(
    question="RQ1",
    title="Table 1: hidden cases",
    reads=("verdicts", "predictions", "cases", "corpora", "pairs"),
    settings=("hidden_cases", "seed"),
    warned=True,
    columns=COLUMNS,
    compute=_compute,
    marked="excerpt",
    latex_columns="rlllllp{3cm}p{8cm}lll",
    caption=(
        "Hidden intersectional bias: the outcome changes for the intersectional mutant and for "
        "none of its sub-mutants. Mutations are marked; sentences without mutations are left out. "
        "Cases that were examined say how often they held when asked again; where the changed "
        "outcome does not need all places that are replaced, they end in a mutant of those needed."
    ),
    empty="Nothing to show: no mutant shows hidden bias.",
    about="""\
Hidden cases, in the form of the paper's Table 1: the outcome of the intersectional mutant differs
from that of the original, and the outcomes of its sub-mutants do not. Cases alternate between
models and between originals, in the order of a seeded hash. Only the sentences that change are
shown. A case that was examined may end in a row *narrowed*: it replaces only the places that the
changed outcome needs, none of which can be left out. *holds* tells how often the case was hidden,
of the times that it was asked about: it is confirmed if that is each time. Deterministic models
always answer alike.
""",
)
