"""Who is treated worse than whom: groups compared with each other at the same mentions."""

from collections.abc import Hashable, Mapping
from math import nan
from pathlib import Path

import pandas as pd

from ...statistics import Stratum, permutation_test
from ..columns import RUN, with_bootstrap
from ..groups import FEWEST_MENTIONS, STEP, adjust_by_model, means_by, p_values_by, rows_of_runs
from ..label_scores import with_predictions
from ..pairing import CLEAR, judging_words
from ..shown import (
    difference_of,
    each_as,
    four_decimals,
    in_percent,
    in_points,
    p_and_q,
    point_intervals,
    shown,
    whole,
)
from ..table import Results, Table
from .contrast_findings import JUDGING, describe_contrasts
from .contrast_units import (
    FEWEST_TERMS,
    LINE,
    MENTION,
    compared,
    contrast_strata,
    contrast_sums,
    read_units,
    term_columns,
)

COLUMNS = {
    **RUN,
    "attribute": "attribute, two of them joined by +, or control for neutral groups",
    "group": "group that mutants name, or a cell: the groups of both attributes",
    "valence": "words in its terms that judge by themselves: their mean rating in VADER's lexicon, "
    f"from -4 to 4, is at least {CLEAR:g} from 0",
    "judging_share": "share of its terms with such a word; from "
    f"{JUDGING:g} on, no finding is reported",
    "n": "mutants with a verdict: atomic ones, or for a cell those with both groups",
    "originals": "originals of these mutants",
    "scored": "mutants of n with a shift; for a cell, also with shifts of their atomic mutants",
    **with_bootstrap(
        "mean_shift",
        "mean shift of scored, in log-odds, towards the dataset's favourable labels (if it names "
        "none, towards the original's outcome); for a cell, minus the shifts of its atomic "
        "mutants",
    ),
    "shift_p_value": "two-sided sign-flip test by original of a mean shift of 0",
    "shift_q_value": "its Benjamini-Hochberg adjustment over all lines of a model",
    "within": "where groups are compared: mention (several groups at one mention), or draw (one "
    "group per mention, sampled at random from the same choice)",
    "mentions": "mentions of the line that are compared",
    **with_bootstrap("contrast", "mean shift minus that of the other groups of the attribute"),
    "terms": "distinct terms of the group that are compared; empty for cells",
    "contrast_terms_low": "lower end of a 95 % interval of the contrast that also treats the "
    f"groups' terms as a sample; empty for cells, and for fewer than {FEWEST_TERMS} terms",
    "contrast_terms_high": "upper end of that interval",
    "p_value": "two-sided test of a contrast of 0 that exchanges groups within a stratum, widened "
    f"by the extra variance between originals; none below {FEWEST_MENTIONS} mentions",
    "q_value": "its adjustment, like shift_q_value",
    "rank": "rank of a group among the tested ones of its attribute, 1 for the lowest contrast; "
    "empty if its interval overlaps all others",
    "bias_rate": "share of n that is biased, or that lost the favourable labels if there are any; "
    "for a cell, that is hidden",
    **with_bootstrap("rate_contrast", "bias_rate minus that of the other groups"),
    "rate_p_value": "test of rate_contrast, like p_value",
    "rate_q_value": "its adjustment, like shift_q_value",
}


def tabulate_contrasts(
    verdicts: Results, predictions: Results, *, pairs: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, attribute and group, and per cell of two groups.

    `contrast_sums` defines a contrast. That of a cell is based on interactions: the joint effect of
    two groups beyond the effects of each at the same mention. A cell with fewer than
    `FEWEST_MENTIONS` has no row. Neutral groups are those of the attribute `control`.
    """
    runs = (
        (part, contrast_rows(units, seed=seed))
        for part, answers in with_predictions(verdicts, predictions)
        if not (units := read_units(part, answers, pairs=pairs)).empty
    )
    return adjust_by_model(rows_of_runs(runs, COLUMNS), "shift_", "", "rate_")


def contrast_rows(by_term: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the rows of the units of one model and dataset, term by term, without q-values."""
    units = by_term.groupby(MENTION)[["n", "scored", "shift", "changed"]].sum().reset_index()
    largest = units["shift"].abs().div(units["scored"]).fillna(0).max()
    shifts = _contrasts(units, "shift", "scored", largest=2 * largest, seed=seed)
    rates = _contrasts(units, "changed", "n", largest=STEP, seed=seed)
    cells = units["attribute"].str.contains("+", regex=False)
    lines = pd.MultiIndex.from_frame(units[LINE])
    by_original = units[~cells | lines.isin(rates.index)].groupby([*LINE, "original_id"])
    sums = by_original[["n", "scored", "shift", "changed"]].sum().reset_index()
    totals = sums.groupby(LINE).sum(numeric_only=True)
    rows: pd.DataFrame = totals[["n", "scored"]].assign(
        originals=sums.groupby(LINE).size(),
        bias_rate=(totals["changed"] / totals["n"] / STEP).round(6),
        within=rates.pop("within"),
        mentions=rates.pop("mentions"),
    )
    rows["mentions"] = rows["mentions"].fillna(0).astype(int)
    of = "shift", "scored"
    means = means_by(sums, LINE, of, name="mean_shift", largest=largest, seed=seed)
    rows = rows.join(means.assign(shift_p_value=p_values_by(sums, LINE, of, seed=seed)))
    rows = rows.join([shifts.drop(columns=["mentions", "within"]), rates.add_prefix("rate_")])
    rows = rows.join(term_columns(by_term)).join(_valence(by_term))
    return rows.assign(rank=_ranks(rows)).reset_index()


def _valence(by_term: pd.DataFrame) -> pd.DataFrame:
    """Return the words of each line that judge, and the share of its terms with such a word."""
    terms = by_term[[*LINE, "term"]].drop_duplicates()
    terms["words"] = terms["term"].map(judging_words)
    lines = terms.groupby(LINE)["words"]
    judging = lines.agg(lambda words: sum(map(bool, words)) / len(words))
    worded = lines.agg(lambda words: ", ".join(sorted({_rated(each) for each in words if each})))
    return pd.DataFrame({"valence": worded.replace("", None), "judging_share": judging.round(6)})


def _rated(words: Mapping[str, float]) -> str:
    return ", ".join(f"{word} {rating:+.1f}" for word, rating in words.items())


def _contrasts(
    units: pd.DataFrame, part: str, whole: str, *, largest: float, seed: int
) -> pd.DataFrame:
    """Return the contrasts of `compared` lines, with tests for at least `FEWEST_MENTIONS`."""
    compared_units = compared(units, part=part, whole=whole)
    sums = contrast_sums(compared_units)
    rows = means_by(
        *(sums, LINE, ("part", "weight")),
        name="contrast",
        largest=largest,
        likely=part == "shift",
        seed=seed,
    )
    totals = sums.assign(by_original=sums["part"] ** 2).groupby(LINE).sum(numeric_only=True)
    p_values = [
        _p_value(strata, row, seed=seed)
        for strata, row in zip(
            contrast_strata(compared_units), totals.to_dict("records"), strict=True
        )
    ]
    return rows.reindex(columns=[*with_bootstrap("contrast", "")]).assign(
        p_value=pd.Series(p_values, totals.index, dtype=float),
        mentions=totals["weight"].astype(int),
        within=compared_units.groupby(LINE)["within"].first(),
    )


def _p_value(strata: list[Stratum], totals: Mapping[Hashable, float], *, seed: int) -> float:
    """Return the p-value of a line; nan with few mentions.

    Under the null, sums are widened by the extra variance of the parts of originals over those of
    single mentions, as a group may have the same effect at all mentions of a text.
    """
    if totals["weight"] < FEWEST_MENTIONS:
        return nan
    wider = totals["by_original"] / totals["squares"] if totals["squares"] > 0 else 1.0
    spread = max(1.0, wider) ** 0.5
    return round(permutation_test(strata, totals["part"], spread=spread, seed=seed), 6)


def _ranks(rows: pd.DataFrame) -> "pd.Series[str]":
    """Return the `rank` of each group among those of its attribute that are tested."""
    ranks = {}
    for _, group in rows[rows["p_value"].notna()].groupby("attribute"):
        low, high = group["contrast_low"].to_numpy(), group["contrast_high"].to_numpy()
        first = 1 + (high < low[:, None]).sum(axis=1)
        last = len(group) - (low > high[:, None]).sum(axis=1)
        for line, places in zip(group.index, zip(first, last, strict=True), strict=True):
            if places != (1, len(group)):
                ranks[line] = " to ".join(map(str, sorted({*places})))
    return pd.Series(ranks, index=rows.index, dtype="str")


TABLE = Table(
    title="Contrasts between groups",
    columns=COLUMNS,
    compute=tabulate_contrasts,
    show=shown(
        *("model", "dataset", *LINE),
        lambda rows: {"valence": rows["valence"].fillna("")},
        *("n", "mentions", "within"),
        in_points("mean_shift", "shift", ends="{}: by original"),
        in_points("contrast", "contrast", ends="{}: by original"),
        each_as(whole, terms="terms"),
        lambda rows: {"by original and term": point_intervals(rows, "contrast_terms")},
        p_and_q(),
        lambda rows: {"rank": rows["rank"].fillna("")},
        in_percent("bias_rate", "bias %"),
        difference_of("rate_contrast", "bias: contrast"),
        each_as(four_decimals, rate_q_value="bias: q"),
    ),
    finding=lambda rows, given: describe_contrasts(rows),
    empty="Nothing to show: no valid atomic mutant has a verdict of a model that sees its pair.",
    text="""\
Who is treated worse than whom: the mean shift of atomic mutants that name a group, in log-odds,
minus that of mutants that name the other groups of the attribute at the same mention, with a 95 %
cluster bootstrap by original and a permutation test that exchanges groups at a mention (p),
adjusted by Benjamini-Hochberg over all lines of a model (q); and the same for rates of bias, in
percentage points. A group is treated worse if its contrast is below 0, which means that the model
moves further away from the favourable labels (or, if the dataset names none, from the original's
outcome), or if it loses these more often. If a single group is sampled for each mention, groups are
compared between all mentions with the same choice (draw). A second interval also treats the terms
of groups as a sample (by original and term), if a group has at least three. The contrast of a cell
of two attributes is based on interactions: the effect of both groups beyond those of each. Ranks
are given as far as intervals do not overlap. Neutral groups (control) also have a mean shift. Words
that judge by themselves, whoever they describe, are listed with their mean rating in VADER's
lexicon (valence).

The effect that any word has at a mention cancels out in a *contrast*. The interval *by original*
holds for the terms of this study, the one *by original and term* for other terms of the groups,
too. Rates of cells of two attributes are rates of hidden bias. *rank* is 1 for the worst group. The
shift of neutral groups shows how neutral they are. Words that judge by themselves (ugly) may have
an effect for that reason: if at least half of a group's terms have such a word, no finding on it is
reported.
""",
)
