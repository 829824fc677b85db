"""Grammar of valid and of discarded mutants, by hand and against plain counting."""

from itertools import product
from pathlib import Path

from hinter.tables.rq3.checks import FIGURE8_DISCARDED as TABLE
from hinter.tables.rq3.checks import tabulate_discarded
from scored import (
    SAMPLE,
    SCORE_COLUMNS,
    assert_each,
    expected_scores,
    grammar_file,
    pairs_with_originals,
    random_study,
    scored_mutant,
    values_of,
)
from tries import alike


def test_valid_and_discarded_mutants_are_compared(tmp_path: Path) -> None:
    sample = [*SAMPLE, scored_mutant("o|y", 84, valid=False)]
    rows = tabulate_discarded(grammar_file(tmp_path, sample), seed=1)
    columns = ["n", "unscored", "score_originals", "score_mutants", "difference"]
    assert values_of(rows, ["dataset", "level", "check", *columns]) == [
        ["d", "all", "valid", 4, 1, 85.0, 81.833333, -3.166667],
        ["d", "all", "discarded", 2, 0, 82.5, 66.0, -16.5],
        ["d", "atomic", "valid", 3, 1, 84.0, 84.2, 0.2],
        ["d", "atomic", "discarded", 2, 0, 82.5, 66.0, -16.5],
        ["d", "intersectional", "valid", 1, 0, 90.0, 70.0, -20.0],
    ]
    assert rows["score_valid_minus_discarded"].fillna(0).tolist() == [0, 15.833333, 0, 18.2, 0]
    assert rows["difference_valid_minus_discarded"].fillna(0).tolist() == [0, 13.333333, 0, 16.7, 0]
    low, high = rows.loc[
        3, ["difference_valid_minus_discarded_low", "difference_valid_minus_discarded_high"]
    ]
    # Of o alone it is -1 + 6, of p alone 1 + 20.
    assert low < 5 < 21 < high
    assert TABLE.show(rows)["score: valid - discarded"].tolist()[3] == "18.20"


@alike("seed", [0], [1, 2])
def test_scores_by_verdict_agree_with_plain_counting(seed: int, tmp_path: Path) -> None:
    grammar_parts, _, grammar, _ = random_study(tmp_path, seed=seed)
    pairs = pairs_with_originals(grammar)
    expected, compared = {}, {}
    for dataset, level in product(["all", "d", "e"], ["all", "atomic", "intersectional"]):
        part = pairs[
            pairs["dataset"].isin(["d", "e"] if dataset == "all" else [dataset])
            & pairs["level"].isin(["atomic", "intersectional"] if level == "all" else [level])
        ]
        scores = {name: expected_scores(group) for name, group in part.groupby("check")}
        expected |= {(dataset, level, name): numbers for name, numbers in scores.items()}
        leads = [scores["valid"][i] - scores["discarded"][i] for i in (4, 5)]
        compared[dataset, level] = leads
    found = tabulate_discarded(grammar_parts, seed=1)
    assert_each(found, ["dataset", "level", "check"], SCORE_COLUMNS, expected)
    names = ["score_valid_minus_discarded", "difference_valid_minus_discarded"]
    discarded = found[found["check"] == "discarded"]
    assert_each(discarded, ["dataset", "level"], names, compared)
    for name in names:
        assert (discarded[f"{name}_low"] <= discarded[name]).all()
        assert (discarded[name] <= discarded[f"{name}_high"]).all()
        assert found[found["check"] == "valid"][name].isna().all()
