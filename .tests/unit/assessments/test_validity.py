"""Assessed mutants: how they are read and checked, and the tables made of them."""

import csv
import random
from collections import Counter
from math import isnan, nan
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.assessments import ASSESSED_SCHEMA, AssessedMutant, check_assessed, read_assessed
from hinter.errors import InputError
from hinter.invariant import Comparator, Invariant
from hinter.oracle import VERDICTS_SCHEMA
from hinter.statistics import bootstrap_two_samples, cluster_bootstrap
from hinter.tables import TableFiles
from hinter.tables.rq3 import comparator_validity, corrected_rates
from hinter.tables.rq3.agreement import agreement_of, count_agreement
from hinter.tables.rq3.assessed import describe_assessments, describe_comparator_validity
from hinter.tables.rq3.comparator_validity import (
    show_comparator_validity,
    tabulate_comparator_validity,
)
from hinter.tables.rq3.corrected_rates import show_corrected_rates, tabulate_corrected_rates

Row = dict[str, Any]
ROOT = Path(__file__).resolve().parents[3]
ASSESSMENTS = ROOT / "data" / "validity" / "assessments.csv"


def _files(folder: Path) -> TableFiles:
    return TableFiles.of(
        {form: str(folder / form) for form in ("csv", "markdown", "latex", "html")}
    )


def _assessed(**cells: str) -> dict[str, str]:
    plain = {
        "draw": "comparators",
        "dataset": "imdb",
        "half": "development",
        "mutant_id": "o1|body:people>blind_people|gender:man>woman",
        "stratum": "valid",
        "population": "10",
        "replacements": "people -> blind people; man -> woman",
        "places": "",
        "original": "A Man ran.\nPeople saw him.",
        "mutant": "A Woman ran.\nBlind people saw him.",
        "grammar_1": "yes",
        "meaning_1": "yes",
        "grammar_2": "yes",
        "meaning_2": "no",
        "grammar": "yes",
        "meaning": "no",
        "reason": "him",
    }
    return plain | cells


OTHER = _assessed(
    mutant_id="o0|gender:he>she",
    replacements="he -> she",
    original="He ran.",
    mutant="She ran.",
)


def _write_assessed(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "assessments.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_assessments_are_read_with_their_pairs_and_weights(tmp_path: Path) -> None:
    first, second = read_assessed(_write_assessed(tmp_path, _assessed(), OTHER))
    assert (first.original_id, second.original_id) == ("o0", "o1")
    assert [(pair.attribute, pair.source, pair.target) for pair in second.pairs] == [
        ("body", "people", "blind people"),
        ("gender", "man", "woman"),
    ]
    assert second.weight == 5
    assert [assessment.sound for assessment in (*second.assessments, second.final)] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"stratum": "vague"}, "column 'stratum': found 'vague'; expected valid or border or pos"),
        ({"population": "-3"}, "column 'population': found '-3'; expected a whole number"),
        ({"population": "0"}, "column 'population': found '0'; expected a whole number"),
        ({"population": "11"}, "column 'population': found '11'; expected the size of"),
        ({"replacements": "man -> woman"}, "column 'replacements': found 'man -> woman'"),
        ({"replacements": "people > blind people; man > woman"}, "expected 'source -> target'"),
        ({"replacements": "people -> blind people; man -> lady"}, "the pair gender:man>woman"),
        ({"mutant": "A woman ran.\nBlind people saw him."}, "expected the original with its"),
        ({"original": "A person ran."}, "column 'mutant'"),
        ({"grammar_1": "Yes"}, "column 'grammar_1': found 'Yes'; expected yes or no"),
        ({"meaning_2": ""}, "column 'meaning_2': found ''; expected yes or no"),
        ({"meaning": "maybe"}, "column 'meaning': found 'maybe'"),
        (
            {"grammar": "no"},
            "column 'grammar': found 'no'; expected the answer of one of the two assessments",
        ),
        ({"mutant_id": OTHER["mutant_id"]}, "expected every mutant once"),
        ({"draw": "lots"}, "column 'draw': found 'lots'; expected comparators or literal"),
        ({"half": "third"}, "column 'half': found 'third'; expected development or test"),
        (
            {"draw": "coherent", "stratum": "valid_2", "places": "man:3"},
            "column 'places': found 'man:3'; expected places such as",
        ),
        (
            {"draw": "coherent", "stratum": "valid_2", "places": "0:term:11-17"},
            "column 'mutant'",
        ),
    ],
)
def test_a_wrong_cell_is_named(cells: dict[str, str], told: str, tmp_path: Path) -> None:
    path = _write_assessed(tmp_path, OTHER, _assessed(**cells))
    with pytest.raises(InputError) as caught:
        read_assessed(path)
    assert str(caught.value).startswith(f"{path}, line 3, column")
    assert told in str(caught.value)


def test_a_stratum_is_not_smaller_than_what_was_drawn_of_it(tmp_path: Path) -> None:
    rows = [row | {"population": "1"} for row in (OTHER, _assessed())]
    with pytest.raises(InputError, match="at least the 2 of them"):
        read_assessed(_write_assessed(tmp_path, *rows))


def test_a_missing_column_and_an_empty_file_are_named(tmp_path: Path) -> None:
    row = _assessed()
    del row["meaning_2"]
    with pytest.raises(InputError, match=r"line 2: .* expected a column 'meaning_2'"):
        read_assessed(_write_assessed(tmp_path, row))
    (tmp_path / "assessments.csv").write_text(",".join(OTHER) + "\n")
    with pytest.raises(InputError, match="found no assessed mutant"):
        read_assessed(tmp_path / "assessments.csv")


@pytest.fixture(scope="module")
def assessed() -> list[AssessedMutant]:
    """Return the mutants assessed for the comparators; to read the file is to check it."""
    return [mutant for mutant in read_assessed(ASSESSMENTS) if mutant.draw == "comparators"]


def test_the_assessed_mutants_stand_for_the_whole_suite(assessed: list[AssessedMutant]) -> None:
    drawn = Counter(mutant.stratum for mutant in assessed)
    assert drawn == {"valid": 100, "border": 100, "pos": 50, "dep": 50}
    assert sum(mutant.weight for mutant in assessed) == pytest.approx(2026)


@pytest.mark.long
def test_the_verdicts_are_those_by_which_the_mutants_were_drawn(
    assessed: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    table = check_assessed(assessed, invariants=list(invariants.values()))
    assert table.schema == ASSESSED_SCHEMA
    for row in table.to_pylist():
        others = {row["strict"], row["heads"]}
        if row["stratum"] in ("valid", "border"):
            assert row["tolerant"] == "valid", row
            assert (others == {"valid"}) == (row["stratum"] == "valid"), row
        else:
            assert row["tolerant"] == row["stratum"], row
            assert "valid" not in others, row


def _validity(rows: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "draw": "comparators",
                "dataset": "imdb",
                "half": "development",
                "mutant_id": f"m{number}",
                "order": 1,
                "weight": 1.0,
                "grammar": row["sound"],
                "meaning": row["sound"],
                "tolerant": "valid",
                "strict": "valid",
                "heads": "valid",
            }
            | row
            for number, row in enumerate(rows)
        ]
    )


BY_HAND = _validity(
    [
        {"original_id": "a", "weight": 3.0, "sound": True},
        {"original_id": "a", "weight": 1.0, "sound": False, "grammar": True},
        {"original_id": "b", "weight": 1.0, "sound": True, "tolerant": "pos"},
        {"original_id": "b", "weight": 3.0, "sound": False, "tolerant": "dep"},
        {"original_id": "c", "weight": 9.0, "sound": True, "tolerant": "unchecked"},
    ]
)


def _rows(table: pd.DataFrame, *keys: str) -> dict[tuple[str, ...], Row]:
    return {tuple(row[key] for key in keys): row for row in table.to_dict("records")}


def test_precision_and_recall_by_hand() -> None:
    rows = _rows(
        tabulate_comparator_validity(BY_HAND, substitution="literal", seed=1), "level", "comparator"
    )
    assert {level for level, _ in rows} == {"all", "atomic"}
    tolerant = rows["all", "tolerant"]
    assert (tolerant["assessed"], tolerant["valid"]) == (4, 2)
    assert tolerant["precision"] == 0.75
    assert tolerant["recall"] == 0.75
    assert tolerant["sound_discarded"] == 0.25
    assert tolerant["valid_minus_discarded"] == 0.5
    assert tolerant["grammar_precision"] == 1
    assert tolerant["meaning_precision"] == 0.75
    nothing = rows["all", "none"]
    assert (nothing["assessed"], nothing["valid"], nothing["recall"]) == (5, 5, 1)
    assert nothing["precision"] == round(13 / 17, 6)


def test_where_nothing_is_discarded_nothing_is_said_of_it() -> None:
    table = tabulate_comparator_validity(BY_HAND, substitution="literal", seed=1)
    strict = _rows(table, "level", "comparator")["all", "strict"]
    names = ("sound_discarded", "valid_minus_discarded")
    assert all(isnan(strict[f"{name}{end}"]) for name in names for end in ("", "_low", "_high"))
    shown = show_comparator_validity(table[table["comparator"] == "strict"])
    assert shown["sound of discarded %"].tolist() == ["-", "-"]
    told = describe_comparator_validity(table[table["comparator"] == "strict"])
    assert told.startswith("No comparator has both")


def _random_validity(*, count: int) -> pd.DataFrame:
    draw = random.Random(5)
    said = ("valid", "valid", "pos", "dep")
    rows = []
    for _ in range(count):
        grammar, meaning = draw.random() < 0.8, draw.random() < 0.6
        rows.append(
            {
                "original_id": f"o{draw.randrange(20)}",
                "order": draw.choice([1, 2, 3]),
                "weight": draw.choice([2.5, 4.0]),
                "grammar": grammar,
                "meaning": meaning,
                "sound": grammar and meaning,
                **{comparator.value: draw.choice(said) for comparator in Comparator},
            }
        )
    return _validity(rows)


def test_precision_and_recall_against_plain_pandas() -> None:
    assessed = _random_validity(count=300)
    rows = _rows(
        tabulate_comparator_validity(assessed, substitution="literal", seed=1),
        "level",
        "comparator",
    )
    assert len(rows) == 12
    for (level, comparator), row in rows.items():
        part = assessed
        if level != "all":
            part = assessed[(assessed["order"] == 1) == (level == "atomic")]
        passes = pd.Series(True, index=part.index)
        if comparator != "none":
            passes = part[comparator] == "valid"
        valid, all_sound = part[passes], part[part["sound"]]
        discarded = part[~passes]
        expected = {
            "precision": valid[valid["sound"]]["weight"].sum() / valid["weight"].sum(),
            "recall": valid[valid["sound"]]["weight"].sum() / all_sound["weight"].sum(),
            "grammar_precision": valid[valid["grammar"]]["weight"].sum() / valid["weight"].sum(),
            "meaning_precision": valid[valid["meaning"]]["weight"].sum() / valid["weight"].sum(),
        }
        if comparator != "none":
            sound = discarded[discarded["sound"]]["weight"].sum()
            expected["sound_discarded"] = sound / discarded["weight"].sum()
        for name, value in expected.items():
            assert row[name] == pytest.approx(value, abs=1e-6), (level, comparator, name)
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
        sums = valid.assign(sound=valid["weight"] * valid["sound"]).groupby("original_id")
        low, high = cluster_bootstrap(
            sums["sound"].sum().tolist(), sums["weight"].sum().tolist(), seed=1
        )
        assert (row["precision_low"], row["precision_high"]) == pytest.approx((low, high), abs=1e-6)


def _verdicts(folder: Path, *rows: tuple[str, int, bool, bool | None], name: str = "v") -> Path:
    """Verdicts (original_id, order, valid, biased)."""
    table = [
        {
            "mutant_id": f"{original}|{number}",
            "original_id": original,
            "order": order,
            "valid": valid,
            "drawn": None,
            "visible_order": order,
            "biased": biased,
        }
        for number, (original, order, valid, biased) in enumerate(rows)
    ]
    # Not counted: the model saw one pair only; a sampled order.
    seen = table[0] | {"order": 2, "visible_order": 1, "biased": True}
    drawn = table[0] | {"order": 3, "visible_order": 3, "biased": True, "drawn": True}
    path = folder / f"{name}.parquet"
    rows_of_file = pa.Table.from_pylist([*table, seen, drawn], schema=VERDICTS_SCHEMA)
    pq.write_table(rows_of_file, path)
    return path


def _corrected(verdicts: Path, assessed: pd.DataFrame) -> Row:
    table = tabulate_corrected_rates(
        [("m", "d", verdicts)], assessed, substitution="literal", comparator="tolerant", seed=1
    )
    (row,) = table.to_dict("records")
    return {str(key): value for key, value in row.items()}


def test_corrected_rates_by_hand(tmp_path: Path) -> None:
    verdicts = _verdicts(
        tmp_path,
        *[("o1", 1, True, True)] * 3,
        *[("o2", 1, True, False)] * 5,
        ("o2", 1, True, None),
        ("o1", 1, False, True),
        ("o3", 1, False, False),
    )
    row = _corrected(verdicts, BY_HAND)
    assert (row["n"], row["biased"], row["discarded_n"], row["discarded_biased"]) == (8, 3, 2, 1)
    assert (row["bias_rate"], row["precision"], row["sound_discarded"]) == (0.375, 0.75, 0.25)
    # A quarter of the valid ones is broken: two, so of three biased ones at least one is sound.
    assert row["lowest"] == round(1 / 6, 6)
    assert row["highest"] == 0.5
    assert row["lowest_low"] <= row["lowest"]
    assert row["highest_high"] >= row["highest"]
    assert row["corrected_rate"] == pytest.approx((0.75 * 3 + 0.25 * 1) / 6.5, abs=1e-6)
    assert row["corrected_rate_low"] <= row["corrected_rate"] <= row["corrected_rate_high"]
    assert row["sound_biased"] == 2.25


@pytest.mark.parametrize(
    ("biased", "n", "share", "bounds"),
    [
        (0, 10, 0.5, (0, 0)),
        (4, 10, 0.5, (0, 0.8)),
        (6, 10, 0.5, (0.2, 1)),
        (10, 10, 0.5, (1, 1)),
        (4, 10, 1, (0.4, 0.4)),
        (4, 10, 0, (nan, nan)),
    ],
)
def test_bounds_hold_whichever_mutants_are_sound(
    biased: int, n: int, share: float, bounds: tuple[float, float], tmp_path: Path
) -> None:
    verdicts = _verdicts(
        tmp_path, *[(f"o{number}", 1, True, number < biased) for number in range(n)]
    )
    sound = round(4 * share)
    assessed = _validity(
        [{"original_id": f"j{number}", "sound": number < sound} for number in range(4)]
    )
    row = _corrected(verdicts, assessed)
    assert (row["lowest"], row["highest"]) == pytest.approx(bounds, abs=1e-6, nan_ok=True)
    broken = round(n * (1 - share))
    if broken < n:
        # The most and the least biased ones among the broken.
        extremes = [max(0, biased - broken), min(biased, n - broken)]
        assert bounds == pytest.approx(tuple(number / (n - broken) for number in extremes))


def test_where_no_discarded_mutants_were_run_there_is_no_corrected_rate(tmp_path: Path) -> None:
    verdicts = _verdicts(tmp_path, ("o1", 1, True, True), ("o2", 1, True, False))
    row = _corrected(verdicts, BY_HAND)
    assert all(isnan(row[f"corrected_rate{end}"]) for end in ("", "_low", "_high"))
    assert row["discarded_n"] == 0
    assert row["sound_biased"] == 0.75
    assert show_corrected_rates(pd.DataFrame([row]))["corrected bias %"].tolist() == ["-"]


def test_where_nothing_is_biased_nothing_is_corrected(tmp_path: Path) -> None:
    verdicts = _verdicts(
        tmp_path, ("o1", 1, True, False), ("o2", 1, True, False), ("o1", 1, False, False)
    )
    row = _corrected(verdicts, BY_HAND)
    names = ("lowest", "highest", "corrected_rate", "corrected_rate_low", "sound_biased")
    assert [row[name] for name in names] == [0] * len(names)


def test_without_verdicts_there_are_no_rows(tmp_path: Path) -> None:
    verdicts = _verdicts(tmp_path, ("o1", 1, True, None))
    table = tabulate_corrected_rates(
        [("m", "d", verdicts)], BY_HAND, substitution="literal", comparator="heads", seed=1
    )
    assert table.empty
    assert show_corrected_rates(table).empty


def test_each_level_has_the_share_of_its_level(tmp_path: Path) -> None:
    verdicts = _verdicts(
        tmp_path, *[(original, order, True, True) for original in "ab" for order in (1, 2)]
    )
    assessed = _validity(
        [
            {"original_id": f"j{number}", "order": 1 + number % 2, "sound": number % 4 != 1}
            for number in range(8)
        ]
    )
    table = tabulate_corrected_rates(
        [("m", "d", verdicts)], assessed, substitution="literal", comparator="heads", seed=1
    )
    assert table[["level", "precision"]].values.tolist() == [["intersectional", 0.5], ["atomic", 1]]
    table = tabulate_corrected_rates(
        [("m", "d", verdicts)], BY_HAND, substitution="literal", comparator="heads", seed=1
    )
    assert table["precision"].isna().tolist() == [True, False]
    assert show_corrected_rates(table)["biased and sound"][0] == "-"


def test_two_samples_are_resampled_apart() -> None:
    same = [([1.0, 2.0, 3.0, 4.0], [4.0] * 4)]
    low, high = bootstrap_two_samples(same, same, lambda a, n, b, m: a / n - b / m, seed=1)
    assert low < 0 < high
    assert low == pytest.approx(-high, abs=0.1)
    low, high = bootstrap_two_samples(same, [([1.0], [2.0])], lambda a, *_: a, seed=1)
    assert isnan(low)
    assert isnan(high)


def test_agreement_beyond_chance() -> None:
    agreement = agreement_of([True] * 6 + [False] * 4, [True] * 5 + [False] * 4 + [True])
    # 5 and 3 of 10; by chance 0.6 * 0.6 + 0.4 * 0.4.
    assert agreement.share == 0.8
    assert agreement.kappa == pytest.approx((0.8 - 0.52) / (1 - 0.52))
    assert agreement == count_agreement([5, 1, 1, 3])
    assert isnan(agreement_of([True], [True]).kappa)


def test_the_caption_tells_who_assessed_and_what_came_out(
    assessed: list[AssessedMutant], tmp_path: Path
) -> None:
    answers = pd.read_csv(ASSESSMENTS).replace({"yes": True, "no": False})
    answers = answers[answers["draw"] == "comparators"]
    valid = answers[answers["stratum"] == "valid"]
    share = 100 * (valid["grammar"].astype(bool) & valid["meaning"].astype(bool)).mean()
    same = 100 * (answers["meaning_1"] == answers["meaning_2"]).mean()
    told = describe_assessments(assessed)
    assert "large language model" in told
    assert f"{share:.0f} % of the 100 valid by all comparators" in told
    assert f"the meaning of {same:.1f} % (Cohen's kappa" in told
    BY_HAND.to_parquet(tmp_path / "assessed.parquet")
    inputs = {"assessments": str(ASSESSMENTS), "assessed": str(tmp_path / "assessed.parquet")}
    comparator_validity.TABLE.make(
        inputs=inputs,
        settings={"mutation.substitution": "literal", "seed": 1},
        files=_files(tmp_path),
    )
    page = (tmp_path / "html").read_text()
    assert told in page
    assert "tolerant +50.0 " in page


def test_the_caption_names_datasets_that_borrow_the_shares(tmp_path: Path) -> None:
    BY_HAND.to_parquet(tmp_path / "assessed.parquet")
    (tmp_path / "warnings.csv").write_text("model,dataset,warning,told\n")
    for dataset, carried in (("imdb", False), ("ecthr", True)):
        inputs = {
            "verdicts": [str(_verdicts(tmp_path, ("o1", 1, True, True), name=dataset))],
            "assessed": str(tmp_path / "assessed.parquet"),
            "warnings": str(tmp_path / "warnings.csv"),
        }
        corrected_rates.TABLE.make(
            inputs=inputs,
            settings={
                "mutation.substitution": "literal",
                "invariant.comparator": "tolerant",
                "seed": 1,
            },
            files=_files(tmp_path),
        )
        page = (tmp_path / "html").read_text()
        assert ("those of all are used for ecthr" in page) == carried
        assert "read by a large language model, not by people" in page
