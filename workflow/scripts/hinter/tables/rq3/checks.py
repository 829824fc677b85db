"""What checks of the invariant separate: grammar by check, and comparators side by side (RQ3)."""

from math import nan

import pandas as pd

from ...statistics import bootstrap_difference, count_agreement, likely_bounds
from ..columns import number_columns, with_bootstrap, with_both
from ..groups import LEVEL, in_columns, name_totals, rates_by, row_per_group, split_checks
from ..rq2.figure5_grammar import CHANGE, COLUMNS, PAIRS, SCORE, SHOWN_SCORES, SUMS, score_columns
from ..shown import each_as, in_percent, in_points, shown
from ..table import Results, Table, query_results
from .discarded import describe_left_out

QUERY = f"""
    SELECT dataset, level, "check", cluster, {SUMS}
    FROM ({PAIRS})
    GROUP BY CUBE (dataset, level), "check", cluster
    ORDER BY dataset NULLS FIRST, level NULLS FIRST, "check" DESC, cluster
"""
GRAMMAR_KEYS = ["dataset", "level", "check"]
COMPARED = {
    "score_valid_minus_discarded": ("mutants", SCORE),
    "difference_valid_minus_discarded": ("change", CHANGE),
}
"""The columns that compare valid with discarded mutants, with their totals and their bounds."""

MORE = {
    **with_bootstrap(
        "score_valid_minus_discarded", "score_mutants of valid mutants minus that of discarded ones"
    ),
    **with_bootstrap(
        "difference_valid_minus_discarded",
        "difference of valid mutants minus that of discarded ones",
    ),
}


def tabulate_discarded(grammar: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, level of mutants and check.

    The columns are those of `score_columns`. The rows of discarded mutants also have the values of
    the valid mutants minus their own, for `score_mutants` and `difference`. The latter allows for
    valid and discarded mutants of different originals, or of the same ones in different numbers.
    The intervals resample valid and discarded mutants together.
    """
    sums = name_totals(query_results(QUERY, grammar=grammar), "dataset", "level")
    rows = row_per_group(sums, GRAMMAR_KEYS, score_columns, seed=seed)
    compared = row_per_group(sums, GRAMMAR_KEYS[:-1], _compare, seed=seed).assign(check="discarded")
    rows = rows.join(compared.set_index("check", append=True))
    return in_columns(rows, [*GRAMMAR_KEYS, *COLUMNS, *MORE])


def _compare(sums: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = sums[sums["n"] > 0].assign(change=sums["mutants"] - sums["originals"])
    valid, discarded = split_checks(sums, ["weight", "mutants", "change"])
    numbers: dict[str, float] = {}
    for name, (total, bounds) in COMPARED.items():
        sides = [(side[total].tolist(), side["weight"].tolist()) for side in (valid, discarded)]
        means = [sum(parts) / sum(weights) if any(weights) else nan for parts, weights in sides]
        both = [[*first, *second] for first, second in zip(*sides, strict=True)]
        likely = likely_bounds(*both, bounds=bounds)
        interval = bootstrap_difference(*sides, bounds=likely, seed=seed)
        numbers |= number_columns(name, means[0] - means[1], interval)
    return numbers


FIGURE8_DISCARDED = Table(
    title="Figure 8 as a table: grammar of discarded mutants",
    only_if=("grammar", "discarded"),
    columns={
        "dataset": "name of the dataset, or all",
        "level": "level of the mutants: all, intersectional or atomic",
        "check": "the invariant's check: valid or discarded",
        **COLUMNS,
        **MORE,
    },
    compute=tabulate_discarded,
    show=shown(
        *GRAMMAR_KEYS,
        *SHOWN_SCORES,
        *(
            in_points(name, f"{what}: valid - discarded", ends="{}: by original")
            for what, name in zip(("score", "difference"), COMPARED, strict=True)
        ),
    ),
    empty="Nothing to show: no mutant has a grammar score.",
    text="""\
Grammar scores of valid and of discarded mutants and of their originals: means over the same pairs,
weighted by the tokens of the original, and their difference, in points of 100, with a 95 % cluster
bootstrap by original. The last columns subtract discarded from valid mutants: in score, which also
depends on their originals, and in difference from the originals, which does not.

Scores are LanguageTool's. Right: the difference between mutants and their originals.
""",
)


COUNTS = f"""
    WITH checked AS (
        SELECT v.dataset, v.model, {LEVEL} AS level, original_id, biased,
            c.tolerant = 'valid' AS paper,
            unnest(['heads', 'strict', 'tolerant']) AS comparator,
            unnest([c.heads, c.strict, c.tolerant]) = 'valid' AS passes
        FROM (FROM full_verdicts SEMI JOIN discarded_runs USING (model, dataset)) AS v
        JOIN comparators AS c USING (mutant_id)
        WHERE sampled IS NULL AND 'unchecked' NOT IN (c.tolerant, c.strict, c.heads)
    )
    SELECT dataset, model, level, comparator, original_id, count(*) AS n,
        count(*) FILTER (passes) AS valid, count(*) FILTER (paper) AS paper,
        count(*) FILTER (passes AND paper) AS both_valid,
        count(biased) FILTER (passes) AS decided_valid,
        count(*) FILTER (biased AND passes) AS biased_valid,
        count(biased) FILTER (NOT passes) AS decided_discarded,
        count(*) FILTER (biased AND NOT passes) AS biased_discarded
    FROM checked GROUP BY ALL
    ORDER BY dataset, model, level, comparator, original_id
"""

COMPARATOR_KEYS = {
    "dataset": "name of the dataset",
    "model": "name of the model",
    "level": "level of the mutants: intersectional or atomic",
    "comparator": "tolerant, strict or heads",
}
RATES = {
    "valid_share": ("valid", "n"),
    "bias_valid": ("biased_valid", "decided_valid"),
    "bias_discarded": ("biased_discarded", "decided_discarded"),
}
COMPARATOR_COLUMNS = {
    **COMPARATOR_KEYS,
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
    # One dataset at a time, to save memory and time.
    counts = [
        query_results(COUNTS, comparators=[part], verdicts=[v for v in verdicts if v[1] == part[1]])
        for part in comparators
    ]
    sums = pd.concat(counts, ignore_index=True).sort_values(list(COMPARATOR_KEYS), kind="stable")
    rows = rates_by(sums, list(COMPARATOR_KEYS), RATES, seed=seed)
    rows = rows.join(row_per_group(sums, list(COMPARATOR_KEYS), _agreement))
    rows = rows.assign(**{f"{name}_n": rows[whole] for name, (_, whole) in RATES.items()})
    return in_columns(rows, COMPARATOR_COLUMNS)


def _agreement(counts: pd.DataFrame) -> dict[str, float]:
    n, valid, paper, both = counts[["n", "valid", "paper", "both_valid"]].sum().tolist()
    # Valid under both, under one of them, under neither.
    agreement = count_agreement([both, valid - both, paper - both, n - valid - paper + both])
    return {"agreement": round(agreement.share, 6), "kappa": round(agreement.kappa, 6)}


COMPARATORS = Table(
    title="Comparators side by side",
    only_if=("discarded",),
    columns=COMPARATOR_COLUMNS,
    compute=tabulate_comparators,
    show=shown(
        *(*COMPARATOR_KEYS, "n"),
        in_percent("valid_share", "valid %", cluster="{} by original"),
        in_percent("bias_valid", "bias of valid %", cluster="{} by original"),
        in_percent("bias_discarded", "bias of discarded %", cluster="{} by original"),
        in_percent("agreement", "agreement %"),
        each_as(lambda kappa: "-" if pd.isna(kappa) else f"{kappa:.2f}", kappa="kappa"),
    ),
    notes=lambda given: describe_left_out(given["verdicts"]),
    empty="Nothing to show: no model was run on discarded mutants.",
    text="""\
The comparators of the invariant on one suite of valid and discarded mutants: share of valid
mutants, bias rate among valid and among discarded ones (95 % cluster bootstrap by original), and
agreement with the paper's comparator (tolerant), with Cohen's kappa.

*tolerant* is the paper's comparator; *strict* allows inserted tokens only inside replaced spans;
*heads* also requires the arcs of the dependency trees to agree. An invariant helps if discarded
mutants are biased more often than valid ones: it then excludes changes of outcome that are due to
broken sentences.
""",
)
