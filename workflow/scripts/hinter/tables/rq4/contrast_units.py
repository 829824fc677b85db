"""Groups compared with each other at the same mentions: what is compared, and its sums."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ...statistics import Stratum
from ..groups import FEWEST_MENTIONS
from ..table import Part
from .interaction_terms import open_terms

LINE = ["attribute", "group"]
"""The keys of a line. Of a cell, both attributes and both groups are joined."""

MENTION = [*LINE, "original_id", "place", "choice"]
"""The keys of a unit: a group at a mention."""

# A source is at the same places in all mutants of a text. Its `choice` is what is drawn from.
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

# In hundredths. Of a cell, the shift is what both groups together add to those of each. Where the
# original's outcome is not favourable, a shift away from it is one for the better.
TOLD = """
    CREATE VIEW told AS
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
        original_id, concat_ws('|', one.source, two.source) AS place,
        concat_ws('|', one.choice, two.choice) AS choice,
        concat_ws('|', one.term, two.term) AS term,
        count(*) AS n, count(shift) AS scored, coalesce(sum(shift), 0)::BIGINT AS shift,
        100 * count(*) FILTER (changed) AS changed
    FROM told
    JOIN named AS one ON one.pair_id = pair_ids[1]
    LEFT JOIN named AS two ON two.pair_id = pair_ids[2]
    GROUP BY ALL ORDER BY ALL
"""


def read_units(verdicts: Part, predictions: Part, *, pairs: Path) -> pd.DataFrame:
    """Return a row per `MENTION` and term of one model on one dataset, the neutral ones among them.

    A mention is the place of a source of an original, and of two attributes those of two sources.
    `n` mutants name the group there; `scored` ones have a `shift`, which is added up in hundredths,
    as are `changed` ones, which are biased. Of a cell, which is two groups of two attributes, the
    shift is the interaction, and a changed mutant is hidden bias. Where the dataset names
    favourable labels, shifts are towards them, and changed mutants have lost them.
    """
    connection = open_terms(verdicts, predictions)
    connection.execute(f"CREATE VIEW pairs AS FROM read_csv('{pairs}', all_varchar = true)")
    connection.execute(NAMED)
    connection.execute(TOLD)
    units: pd.DataFrame = connection.execute(UNITS).df()
    return units


def compared(units: pd.DataFrame, *, part: str, whole: str) -> pd.DataFrame:
    """Return the units that stand beside another group, with their `value` and `stratum`.

    The value is the mean `part` of the `whole` mutants. If at least half of an attribute's units
    share their mention with another group, its strata are the mentions. Else its groups are drawn
    for mentions by chance, and its strata are all mentions with the same choice of groups, where
    there are `FEWEST_MENTIONS` or more. `within` says which.
    """
    units = units[units[whole] > 0]
    mention = ["attribute", "original_id", "place"]
    beside = units.groupby(mention)["group"].transform("size") > 1
    paired = beside.groupby(units["attribute"]).transform("mean") >= 0.5
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
    return units.loc[kept, [*LINE, "original_id", "place", "value", "stratum", "within"]]


def contrast_sums(units: pd.DataFrame) -> pd.DataFrame:
    """Return a row per line and original, given what is `compared`.

    The ratio of the sums of `part` and of `weight` is the contrast of a line: the mean, over its
    units, of the value less the mean of the other groups' values in the stratum. A part is how much
    an original adds to that, with its own units and by those of other groups that it is compared
    with; the weight counts its own units. `squares` are those of the parts of its mentions.
    """
    lines = lines_of(units)
    own = units.drop(columns="within").merge(lines, on=["stratum", *LINE])
    own = own.assign(part=(1 + own["odds"]) * (own["value"] - own["others"]), weight=1)
    places = ["stratum", "original_id", "place"]
    mentions = units.groupby(places)["value"].agg(["sum", "size"]).reset_index()
    beside = lines.merge(mentions, on="stratum")
    less = beside["sum"] - beside["size"] * beside["others"]
    beside = beside.assign(part=-beside["odds"] * less, weight=0)
    by_mention = pd.concat([own, beside]).groupby([*LINE, "original_id", "place"])
    sums = by_mention[["part", "weight"]].sum().assign(squares=lambda each: each["part"] ** 2)
    return sums.groupby([*LINE, "original_id"]).sum().reset_index()


def contrast_strata(units: pd.DataFrame) -> Iterator[list[Stratum]]:
    """Yield the strata of each line, whose units drawn add up to the sum of its parts.

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
    """Return a row per stratum and line of it, but for cells at fewer than `FEWEST_MENTIONS`.

    `own` units are the line's, `others` is the mean of all others, and `odds` are those of the two.
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
