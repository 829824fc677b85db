"""Groups compared with each other at the same mentions: the units, their sums, and their terms."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
import scipy

from ...statistics import Stratum
from ..groups import FEWEST_MENTIONS, STEP
from ..table import Part
from .interaction_terms import open_terms

LINE = ["attribute", "group"]
"""The keys of a line. In a cell, both attributes and both groups are joined."""

MENTION = [*LINE, "original_id", "position", "choice"]
"""The keys of a unit: a group at a mention."""

# A source term has the same spans in all mutants of a text. Groups are sampled from its `choice`.
NAMED = """
    CREATE TABLE named AS
    WITH choices AS (
        SELECT attribute, source_group, source,
            md5(string_agg(target_group, ' ' ORDER BY target_group)) AS choice
        FROM pairs GROUP BY ALL
    )
    SELECT pair_id, target_group AS "group", target AS term,
        source_group || ' ' || source AS source, choice
    FROM pairs JOIN choices USING (attribute, source_group, source)
"""

# In hundredths. The shift of a cell is what both groups add to the sum of their single shifts. If
# the original's outcome is unfavourable, a shift away from it is an improvement.
DESCRIBED = """
    CREATE VIEW described AS
    WITH all_verdicts AS (
        SELECT *, if(favoured IS FALSE, -1, 1) AS sign
        FROM (FROM counted_verdicts UNION ALL BY NAME FROM control_verdicts)
    )
    SELECT attributes, original_id, pair_ids, sign * round(100 * shift)::BIGINT AS shift,
        coalesce(worse, biased) AS changed
    FROM all_verdicts WHERE "order" = 1
    UNION ALL
    SELECT terms.attributes, terms.original_id, pair_ids, sign * interaction,
        terms.hidden AND coalesce(worse, true)
    FROM terms JOIN all_verdicts USING (mutant_id) WHERE terms."order" = 2 AND NOT terms.control
"""

UNITS = """
    SELECT attributes AS attribute, concat_ws(' + ', one."group", two."group") AS "group",
        original_id, concat_ws('|', one.source, two.source) AS position,
        concat_ws('|', one.choice, two.choice) AS choice,
        concat_ws('|', one.term, two.term) AS term,
        count(*) AS n, count(shift) AS scored, coalesce(sum(shift), 0)::BIGINT AS shift,
        100 * count(*) FILTER (changed) AS changed
    FROM described
    JOIN named AS one ON one.pair_id = pair_ids[1]
    LEFT JOIN named AS two ON two.pair_id = pair_ids[2]
    GROUP BY ALL ORDER BY ALL
"""


def read_units(verdicts: Part, predictions: Part, *, pairs: Path) -> pd.DataFrame:
    """Return a row per `MENTION` and term, also neutral ones, of one model on one dataset.

    A mention is a source term in an original, or two of them for two attributes. `n` mutants name
    the group there. `scored` ones have a `shift`, which is summed in hundredths; `changed` ones are
    biased. For a cell, two groups of two attributes, the shift is the interaction, and a changed
    mutant has hidden bias. If the dataset names favourable labels, shifts are towards them, and
    changed mutants have lost them.
    """
    connection = open_terms(verdicts, predictions, pairs=pairs)
    connection.execute(NAMED)
    connection.execute(DESCRIBED)
    units: pd.DataFrame = connection.execute(UNITS).df()
    return units


def compared(units: pd.DataFrame, *, part: str, whole: str) -> pd.DataFrame:
    """Return the units that can be compared with another group, with their `value` and `stratum`.

    The value is the mean `part` of the `whole` mutants. If at least half of an attribute's units
    share their mention with another group, its strata are the mentions. Otherwise its groups are
    sampled at random for each mention, and its strata are all mentions with the same choice of
    groups, if there are at least `FEWEST_MENTIONS`. `within` says which.
    """
    units = units[units[whole] > 0]
    mention = ["attribute", "original_id", "position"]
    compared_units = units.groupby(mention)["group"].transform("size") > 1
    paired = compared_units.groupby(units["attribute"]).transform("mean") >= 0.5
    mentions, choices = (
        units.groupby(keys).ngroup() for keys in (mention, ["attribute", "choice"])
    )
    units = units.assign(
        value=units[part] / units[whole],
        stratum=mentions.where(paired, -1 - choices),
        within=paired.map({True: "mention", False: "draw"}),
    )
    strata = units.groupby("stratum")["group"]
    enough = paired | (strata.transform("size") >= FEWEST_MENTIONS)
    kept = enough & (strata.transform("nunique") > 1)
    return units.loc[kept, [*LINE, "original_id", "position", "value", "stratum", "within"]]


def contrast_sums(units: pd.DataFrame) -> pd.DataFrame:
    """Return a row per line and original, given the `compared` units.

    The ratio of the sums of `part` and of `weight` is the contrast of a line: the mean, over its
    units, of the value minus the mean of the other groups' values in the stratum. The part is an
    original's contribution, by its own units and by those of other groups that they are compared
    with; the weight counts its own units. `squares` sums the squared parts of its mentions.
    """
    lines = lines_of(units)
    own = units.drop(columns="within").merge(lines, on=["stratum", *LINE])
    own = own.assign(part=(1 + own["odds"]) * (own["value"] - own["others"]), weight=1)
    places = ["stratum", "original_id", "position"]
    mentions = units.groupby(places)["value"].agg(["sum", "size"]).reset_index()
    compared_units = lines.merge(mentions, on="stratum")
    less = compared_units["sum"] - compared_units["size"] * compared_units["others"]
    compared_units = compared_units.assign(part=-compared_units["odds"] * less, weight=0)
    by_mention = pd.concat([own, compared_units]).groupby([*LINE, "original_id", "position"])
    sums = by_mention[["part", "weight"]].sum().assign(squares=lambda each: each["part"] ** 2)
    return sums.groupby([*LINE, "original_id"]).sum().reset_index()


def contrast_strata(units: pd.DataFrame) -> Iterator[list[Stratum]]:
    """Yield the strata of each line, whose sampled units add up to the sum of its parts.

    Under the null, groups are exchanged at random between the units of a stratum.
    """
    values = {
        key: (each - each.mean()).to_numpy() for key, each in units.groupby("stratum")["value"]
    }
    for _, lines in lines_of(units).groupby(LINE):
        columns = (lines[name].tolist() for name in ("stratum", "odds", "own"))
        yield [
            Stratum((1 + odds) * values[stratum], own)
            for stratum, odds, own in zip(*columns, strict=True)
        ]


def lines_of(units: pd.DataFrame) -> pd.DataFrame:
    """Return a row per stratum and line, without cells with fewer than `FEWEST_MENTIONS`.

    `own` counts the line's units, `others` is the mean of all others, and `odds` the ratio of both
    numbers.
    """
    lines = units.groupby(["stratum", *LINE])["value"].agg(["sum", "size"]).reset_index()
    often = lines.groupby(LINE)["size"].transform("sum") >= FEWEST_MENTIONS
    whole = units.groupby("stratum")["value"].agg(["sum", "size"]).loc[lines["stratum"]]
    left = whole.reset_index(drop=True) - lines[["sum", "size"]]
    lines = lines.assign(
        own=lines["size"], others=left["sum"] / left["size"], odds=lines["size"] / left["size"]
    )
    kept = often | ~lines["attribute"].str.contains("+", regex=False)
    return lines.loc[kept, ["stratum", *LINE, "own", "others", "odds"]]


FEWEST_TERMS = 3
"""With fewer terms in a group, their variance cannot be estimated."""


def term_columns(by_term: pd.DataFrame) -> pd.DataFrame:
    """Return the `terms` of each group, and the interval of its contrast with terms as a sample.

    `by_term` has the units of `read_units`; cells are left out. To the variance by original is
    added the variance of the means of terms, of the group and of the others, beyond what terms in
    single originals explain: the variance components of a model with crossed random effects of
    originals and terms, by the method of moments. The ends use Student's t with the degrees of
    freedom of Satterthwaite (1946, doi:10.2307/3002019). They are nan for fewer than
    `FEWEST_TERMS`.
    """
    cells = by_term["attribute"].str.contains("+", regex=False)
    by_term = by_term[(by_term["scored"] > 0) & ~cells]
    units = by_term.groupby(MENTION)[["scored", "shift"]].sum().reset_index()
    units = compared(units, part="shift", whole="scored")
    sums = contrast_sums(units)
    totals = sums.groupby(LINE)[["part", "weight"]].sum()
    own = _parts(by_term, units)
    text, n = _variance(_rests(sums, totals, ["original_id"]), totals)
    rests = _rests(own, totals, ["term", "original_id"])
    of_terms, terms = _variance(rests.groupby([*LINE, "term"]).sum(), totals)
    # A single term has no variance.
    extra = (of_terms - _noise(rests) / totals["weight"] ** 2).clip(lower=0).where(terms > 1)
    number = totals["weight"]
    others = _sum_of_others(number)
    from_others = _sum_of_others(extra * number**2) / others**2
    slack = _sum_of_others((extra * number**2) ** 2 / (terms - 1)) / others**4
    variance = text + extra + from_others
    freedom = variance**2 / (text**2 / (n - 1) + extra**2 / (terms - 1) + slack)
    reach = variance**0.5 * scipy.stats.t.ppf(0.975, freedom)
    reach = reach.where(terms >= FEWEST_TERMS) / STEP
    contrast = totals["part"] / number / STEP
    ends = {"contrast_terms_low": contrast - reach, "contrast_terms_high": contrast + reach}
    return pd.DataFrame(ends).round(6).assign(terms=terms.astype("Int64"))


def _parts(by_term: pd.DataFrame, units: pd.DataFrame) -> pd.DataFrame:
    """Return the contribution of each term to its group's contrast, and its weight, by mention."""
    mention = [*LINE, "original_id", "position"]
    others = lines_of(units)[["stratum", *LINE, "others"]]
    own = by_term.merge(units[[*mention, "stratum"]], on=mention).merge(others)
    weight = own["scored"] / own.groupby(mention)["scored"].transform("sum")
    return own.assign(weight=weight, part=weight * (own["shift"] / own["scored"] - own["others"]))


def _rests(sums: pd.DataFrame, totals: pd.DataFrame, clusters: Sequence[str]) -> "pd.Series[float]":
    """Return how much more each cluster adds to the sum of a line than its weight's share."""
    total = totals.loc[pd.MultiIndex.from_frame(sums[LINE])].to_numpy()
    rests = sums["part"] - sums["weight"] * total[:, 0] / total[:, 1]
    by_cluster: pd.Series[float] = rests.groupby([sums[name] for name in (*LINE, *clusters)]).sum()
    return by_cluster


def _variance(
    rests: "pd.Series[float]", totals: pd.DataFrame
) -> tuple["pd.Series[float]", "pd.Series[int]"]:
    """Return the variance of each contrast over clusters with these rests, and their number."""
    squares = (rests**2).groupby(LINE).agg(["sum", "size"]).reindex(totals.index)
    n = squares["size"]
    return squares["sum"] * n / (n - 1) / totals["weight"] ** 2, n


def _noise(rests: "pd.Series[float]") -> "pd.Series[float]":
    """Return the sum of squares that is due to single texts, by line.

    If a text has several terms of a group, their common part is not noise of a term.
    """
    text = rests.groupby([*LINE, "original_id"])
    size = text.transform("size")
    centred = (rests - text.transform("mean")) ** 2 * size / (size - 1)
    return centred.where(size > 1, rests**2).groupby(LINE).sum()


def _sum_of_others(values: "pd.Series[float]") -> "pd.Series[float]":
    """Return the sum over the other groups of the attribute whose value is known."""
    return values.groupby("attribute").transform("sum") - values.fillna(0)
