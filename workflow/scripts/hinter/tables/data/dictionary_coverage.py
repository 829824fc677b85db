"""How many of the groups named in SBIC the dictionary covers, by category."""

import pandas as pd

from ..shown import in_percent, percent, shown, titled
from ..table import Inputs, Table

ALL = "all"
SHOWN_NAMES = 5
COLUMNS = {
    "category": "category of SBIC, or all",
    "names": "names of groups in the posts of the category; in the row all, a name counts once per "
    "category",
    "answered_names": "names that a group of the dictionary covers",
    "posts": "posts with these names; a post counts once for each name",
    "answered_posts": "posts with a covered name",
    "answered_share": "answered_posts / posts",
    "unanswered": "names with the most posts that are not covered, joined by ; ",
}


def tabulate_coverage(sbic_names: pd.DataFrame) -> pd.DataFrame:
    """Return a row per category of SBIC, after a row for all categories.

    `sbic_names` has a row per category and name (see `list_names`). All numbers are exact.
    """
    categories = [(ALL, sbic_names), *sbic_names.groupby("category")]
    rows = pd.DataFrame([{"category": name, **_row(names)} for name, names in categories])
    rows["answered_share"] = (rows["answered_posts"] / rows["posts"]).round(6)
    return rows[list(COLUMNS)]


def _row(names: pd.DataFrame) -> dict[str, int | str]:
    answered = names["groups"].notna()
    missing = names[~answered]
    ranked = missing.sort_values(["posts", "name"], ascending=[False, True])
    return {
        "names": len(names),
        "answered_names": int(answered.sum()),
        "posts": int(names["posts"].sum()),
        "answered_posts": int(names.loc[answered, "posts"].sum()),
        "unanswered": "; ".join(ranked["name"].unique()[:SHOWN_NAMES]),
    }


def _finding(rows: pd.DataFrame, given: Inputs) -> str:
    total = rows.iloc[0]
    return (
        f"The dictionary covers {total['answered_names']:,} of {total['names']:,} names, with "
        f"{percent(total['answered_share'])} % of the posts."
    )


TABLE = Table(
    title="Coverage of the dictionary",
    only_if=("curation files",),
    columns=COLUMNS,
    compute=tabulate_coverage,
    show=shown(
        *("category", "names"),
        titled(answered_names="answered names", posts="posts", answered_posts="answered posts"),
        in_percent("answered_share", "covered posts %"),
        titled(unanswered="not covered, by posts"),
    ),
    finding=_finding,
    text="""\
How much of the Social Bias Inference Corpus (SBIC) the dictionary of this study covers: the names
that annotators gave to the groups that posts are about, and the posts with these names. A name is
covered if a group of the dictionary lists it and its attribute includes the category. A name may
occur in several categories. The counts are exact.

Categories that none of the study's attributes includes are not covered at all. Every name, with its
posts and the terms that cover it, is in `results/dictionary/names.csv`; names that are not covered
come first.
""",
)
