"""The erratum is what the published counts give."""

from dataclasses import replace

import pandas as pd
import pytest
from erratum_page import erratum_page
from hinter.tables.published.counts import Published
from hinter.tables.published.erratum import tabulate_erratum


@pytest.fixture(scope="module")
def entries(published: Published) -> pd.DataFrame:
    return tabulate_erratum(published)


@pytest.mark.parametrize(
    ("what", "corrected"),
    [
        ("biased intersectional mutants whose", "89,564 of 336,348 = 26.63 %"),
        ("biased mutants that only", "89,564 / 11,705 = 7.65"),
        ("what hidden bias is a share of", "129,718 of 850,270 = 15.26 %"),
        ("biased discarded mutants for each", "valid 14.40 %, discarded 13.01 %"),
        ("bias-inducing mutants", "406,978"),
        ("originals that only atomic", "body+race: 419 of 2,220 = 18.87 %"),
        ("hidden of biased", "cannot be derived"),
        ("originals that only intersectional", "cannot be derived"),
        ("valid intersectional mutants that the prompted", "cannot be derived"),
        ("discarded mutants", "cannot be derived"),
        ("changed answers of gpt-3.5", "cannot be derived"),
        ("bias on ecthr_a", "cannot be derived"),
        ("bias on eurlex", "cannot be derived"),
        ("intersectional mutants left out", "cannot be derived"),
        ("attributes of the mutations", "cute -> manly: gender"),
    ],
)
def test_the_erratum_corrects(what: str, corrected: str, entries: pd.DataFrame) -> None:
    (entry,) = entries[entries["what"].str.startswith(what)].to_dict("records")
    assert corrected in entry["corrected"]


@pytest.mark.parametrize(
    ("what", "printed", "recomputed"),
    [
        ("changed answers of gpt-3.5", "17.26 %", "157,751 of 913,752 = 17.26 %"),
        ("bias on ecthr_a", "llama2: 51.74 %; gpt-3.5: 59.03 %", "53,461 of 103,317 = 51.74 %"),
        ("bias on eurlex", "llama2: 89.62 %; gpt-3.5: 91.00 %", "20,845 of 22,907 = 91.00 %"),
        ("intersectional mutants left out", "none is mentioned", "13 of gpt-3.5"),
    ],
)
def test_defects_of_prompts_name_the_numbers_that_they_touch(
    what: str, printed: str, recomputed: str, entries: pd.DataFrame
) -> None:
    (entry,) = entries[entries["what"].str.startswith(what)].to_dict("records")
    assert entry["published"] == printed
    assert recomputed in entry["recomputed"]


def test_the_erratum_is_computed(published: Published) -> None:
    cells = published.truth_table.assign(mutants=2 * published.truth_table["mutants"])
    page = erratum_page(replace(published, truth_table=cells))
    assert "179,128 of 672,696 = 26.63 %" in page
    assert "89,564" not in page
