"""Table 1 of the paper: hidden cases with their mutations marked (RQ1)."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pandas as pd

from ...dictionary import WordPair, read_pairs
from ...invariant import split_sentences
from ...lattice import lattice_of
from ...mutation import Mutant, Span, plain, render
from ..label_scores import TIMES_NOISE, robust_cases
from ..shown import MARK_END, MARK_START, UNKNOWN
from ..table import Results, Table, open_results

# Robust cases come first. Cases alternate between models and between originals, in the order of a
# seeded hash.
HIDDEN = """
    WITH ranked AS (
        SELECT model, dataset, mutant_id, original_id, attributes, pair_ids, edits,
            margin, margin - shift AS of_original, noise, robust,
            coalesce(robust, false) AS first,
            row_number() OVER (
                PARTITION BY model, dataset, original_id, first
                ORDER BY md5('{seed}:' || mutant_id)
            ) AS turn
        FROM seen_verdicts JOIN robustness USING (model, dataset, mutant_id)
    ),
    queued AS (
        SELECT *, row_number() OVER (
            PARTITION BY model, dataset, first ORDER BY turn, md5('{seed}:' || mutant_id)
        ) AS place
        FROM ranked
    )
    SELECT * EXCLUDE (turn, place)
    FROM queued ORDER BY first DESC, place, dataset, model LIMIT {count}
"""
# An answer without a label may also be an outcome, and so may the choice of none of several labels.
OUTCOME = """
    CASE WHEN len(outcome) = 0 THEN 'no label' ELSE coalesce(array_to_string(outcome, ', '), status)
    END
"""
OUTCOMES = f"""
    SELECT model, dataset, input_id, {OUTCOME} AS outcome, edits, margin
    FROM predictions
    LEFT JOIN (SELECT model, dataset, mutant_id AS input_id, edits, margin FROM judged)
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

_OWN = str.maketrans(dict.fromkeys((MARK_START, MARK_END), UNKNOWN))

COLUMNS = {
    "case": "number of the case",
    "dataset": "name of the dataset",
    "model": "name of the model",
    "original_id": "id of the original",
    "attributes": "attributes that change, joined by +",
    "role": "original, atomic, sub-mutant of two or more pairs, intersectional, or narrowed (with "
    "a minimal set of edits that changes the outcome)",
    "mutations": "source and target term of each pair",
    "excerpt": "the sentences that the intersectional mutant changes, with each mutation marked",
    "outcome": "labels, joined by a comma, or no label, none, refused or unparsed",
    "biased": "whether the outcome differs from the original's",
    "margin": "margin of the original's outcome, in log-odds; below 0 for another outcome",
    "robust": "for the intersectional mutant: whether all margins of the case are at least "
    f"{TIMES_NOISE} times the noise from 0; empty without scores, and for more than two labels",
    "noise": "for the intersectional mutant: the size of the shifts by neutral edits alone, for "
    "this model on this dataset",
    "holds": "for the intersectional mutant, if examined: how often it was hidden when asked "
    "again; always, if the model is deterministic",
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

    For `cases` that were narrowed, a mutant with the edits that suffice follows. `pairs` is the
    dictionary by pair_id.
    """
    connection = open_results(verdicts=verdicts, predictions=predictions, corpora=corpora)
    connection.register("robustness", robust_cases(verdicts, predictions))
    hidden = connection.sql(HIDDEN.format(seed=seed, count=count)).to_arrow_table().to_pylist()
    lattices = [lattice_of(case["original_id"], case["pair_ids"]) for case in hidden]
    asked = connection.execute(OUTCOMES, [list(chain.from_iterable(lattices))]).fetchall()
    found = {(model, dataset, key): fetched for model, dataset, key, *fetched in asked}
    # Only the texts of these cases are kept: a corpus may be larger than the job's memory.
    fetched = connection.execute(TEXTS, [[case["original_id"] for case in hidden]]).fetchall()
    texts = {tuple(key): text for *key, text in fetched}
    examined = _examined(cases, [case["mutant_id"] for case in hidden])
    rows = []
    for number, (case, lattice) in enumerate(zip(hidden, lattices, strict=True), start=1):
        run, text = (case["model"], case["dataset"]), texts[case["dataset"], case["original_id"]]
        rows += _rows(
            {"case": number, **{name: case[name] for name in ("dataset", "model", "original_id")}},
            parts=[
                (
                    Mutant.of_row({**case, "pair_ids": part, "edits": edits}, text),
                    {"outcome": outcome, "margin": margin if part else case["of_original"]},
                )
                for key, part in sorted(lattice.items(), key=lambda item: len(item[1]))
                for outcome, edits, margin in [found[*run, key]]
            ],
            whole={name: case[name] for name in ("robust", "noise")},
            pairs=pairs,
            examined=examined.get((*run, case["mutant_id"])),
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _examined(cases: Results, mutant_ids: Sequence[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the findings on the mutants that were examined, by model, dataset and id."""
    if not cases:
        return {}
    fetched = open_results(cases=cases).sql(EXAMINED, params=[mutant_ids])
    found = fetched.to_arrow_table().to_pylist()
    return {(row["model"], row["dataset"], row["mutant_id"]): row for row in found}


def _rows(
    keys: Mapping[str, Any],
    *,
    parts: Sequence[tuple[Mutant, Mapping[str, Any]]],
    whole: Mapping[str, Any],
    pairs: Mapping[str, WordPair],
    examined: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Return the rows of a case: its `parts`, from the original to the mutant, then the narrowed.

    Parts come with their outcome and margin; the facts about the `whole` mutant go to its row.
    """
    mutant, _ = parts[-1]
    rows = [
        {
            **keys,
            **_pairs(part, pairs),
            "role": _role(part, whole=mutant),
            "excerpt": excerpt_of(part, among=mutant),
            **fetched,
            # By the verdict and not by the words: different outcomes may have the same words.
            "biased": part is mutant,
            "holds": "",
        }
        for part, fetched in parts
    ]
    rows[-1] |= whole
    rows[-1]["holds"] = examined["holds"] if examined else ""
    if examined is None or examined["sufficient"] == examined["replaced"]:
        return rows
    kept = mutant.narrowed(Mutant.of_row({**mutant.recipe(), **examined}, mutant.original).edits)
    narrowed = {
        **_pairs(kept, pairs),
        "role": "narrowed to {sufficient} of {replaced} edits".format_map(examined),
        "excerpt": excerpt_of(kept, among=mutant),
        "outcome": examined["outcome"],
        **dict.fromkeys(("margin", "robust", "noise")),
        "holds": "",
    }
    return [*rows, rows[-1] | narrowed]


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


def excerpt_of(mutant: Mutant, *, among: Mutant) -> str:
    """Return the sentences that the mutant `among` changes, with the changes of its part."""
    kept = []
    for start, end in split_sentences(plain(mutant.original)):
        if any(start <= edit.start < end for edit in among.edits):
            own = (edit.moved(-start) for edit in mutant.edits if start <= edit.start < end)
            kept.append(_mark(*render(mutant.original[start:end], own)))
    return " ... ".join(kept)


def _mark(sentence: str, spans: Mapping[Span, Span]) -> str:
    sentence = sentence.translate(_OWN)
    for start, end in sorted(spans.values(), reverse=True):
        marked = f"{MARK_START}{sentence[start:end]}{MARK_END}"
        sentence = sentence[:start] + marked + sentence[end:]
    return sentence


TABLE = Table(
    title="Table 1: hidden cases",
    reads=("verdicts", "predictions", "cases", "corpora", "pairs"),
    settings=("hidden_cases", "seed"),
    columns=COLUMNS,
    compute=lambda pairs, hidden_cases, **given: tabulate_hidden_cases(
        **given, pairs={pair.pair_id: pair for pair in read_pairs(pairs)}, count=hidden_cases
    ),
    marked="excerpt",
    latex_columns="rlllllp{3cm}p{8cm}llrlrl",
    empty="Nothing to show: no mutant shows hidden bias.",
    text="""\
Hidden intersectional bias: the outcome changes for the intersectional mutant and for none of its
sub-mutants. Mutations are marked; sentences without mutations are left out. Examined cases say how
often they held when asked again; if the changed outcome does not need all edits, they end with a
mutant of those that it needs. Robust cases come first: all their outcomes are at least twice the
noise of neutral edits away from the threshold.

The *noise* is the size of the shifts that neutral edits alone cause: any edit may have caused cases
that are not robust. Cases alternate between models and between originals, in the order of a seeded
hash. No edit of a *narrowed* case can be left out. *holds* says how often a case was hidden, of the
times that it was asked about: it is confirmed if it was hidden each time. Deterministic models
always give the same answer.
""",
)
