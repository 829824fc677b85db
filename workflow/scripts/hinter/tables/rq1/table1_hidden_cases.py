"""Table 1 of the paper: hidden cases with their mutations marked (RQ1)."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from ...corpora import Text, read_split
from ...dictionary import WordPair, read_pairs
from ...invariant import split_sentences
from ...mutation import Span, place_pairs, render_with_spans
from ..sources import Results, open_results
from ..table import Table
from ..writing import MARK_END, MARK_START, UNKNOWN

# Cases alternate between models and between originals, in the order of a seeded hash.
HIDDEN = """
    WITH ranked AS (
        SELECT model, dataset, mutant_id, original_id, attributes, pair_ids, places,
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
    SELECT model, dataset, mutant_id, original_id, attributes, pair_ids, places
    FROM queued ORDER BY place, dataset, model LIMIT {count}
"""
OUTCOMES = """
    SELECT model, dataset, input_id, array_to_string(outcome, ', ') AS outcome
    FROM predictions WHERE input_id IN (SELECT unnest(?))
"""


COLUMNS = {
    "case": "number of the case",
    "dataset": "name of the dataset",
    "model": "name of the model",
    "original_id": "id of the original",
    "attributes": "attributes that change, joined by +",
    "role": "original, atomic, sub-mutant of two or more pairs, or intersectional",
    "mutations": "source and target term of each pair",
    "excerpt": "the sentences that the intersectional mutant changes, with each mutation marked",
    "outcome": "labels, joined by a comma",
    "biased": "whether the outcome differs from the original's",
}


def tabulate_hidden_cases(
    verdicts: Results,
    predictions: Results,
    *,
    texts: Mapping[str, Text],
    pairs: Mapping[str, WordPair],
    count: int,
    seed: int,
) -> pd.DataFrame:
    """Return the rows of `count` hidden cases: for each its original, sub-mutants and mutant.

    `texts` are the originals by original_id, `pairs` the dictionary by pair_id.
    """
    connection = open_results(verdicts=verdicts, predictions=predictions)
    hidden = connection.sql(HIDDEN.format(seed=seed, count=count)).to_arrow_table().to_pylist()
    lattices = [_lattice(case) for case in hidden]
    asked = connection.execute(OUTCOMES, [list(chain.from_iterable(lattices))]).fetchall()
    outcomes = {tuple(key): outcome for *key, outcome in asked}
    rows = []
    for number, (case, lattice) in enumerate(zip(hidden, lattices, strict=True), start=1):
        of_case = {key: outcomes[case["model"], case["dataset"], key] for key in lattice}
        for key, subset in lattice.items():
            rows.append(
                _row(
                    number,
                    case,
                    subset=[pairs[pair_id] for pair_id in subset],
                    whole=[pairs[pair_id] for pair_id in case["pair_ids"]],
                    text=texts[case["original_id"]].text,
                    outcome=of_case[key],
                    biased=of_case[key] != of_case[case["original_id"]],
                )
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _lattice(case: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the original, each sub-mutant and the mutant by id, with their pairs."""
    pair_ids = list(case["pair_ids"])
    masks = sorted(range(1 << len(pair_ids)), key=lambda mask: (mask.bit_count(), mask))
    subsets = [[pair for i, pair in enumerate(pair_ids) if mask >> i & 1] for mask in masks]
    return {"|".join([case["original_id"], *subset]): subset for subset in subsets}


def _row(
    number: int,
    case: Mapping[str, Any],
    *,
    subset: Sequence[WordPair],
    whole: Sequence[WordPair],
    text: str,
    outcome: str,
    biased: bool,
) -> dict[str, Any]:
    return {
        "case": number,
        "dataset": case["dataset"],
        "model": case["model"],
        "original_id": case["original_id"],
        "attributes": "+".join(pair.attribute for pair in subset),
        "role": _role(subset, whole=whole),
        "mutations": ", ".join(f"{pair.source} -> {pair.target}" for pair in subset),
        "excerpt": _excerpt(text, subset=subset, whole=whole, places=case["places"]),
        "outcome": outcome,
        "biased": biased,
    }


def _role(subset: Sequence[WordPair], *, whole: Sequence[WordPair]) -> str:
    if len(subset) < 2:
        return "atomic" if subset else "original"
    return "intersectional" if len(subset) == len(whole) else "sub-mutant"


def _excerpt(
    text: str,
    *,
    subset: Sequence[WordPair],
    whole: Sequence[WordPair],
    places: Sequence[Mapping[str, Any]] | None,
) -> str:
    """Return the sentences that the whole mutant changes, as `subset` changes them.

    `places` are those of the whole mutant's recipe, or None.
    """
    placed = place_pairs(text, whole, places)
    part = place_pairs(text, subset)
    if places is not None:
        part = [changes for pair, changes in zip(whole, placed, strict=True) if pair in subset]
    whole_changes, changes = list(chain(*placed)), list(chain(*part))
    kept = []
    for start, end in split_sentences(text):
        if any(start <= change.place.start < end for change in whole_changes):
            moved = [
                change._replace(place=change.place.moved(-start))
                for change in changes
                if start <= change.place.start < end
            ]
            kept.append(_marked(*render_with_spans(text[start:end], moved)))
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
    corpora: Results,
    pairs: Path,
    hidden_cases: int,
    seed: int,
) -> pd.DataFrame:
    texts = chain.from_iterable(read_split(path, split="tested") for _, _, path in corpora)
    return tabulate_hidden_cases(
        verdicts,
        predictions,
        texts={text.original_id: text for text in texts},
        pairs={pair.pair_id: pair for pair in read_pairs(pairs)},
        count=hidden_cases,
        seed=seed,
    )


TABLE = Table(
    question="RQ1",
    title="Table 1: hidden cases",
    reads=("verdicts", "predictions", "corpora", "pairs"),
    settings=("hidden_cases", "seed"),
    warned=True,
    columns=COLUMNS,
    compute=_compute,
    marked="excerpt",
    latex_columns="rlllllp{3cm}p{8cm}ll",
    caption=(
        "Hidden intersectional bias: the outcome changes for the intersectional mutant and for "
        "none of its sub-mutants. Mutations are marked; sentences without mutations are left out."
    ),
    empty="Nothing to show: no mutant shows hidden bias.",
    about="""\
Hidden cases, in the form of the paper's Table 1: the outcome of the intersectional mutant differs
from that of the original, and the outcomes of its sub-mutants do not. Cases alternate between
models and between originals, in the order of a seeded hash. Only the sentences that change are
shown.
""",
)
