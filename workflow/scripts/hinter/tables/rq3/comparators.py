"""How the comparators of the invariant differ on one suite (RQ3)."""

import pandas as pd

from ..columns import rate_columns, with_both
from ..groups import LEVEL, row_per_group
from ..shown import each_as, in_percent, shown
from ..table import Part, Results, Table, open_results
from .agreement import count_agreement
from .volume import describe_left_out

# Mutants are first counted by the joint checks of all comparators, which are then separated: there
# are many mutants, but only a few such counts per original.
COUNTS = f"""
    WITH said AS (
        SELECT mutant_id, heads = 'valid' AS heads, strict = 'valid' AS strict,
            tolerant = 'valid' AS tolerant
        FROM comparators WHERE 'unchecked' NOT IN (tolerant, strict, heads)
    ),
    judged AS (
        SELECT dataset, model, mutant_id, original_id, {LEVEL} AS level, biased
        FROM full_verdicts SEMI JOIN discarded_runs USING (model, dataset)
        WHERE sampled IS NULL
    ),
    together AS (
        SELECT dataset, model, level, original_id, heads, strict, tolerant, count(*) AS n,
            count(biased) AS decided, count(*) FILTER (biased) AS biased
        FROM judged JOIN said USING (mutant_id)
        GROUP BY ALL
    ),
    apart AS (
        SELECT *, unnest(['heads', 'strict', 'tolerant']) AS comparator,
            unnest([heads, strict, tolerant]) AS passes
        FROM together
    )
    SELECT dataset, model, level, comparator, original_id, sum(n)::BIGINT AS n,
        coalesce(sum(n) FILTER (passes), 0)::BIGINT AS valid,
        coalesce(sum(n) FILTER (tolerant), 0)::BIGINT AS paper,
        coalesce(sum(n) FILTER (passes AND tolerant), 0)::BIGINT AS both_valid,
        coalesce(sum(decided) FILTER (passes), 0)::BIGINT AS decided_valid,
        coalesce(sum(biased) FILTER (passes), 0)::BIGINT AS biased_valid,
        coalesce(sum(decided) FILTER (NOT passes), 0)::BIGINT AS decided_discarded,
        coalesce(sum(biased) FILTER (NOT passes), 0)::BIGINT AS biased_discarded
    FROM apart
    GROUP BY ALL
    ORDER BY dataset, model, level, comparator, original_id
"""

KEYS = {
    "dataset": "name of the dataset",
    "model": "name of the model",
    "level": "level of the mutants: intersectional or atomic",
    "comparator": "tolerant, strict or heads",
}
COLUMNS = {
    **KEYS,
    "n": "mutants of the suite that no comparator leaves unchecked",
    "valid": "valid mutants of n",
    "valid_share_n": "n",
    **with_both("valid_share", "valid / n"),
    "agreement": "share of n on which the comparator agrees with the paper's",
    "kappa": "Cohen's kappa of the comparator and the paper's",
    "bias_valid_n": "valid mutants with a verdict by the model",
    **with_both("bias_valid", "share of these that is biased"),
    "bias_discarded_n": "discarded mutants with a verdict by the model",
    **with_both("bias_discarded", "share of these that is biased"),
}


def tabulate_comparators(verdicts: Results, comparators: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, model, level of mutants and comparator.

    Mutants of sampled orders are left out, and so are models that were run on no discarded mutants
    of a dataset.
    """
    counts = pd.concat([_count(verdicts, part) for part in comparators], ignore_index=True)
    rows = row_per_group(counts.sort_values(list(KEYS), kind="stable"), list(KEYS), _row, seed=seed)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _count(verdicts: Results, comparators: Part) -> pd.DataFrame:
    """Return the counts of one dataset by original: one at a time, to save memory and time."""
    of_dataset = [part for part in verdicts if part[1] == comparators[1]]
    connection = open_results(verdicts=of_dataset, comparators=[comparators])
    counts: pd.DataFrame = connection.execute(COUNTS).df()
    return counts


def _row(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    n, valid, paper, both = counts[["n", "valid", "paper", "both_valid"]].sum().tolist()
    # Valid under both, under one of them, under neither.
    agreement = count_agreement([both, valid - both, paper - both, n - valid - paper + both])
    return {
        "n": n,
        "valid": valid,
        **_rate("valid_share", counts["valid"], counts["n"], seed=seed),
        "agreement": round(agreement.share, 6),
        "kappa": round(agreement.kappa, 6),
        **_rate("bias_valid", counts["biased_valid"], counts["decided_valid"], seed=seed),
        **_rate(
            "bias_discarded", counts["biased_discarded"], counts["decided_discarded"], seed=seed
        ),
    }


def _rate(
    name: str, successes: "pd.Series[int]", trials: "pd.Series[int]", *, seed: int
) -> dict[str, float]:
    """Return a rate with its n and both its intervals, given its counts by original."""
    return {f"{name}_n": int(trials.sum()), **rate_columns(name, successes, trials, seed=seed)}


TABLE = Table(
    title="Comparators side by side",
    reads=("verdicts", "comparators"),
    settings=("seed",),
    only_if=("discarded",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_comparators,
    show=shown(
        *(*KEYS, "n"),
        in_percent("valid_share", "valid %", cluster="{} by original"),
        in_percent("bias_valid", "bias of valid %", cluster="{} by original"),
        in_percent("bias_discarded", "bias of discarded %", cluster="{} by original"),
        in_percent("agreement", "agreement %"),
        each_as(lambda kappa: "-" if pd.isna(kappa) else f"{kappa:.2f}", kappa="kappa"),
    ),
    notes=lambda given: describe_left_out(given["verdicts"]),
    caption=(
        "The comparators of the invariant on one suite of valid and discarded mutants: share of "
        "valid mutants, bias rate among valid and among discarded ones (95 % cluster bootstrap by "
        "original), and agreement with the paper's comparator (tolerant), with Cohen's kappa."
    ),
    empty="Nothing to show: no model was run on discarded mutants.",
    about="""\
*tolerant* is the paper's comparator; *strict* allows inserted tokens only inside replaced spans;
*heads* also requires the arcs of the dependency trees to agree. An invariant helps if discarded
mutants are biased more often than valid ones: it then excludes changes of outcome that are due to
broken sentences.
""",
)
