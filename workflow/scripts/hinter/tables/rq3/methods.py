"""Studies of several methods compared: mutants, soundness, bias and hidden bias (RQ3)."""

from collections.abc import Mapping
from itertools import chain, product

import pandas as pd

from ...mutation import MENTION_RULES, RULES
from ...operators import OPERATORS, TERMS
from ..columns import with_bootstrap, with_both, with_wilson
from ..groups import BY_REASON, in_columns, shares_by
from ..shown import in_percent, shown, titled
from ..table import Inputs, Table, open_results
from .compared_studies import describe_differences, read_studies

HALF = "test"
"""The half of the assessed originals that no rule was developed on."""
LEVELS = {"atomic": 1, "intersectional": 2}
"""The order of the assessed mutants of a level."""

MUTANTS = f"""
    SELECT dataset, "order", count(DISTINCT original_id) AS originals, {BY_REASON}
    FROM counts WHERE mutants > 0 GROUP BY ALL
"""
# Mutants with the same pairs and original count as the same, whatever else changes with the pairs.
KEPT = f"""
    SELECT corpora.dataset, assessed."order", assessed.original_id,
        count(DISTINCT assessed.mutant_id) AS sound_literal,
        count(DISTINCT assessed.mutant_id) FILTER (half = '{HALF}') AS sound_literal_{HALF},
        count(DISTINCT made.mutant_id) AS kept
    FROM assessed JOIN corpora USING (original_id)
    LEFT JOIN (SELECT dataset, mutant_id FROM recipes WHERE valid) AS made
        ON made.dataset = corpora.dataset AND made.mutant_id = assessed.mutant_id
    WHERE sample IN ('literal', 'comparators') AND sound AND tolerant = 'valid' AND tested
    GROUP BY ALL ORDER BY ALL
"""

MADE = ["originals", "mutants", "valid", "unchecked"]
KEPT_COUNTS = ["sound_literal", "sound_literal_test", "kept"]
TESTED = {
    "n": "valid mutants with a verdict",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "hidden": "biased mutants whose sub-mutants are all valid, were all run and are all benign",
    **with_wilson("hidden_rate", "hidden / biased"),
    "complete": "biased mutants whose sub-mutants are all valid and were all run",
    **with_wilson("hidden_rate_complete", "hidden / complete"),
}
COLUMNS = {
    "method": "name of the study",
    "operators": "operators that make its mutants: literal (the paper's), coherent, describe",
    "rules": "number of rules of occurrences",
    "dataset": "name of the dataset",
    "model": "name of the model",
    "order": "number of attributes that the mutants change",
    "originals": "tested texts that have mutants",
    "mutants": "exact number of mutants",
    "valid": "valid mutants",
    "unchecked": "mutants with a sentence that is not checked",
    "valid_share": "valid / (mutants - unchecked)",
    "read": "valid mutants of this method and dataset that were read, in the test half",
    "sound": "sound mutants of read",
    **with_bootstrap("precision", "sound / read"),
    "sound_literal": "sound mutants among the valid literal mutants of its texts that were read",
    "sound_literal_test": "mutants of sound_literal in the test half",
    "kept": "mutants of sound_literal for which the study has a valid mutant of the same pairs",
    **with_bootstrap("recall", "kept / sound_literal"),
    **TESTED,
}


def tabulate_methods(studies: Mapping[str, Inputs], *, seed: int) -> pd.DataFrame:
    """Return a row per study, dataset, order and model, the studies in the order given.

    `studies` has the inputs of tables for each (see `read_studies`).
    """
    rows = [_rows(given, seed=seed).assign(method=name) for name, given in studies.items()]
    counts = [*MADE, "read", "sound", *KEPT_COUNTS, "n", "biased", "hidden", "complete"]
    return pd.concat(rows, ignore_index=True)[list(COLUMNS)].astype(dict.fromkeys(counts, "Int64"))


def _rows(given: Inputs, *, seed: int) -> pd.DataFrame:
    """Return the rows of a study."""
    runs = pd.DataFrame([part[:2] for part in given["predictions"]], columns=["model", "dataset"])
    orders = [*given["orders"], *given["sample"]["orders"]]
    keys = pd.DataFrame(product(runs["dataset"].unique(), orders), columns=["dataset", "order"])
    made = keys.merge(_mutants(given), how="left").fillna(dict.fromkeys(MADE, 0))
    read = made.merge(_read(given), how="left").merge(_kept(given, seed=seed), how="left")
    rows = read.merge(runs, how="left").merge(_tested(given), how="left")
    operators, rules = _made(given)
    return rows.fillna({"n": 0, "biased": 0}).assign(operators=operators, rules=len(rules))


def _made(given: Inputs) -> tuple[str, set[str]]:
    """Return how a study makes mutants, and the rules that exclude words."""
    mutation = given["mutation"]
    rules = (
        mutation["occurrences" if OPERATORS[name].sheets == TERMS else "mentions"]
        for name in mutation["operators"]
    )
    return ", ".join(mutation["operators"]), {*chain(*rules)}


def _mutants(given: Inputs) -> pd.DataFrame:
    """Return how many mutants there are, by dataset and order."""
    rows: pd.DataFrame = open_results(counts=given["counts"]).execute(MUTANTS).df()
    share = (rows["valid"] / (rows["mutants"] - rows["unchecked"])).round(6)
    return rows[["dataset", "order", *MADE]].assign(valid_share=share)


def _read(given: Inputs) -> pd.DataFrame:
    """Return how many of the mutants that were read are sound, by dataset and order.

    They count for a study only if its mutants are made and checked in the same way.
    """
    rows: pd.DataFrame = given["substitutions"]
    alike = (
        (rows["substitution"] == _read_like(given)) & (rows["half"] == HALF) & (rows["read"] > 0)
    )
    columns = ["dataset", "order", "read", "sound", *with_bootstrap("precision", "")]
    return rows.assign(order=rows["level"].map(LEVELS))[alike][columns]


def _read_like(given: Inputs) -> str | None:
    """Return the kind of assessed mutants that are made in the same way as those of a study."""
    known = {
        "literal": ("literal", set()),
        "coherent": ("coherent", {*RULES}),
        "described": ("describe", {*MENTION_RULES}),
    }
    tolerant = given["invariant"]["comparator"] == "tolerant"
    return next((kind for kind, how in known.items() if _made(given) == how and tolerant), None)


def _kept(given: Inputs, *, seed: int) -> pd.DataFrame:
    """Return how many sound literal mutants a study still has, by dataset and order."""
    connection = open_results(corpora=given["corpora"], recipes=given["recipes"])
    connection.register("assessed", given["assessed"])
    sums, recall = connection.execute(KEPT).df(), {"recall": ("kept", "sound_literal")}
    rows = shares_by(sums, ["dataset", "order"], recall, seed=seed)
    return in_columns(rows, ["dataset", "order", *KEPT_COUNTS, *with_bootstrap("recall", "")])


def _tested(given: Inputs) -> pd.DataFrame:
    """Return the rates of models by dataset, model and order, from the tables that have them."""
    atomic = given["corrected_rates"].query("level == 'atomic'").assign(order=1)
    rows: pd.DataFrame = pd.concat([atomic, given["table2_bias_rates"]])
    return rows.reindex(columns=["dataset", "model", "order", *TESTED])


TABLE = Table(
    title="Methods side by side",
    reads=(
        "studies",
        "assessed",
        "corpora",
        "counts",
        "predictions",
        "recipes",
        "substitutions",
        "corrected_rates",
        "table2_bias_rates",
    ),
    settings=(
        "attributes",
        "compared",
        "invariant",
        "mutation",
        "orders",
        "outcome_statuses",
        "sample",
        "seed",
        "suite",
    ),
    only_if=("compared studies",),
    columns=COLUMNS,
    compute=lambda **given: tabulate_methods(read_studies(given), seed=given["seed"]),
    show=shown(
        *("method", "operators", "rules", "dataset", "model", "order", "originals", "mutants"),
        in_percent("valid_share", "valid %"),
        in_percent("precision", "sound % of valid", ends="{}: by original"),
        in_percent("recall", "recall %", ends="{}: by original"),
        titled(n="tested"),
        in_percent("bias_rate", "bias %", cluster="{}: by original"),
        in_percent("hidden_rate", "hidden % of biased", ends="{}: Wilson"),
        in_percent("hidden_rate_complete", "hidden % of complete", ends="{}: Wilson"),
    ),
    notes=lambda given: describe_differences(read_studies(given)),
    empty="Nothing to show: no model was run.",
    text="""\
Studies of the same texts and models compared; notes below list differences other than the way in
which terms are substituted. Numbers of mutants are exact. Sound is the share of valid mutants whose
grammar and meaning survive, among those that were read for the same dataset, order and kind of
substitution in the test half, on which no rule was developed; the table of sound mutants by kind of
substitution says who read them. Recall is the share of the sound literal mutants that were read for
which the study has a valid mutant of the same pairs; rules keep more of those outside the test
half. Hidden is the share of the biased mutants whose sub-mutants are all valid, were run and are
benign, among all biased ones and among those whose sub-mutants are all valid and were all run.
Intervals are 95 %: Wilson's, and cluster bootstraps by original.

Methods are, for example, the paper's literal substitution, and coherent substitution with and
without rules of occurrences. Each method tests a model on other mutants, so differences are not
paired.
""",
)
