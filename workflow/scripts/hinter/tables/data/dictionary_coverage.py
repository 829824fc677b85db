"""How much of what SBIC names the dictionary answers, by category."""

import pandas as pd

from ..shown import in_percent, percent, shown, titled
from ..table import Given, Table

ALL = "all"
SHOWN_NAMES = 5
COLUMNS = {
    "category": "category of SBIC, or all",
    "names": "names that posts of the category give to the groups that they are about; over all, a "
    "name counts once per category",
    "answered_names": "those that a group of the dictionary is tied to",
    "posts": "posts with these names; a post counts once for each of them",
    "answered_posts": "those with an answered name",
    "answered_share": "answered_posts / posts",
    "unanswered": "the unanswered names with the most posts, joined by ; ",
}


def tabulate_coverage(sbic_names: pd.DataFrame) -> pd.DataFrame:
    """Return a row per category of SBIC, all of them first.

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


def _finding(rows: pd.DataFrame, given: Given) -> str:
    total = rows.iloc[0]
    return (
        f"The dictionary answers {total['answered_names']:,} of {total['names']:,} names, with "
        f"{percent(total['answered_share'])} % of the posts."
    )


TABLE = Table(
    title="Coverage of the dictionary",
    reads=("sbic_names",),
    only_if=("curation files",),
    columns=COLUMNS,
    compute=tabulate_coverage,
    show=shown(
        *("category", "names"),
        titled(answered_names="answered names", posts="posts", answered_posts="answered posts"),
        in_percent("answered_share", "answered posts %"),
        titled(unanswered="unanswered, by posts"),
    ),
    finding=_finding,
    caption=(
        "How much of what the posts of the Social Bias Inference Corpus (SBIC) are about the "
        "dictionary of this study answers: names that annotators gave to groups, and the posts "
        "with them. A name is answered where a group of the dictionary is tied to it and its "
        "attribute counts the category. A name may stand in several categories. The counts are "
        "exact."
    ),
    about="""\
Categories that none of the study's attributes counts are not answered at all. Every name, with its
posts and the terms that answer it, is in `results/dictionary/names.csv`, the unanswered ones first.
""",
)
