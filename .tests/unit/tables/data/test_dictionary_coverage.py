"""How much of SBIC the dictionary answers."""

from io import StringIO

import pandas as pd
from hinter.tables.data.dictionary_coverage import TABLE, tabulate_coverage

NAMES = """category,name,posts,groups,terms
race,jews,7,,
culture,jews,5,,
culture,goths,7,,
race,africans,3,,
race,black folks,8,race:black,Black people; Black women
gender,women,10,gender:female,woman; women
"""


def test_answered_names_and_posts_are_counted_by_category() -> None:
    rows = tabulate_coverage(pd.read_csv(StringIO(NAMES)))
    assert rows.columns.tolist() == list(TABLE.columns)
    assert rows.set_index("category").to_dict("index") == {
        "all": _row(6, 2, 40, 18, 0.45, "goths; jews; africans"),
        "culture": _row(2, 0, 12, 0, 0.0, "goths; jews"),
        "gender": _row(1, 1, 10, 10, 1.0, ""),
        "race": _row(3, 1, 18, 8, 0.444444, "jews; africans"),
    }
    shown = TABLE.show(rows)
    assert shown["covered posts %"].tolist() == ["45.00", "0.00", "100.00", "44.44"]
    assert TABLE.finding
    assert TABLE.finding(rows, {}) == (
        "The dictionary covers 2 of 6 names, with 45.00 % of the posts."
    )


def _row(
    names: int, answered_names: int, posts: int, answered_posts: int, share: float, unanswered: str
) -> dict[str, int | float | str]:
    return {
        "names": names,
        "answered_names": answered_names,
        "posts": posts,
        "answered_posts": answered_posts,
        "answered_share": share,
        "unanswered": unanswered,
    }
