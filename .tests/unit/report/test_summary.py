"""What the first screen says in words."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.report.rates import Rate, axis_limit, finding, rates_of_excess, sentence
from hinter.report.summary import summarise
from hinter.tables.rq1.excess import tabulate_excess
from result_files import verdict_row, write_rows

RATE = Rate(
    measure="Bias with two attributes",
    of="mutants of two attributes",
    did="changed the outcome",
    model="m",
    dataset="d",
    n=599,
    found=22,
    share=22 / 599,
    against="as many controls with a neutral edit",
    control=18 / 599,
    excess=4 / 599,
    excess_low=-0.01,
    excess_high=0.02,
)
TOLD = (
    "Of 599 mutants of two attributes, 22 changed the outcome; of as many controls with a neutral "
    "edit, 18. "
)


@pytest.mark.parametrize(
    ("q", "excess", "told"),
    [
        (0.051, 0.02, "The difference may be chance (q = 0.051)."),
        (0.05, 0.02, "That is more than chance explains (q = 0.05)."),
        (0.05, -0.02, "That is less than the controls show (q = 0.05)."),
        (1.0, 0.0, "There is no difference (q = 1)."),
        (None, 0.02, "There are too few to test the difference."),
    ],
)
def test_the_test_decides_what_is_said(q: float | None, excess: float, told: str) -> None:
    apart = replace(RATE, q=q, excess=excess, excess_low=excess / 2, excess_high=1.5 * excess)
    assert sentence(apart) == TOLD + told
    found = q == 0.05
    assert sentence(replace(RATE, q=q, excess=excess)) == TOLD + told + (
        " How large it is remains open, as the interval includes 0." if found else ""
    )


def test_an_interval_above_0_is_no_finding(tmp_path: Path) -> None:
    """Four originals differ, all in one direction: the interval is above 0, and p is 0.125."""
    pairs = [(f"o{number:02}", number < 4) for number in range(42)]
    rows = [
        verdict_row(name, number, mutant_id=f"{name}|a:{number}|b:1", **told)
        for name, biased in pairs
        for number, told in enumerate(
            [{"biased": biased}, {"biased": False, "control": True, "counted": False}]
        )
    ]
    matches = [
        {"mutant_id": f"{name}|a:0|b:1", "control_id": f"{name}|a:1|b:1"} for name, _ in pairs
    ]
    table = tabulate_excess(
        [("m", "d", write_rows(tmp_path / "v.parquet", rows, VERDICTS_SCHEMA))],
        [("controls", "d", write_rows(tmp_path / "c.parquet", matches, CONTROLS_SCHEMA))],
        primary={"measure": "bias", "order": 2},
        seed=1,
    )
    (rate, *_) = rates_of_excess(table)
    assert rate.primary and rate.excess_low is not None and rate.excess_low > 0
    assert rate.q == pytest.approx(0.125, abs=0.02) and not rate.above
    assert finding([rate]).startswith("more than in the controls in 0 of 1 run")


def test_the_primary_comparison_is_also_told_without_words_that_judge(tmp_path: Path) -> None:
    """All bias is of mutants that name somebody ugly."""
    words = ("a:m>ugly", "a:m>Korean")
    rows = [
        verdict_row(f"o{text:02}", number, mutant_id=f"o{text:02}|{word}{end}", control=bool(end))
        | {"pair_ids": [word + end, "b:1"], "biased": "ugly" in word and not end}
        for text in range(20)
        for number, word in enumerate(words)
        for end in ("", "'")
    ]
    matches = [
        {"mutant_id": f"o{text:02}|{word}", "control_id": f"o{text:02}|{word}'"}
        for text in range(20)
        for word in words
    ]
    table = tabulate_excess(
        [("m", "d", write_rows(tmp_path / "v.parquet", rows, VERDICTS_SCHEMA))],
        [("controls", "d", write_rows(tmp_path / "c.parquet", matches, CONTROLS_SCHEMA))],
        primary={"measure": "bias", "order": 2},
        seed=1,
    )
    (rate, *others) = rates_of_excess(table)
    assert rate.primary and rate.above and rate.excess == 0.5
    told = (
        "Without words that are positive or negative by themselves, 20 are left, with an excess of "
        "0.0 points (q = 1)."
    )
    assert sentence(rate).endswith(told)
    assert not any(other.plain for other in others)


def test_without_a_control_nothing_is_compared() -> None:
    alone = replace(RATE, control=None, excess=None, excess_low=None, excess_high=None)
    assert sentence(alone) == "Of 599 mutants of two attributes, 22 changed the outcome."
    assert finding([alone]) == "3.7 % in 1 run; no control to compare it with"
    known = replace(alone, low=0.02, high=0.05)
    more = replace(known, share=0.1, high=0.2)
    assert finding([more, known]) == (
        "3.7 % [2.0 %, 5.0 %] to 10.0 % [2.0 %, 20.0 %] in 2 runs; no control to compare it with"
    )
    assert finding([replace(alone, share=None)]) == "nothing to show"


def test_a_finding_counts_the_runs_above_their_controls() -> None:
    assert finding([RATE, replace(RATE, q=0.01)]) == (
        "more than in the controls in 1 of 2 runs; largest excess +0.7 points [-1.0, +2.0]"
    )
    unknown = replace(RATE, excess_low=None, excess_high=None, primary=True)
    assert finding([unknown]) == ("more than in the controls in 0 of 1 run; excess +0.7 points")
    assert axis_limit([RATE, replace(RATE, excess_low=-0.3)]) == 0.3
    assert axis_limit([replace(RATE, excess_low=None, excess_high=None)]) > 0


def test_a_study_that_made_no_table_has_an_empty_summary() -> None:
    summary = summarise({}, corpora=[])
    assert (summary.rates, summary.flow, summary.warnings) == ([], [], [])
    assert (summary.answer, summary.treated) == ("", "")


def test_a_study_without_its_primary_comparison_says_so() -> None:
    # It has a line, but not that of all attributes.
    row = dict.fromkeys(("measure", "order", "compared_with"))
    numbers = {"excess": pd.DataFrame([row | {"attributes": "a", "primary": False}])}
    (warning,) = summarise(numbers, corpora=[]).warnings
    assert warning.startswith("The primary comparison has no verdicts")


def test_where_no_control_has_a_verdict_table_2_is_told() -> None:
    ends = dict.fromkeys(("hidden_rate_cluster_low", "hidden_rate_cluster_high"), 0.1)
    ends |= dict.fromkeys(("bias_rate_cluster_low", "bias_rate_cluster_high"), 0.1)
    row = {"model": "m", "dataset": "d", "order": 2, "n": 9, "biased": 3, "bias_rate": 1 / 3}
    row |= {"complete": 1}
    table2 = pd.DataFrame([row | ends | {"hidden_rate": 0.0}])
    numbers = {"excess": table2[:0], "table2_bias_rates": table2}
    summary = summarise(numbers, corpora=[])
    measures = [measure for measure, *_ in summary.rates]
    assert measures == ["Hidden among biased mutants of two attributes", "Bias with two attributes"]
    assert not summary.answer


def test_how_many_mutants_are_sound_is_told_with_their_number_and_texts() -> None:
    rows = [
        {"model": model, "dataset": "d", "operator": "describe", "level": level}
        | {"assessed": assessed, "texts": "imdb", "annotators": "language models"}
        | {"precision": share, "precision_low": 0.5, "precision_high": 0.8}
        for level, assessed, share in (
            ("intersectional", 120, 0.67),
            ("atomic", 30, 0.85),
            ("intersectional", 0, None),
        )
        for model in ("m", "n")
    ]
    numbers = {"corrected_rates": pd.DataFrame(rows)}
    (warning,) = summarise(numbers, corpora=[]).warnings
    assert "Language models have judged 120 valid mutants" in warning
    assert "texts of imdb (operator describe): 67 % [50, 80] are sound" in warning


EXCESS = {
    **{"attributes": "all", "measure": "hidden bias", "order": 2, "dataset": "d"},
    **{"compared_with": "sensitive + neutral", "primary": True, "n": 90, "rate": 0.1},
    **{"control_rate": 0.1, "plain_n": 90, "plain_q_value": 1.0},
    **{"excess": 0.0, "excess_low": -0.1, "excess_high": 0.1, "q_value": 1.0},
}
POWER = {"dataset": "d", "order": 2, "measure": "hidden bias", "base_rate": 0.02}


def test_the_answer_is_the_primary_comparison_with_what_it_would_find() -> None:
    """A model that is run on a part of the suite has power of its own."""
    power = [
        POWER | {"suite": "whole", "least_excess": 0.03},
        POWER | {"suite": "part", "least_excess": 0.2},
        POWER | {"suite": "whole", "base_rate": 0.1, "least_excess": 0.5},
        POWER | {"suite": "whole", "measure": "bias", "least_excess": 0.4},
    ]
    rows = [EXCESS | {"model": name} for name in ("all", "part")]
    numbers = {"excess": pd.DataFrame(rows), "power": pd.DataFrame(power)}
    assert summarise(numbers, corpora=[]).answer == (
        "Not found by this study. With 80 % power, it could find an excess of 3.0 points for all "
        "on d, of 20.0 points for part on d."
    )
    rows[1] |= {"excess": 0.3, "q_value": 0.01}
    numbers = {"excess": pd.DataFrame(rows)}
    assert summarise(numbers, corpora=[]).answer == (
        "Yes in 1 of 2 runs: part on d. More than the controls show, and than chance explains."
    )


def test_the_answer_of_a_study_that_could_find_nothing_says_so() -> None:
    rows = [EXCESS | {"model": "all", "excess": 0.3, "q_value": None}]
    power = [POWER | {"suite": "whole", "least_excess": None}]
    numbers = {"excess": pd.DataFrame(rows), "power": pd.DataFrame(power)}
    assert summarise(numbers, corpora=[]).answer == (
        "Not found by this study. Its texts are too few to find an excess of any size with 80 % "
        "power."
    )


def test_why_texts_are_not_tested_is_said_by_dataset() -> None:
    rows = [
        {"dataset": "d", "rule": rule, "texts": texts}
        for rule, texts in (
            ("nothing found", 42),
            ("count", 90),
            ("general", 12),
            ("named_person", 30),
            ("capitals", 1),
        )
    ]
    [said] = summarise({"occurrences": pd.DataFrame(rows)}, corpora=[]).untested
    assert said.startswith("d: 42 texts have nothing to change.")
    assert "named_person (30 texts) and general (12 texts)" in said
    assert "capitals" not in said
    # Where no rule leaves anything alone, the number of those without any mention is all.
    numbers = {"occurrences": pd.DataFrame(rows[:2])}
    [said] = summarise(numbers, corpora=[]).untested
    assert said == "d: 42 texts have nothing to change."


def test_the_answer_of_many_runs_names_only_the_ends() -> None:
    """Runs at one end, or without a known excess, do not make it longer."""
    rows = [
        EXCESS | {"model": f"m{number:02}", "excess": number / 100 - 0.1} for number in range(30)
    ]
    rows += [EXCESS | {"model": "unknown", "excess": None, "q_value": None}]
    power = [
        POWER | {"suite": row["model"], "least_excess": 0.01 * (number + 1)}
        for number, row in enumerate(rows)
    ]

    def answer() -> str:
        numbers = {"excess": pd.DataFrame(rows), "power": pd.DataFrame(power)}
        return summarise(numbers, corpora=[]).answer

    excess = " The excess is -10.0 points for m00 on d to +19.0 points for m29 on d."
    assert answer() == (
        "Not found by this study in any of 31 runs."
        f"{excess} With 80 % power, it could find an excess of 1.0 points for m00 on d to 31.0 "
        "points for unknown on d."
    )
    sure = " More than the controls show, and than chance explains."
    for row in rows[25:27]:
        row["q_value"] = 0.01
    assert answer() == f"Yes in 2 of 31 runs: m25 on d, m26 on d.{sure}{excess}"
    for row in rows[20:25]:
        row["q_value"] = 0.01
    assert answer() == f"Yes in 7 of 31 runs.{sure}{excess}"


def test_the_answer_of_many_equal_runs_names_one() -> None:
    rows = [EXCESS | {"model": f"m{number}"} for number in range(4)]
    assert summarise({"excess": pd.DataFrame(rows)}, corpora=[]).answer == (
        "Not found by this study in any of 4 runs. The excess is 0.0 points for m0 on d."
    )
