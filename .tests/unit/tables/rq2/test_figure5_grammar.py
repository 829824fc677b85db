"""Grammar of valid mutants, by hand and against plain counting."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.config.method import Grammar
from hinter.tables.rq2.figure5_grammar import TABLE, tabulate_grammar
from result_files import Row
from scored import (
    SAMPLE,
    SCORE_COLUMNS,
    assert_each,
    expected_scores,
    grammar_file,
    pairs_with_originals,
    random_study,
    scored_mutant,
    scored_original,
    values_of,
    verdict_files,
    verdict_on,
)
from tries import alike


def test_scores_of_mutants_stand_beside_those_of_their_originals(tmp_path: Path) -> None:
    verdicts = verdict_files(
        tmp_path,
        {
            "m": [
                verdict_on("o|a", True),
                verdict_on("o|b", False),
                verdict_on("p|a", False),
                verdict_on("p|b", False),
                # Not told: without a verdict, seen in part; not valid.
                verdict_on("o|a|c", True, order=2, visible_order=1),
                verdict_on("p|z", True, valid=False),
            ],
            "other": [verdict_on("o|b", None), verdict_on("p|a", True)],
        },
    )
    rows = tabulate_grammar(grammar_file(tmp_path, SAMPLE), verdicts, margin=2.5, seed=1)
    columns = ["n", "originals", "unscored", "score_originals", "score_mutants", "difference"]
    assert values_of(rows, ["model", "level", "outcome", *columns]) == [
        # Two pairs of weight 100, one of 300.
        ["all", "atomic", "all", 3, 2, 1, 84.0, 84.2, 0.2],
        ["all", "atomic", "biased", 2, 2, 0, 82.5, 82.75, 0.25],
        ["all", "atomic", "benign", 1, 1, 1, 90.0, 90.0, 0.0],
        ["all", "intersectional", "all", 1, 1, 0, 90.0, 70.0, -20.0],
        ["m", "atomic", "biased", 1, 1, 0, 90.0, 88.0, -2.0],
        ["m", "atomic", "benign", 2, 2, 1, 82.5, 83.25, 0.75],
        ["other", "atomic", "biased", 1, 1, 0, 80.0, 81.0, 1.0],
    ]
    assert set(rows["dataset"]) == {"d"}
    assert rows["equivalent"].isna().all()
    assert (rows["difference_low"] <= rows["difference"])[rows["originals"] > 1].all()
    assert rows["difference_low"].isna().tolist() == (rows["originals"] < 2).tolist()
    shown = TABLE.show(rows)
    assert shown["equivalent"].tolist()[:3] == ["- (±1.5)", "- (±1.2)", "- (±2.5)"]
    assert shown["difference"].tolist()[3] == "-20.00"


@pytest.mark.parametrize(
    ("originals", "worse", "expected"),
    [(60, 0, True), (60, 60, False), (60, 12, False), (9, 0, None), (2, 0, None)],
)
def test_a_new_match_in_every_text_is_not_equivalent_to_none(
    originals: int, worse: int, expected: bool | None, tmp_path: Path
) -> None:
    """Texts of 143 tokens, in some of whose mutants LanguageTool finds one thing more, or less."""
    sample: list[Row] = []
    for number in range(originals):
        match = 100 / 143
        change = match if number < worse else -match if number % 30 == 29 else 0
        sample.append(scored_original(f"o{number}", 90, tokens=143))
        sample.append(scored_mutant(f"o{number}|a", 90 - change))
    grammar, margin = grammar_file(tmp_path, sample), Grammar().margin
    verdicts = verdict_files(tmp_path, {"m": []})
    (row,) = tabulate_grammar(grammar, verdicts, margin=margin, seed=1).to_dict("records")
    assert row["equivalent"] is expected
    assert row["margin"] == pytest.approx(100 * margin / 143, abs=1e-6)


@alike("seed", [0], [1, 2])
def test_scores_by_outcome_agree_with_plain_counting(seed: int, tmp_path: Path) -> None:
    grammar_parts, verdict_parts, grammar, verdicts = random_study(tmp_path, seed=seed)
    told = verdicts[
        verdicts["biased"].notna() & (verdicts["order"] == verdicts["visible_order"])
    ].rename(columns={"mutant_id": "input_id"})
    pairs = pairs_with_originals(grammar)
    pairs = pairs[pairs["check"] == "valid"]
    by_model = told[["dataset", "input_id", "model", "biased"]].astype({"biased": bool})
    any_model = by_model.groupby(["dataset", "input_id"])["biased"].any().reset_index()
    labelled = [pairs.assign(model="all", outcome="all")]
    for outcomes in (any_model.assign(model="all"), by_model):
        merged = pairs.merge(outcomes, on=["dataset", "input_id"])
        labels = merged["biased"].map({True: "biased", False: "benign"})
        labelled.append(merged.assign(outcome=labels))
    every = pd.concat(labelled)
    every = pd.concat([every.assign(of=every["dataset"]), every.assign(of="all")])
    keys = ["model", "of", "level", "outcome"]
    expected = {key: expected_scores(group) for key, group in every.groupby(keys)}
    found = tabulate_grammar(grammar_parts, verdict_parts, margin=1, seed=1)
    assert_each(found, ["model", "dataset", "level", "outcome"], SCORE_COLUMNS, expected)
