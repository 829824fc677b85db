"""Excess over controls, against plain loops, and on models whose bias is known."""

import random
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.statistics import cluster_bootstrap, sign_flip_test
from hinter.tables.rq1.excess import COLUMNS, ONE_PAIR, TABLE, THROUGHOUT, tabulate_excess
from result_files import Parts, Row, verdict_row, write_rows
from scipy.stats import false_discovery_control
from tries import alike

ORIGINALS = 12
PRIMARY = {"measure": "hidden bias", "order": 2}
ATTRIBUTES = {1: ("a", "b"), 2: ("a+b", "a+c")}


class PairedStudy:
    """Verdicts of two models on mutants and on their controls, on two datasets."""

    def __init__(self, folder: Path, *, seed: int, bias: float = 0.3, control: float = 0.2) -> None:
        draw = random.Random(seed)
        self.rows: list[tuple[str, str, Row, dict[str, Row | None]]] = []
        self.verdicts: Parts = []
        self.controls: Parts = []
        for dataset in ("d", "e"):
            for model in ("m", "other"):
                told = [
                    (mutant, partner)
                    for original in range(ORIGINALS)
                    for order in (1, 2)
                    for number in range(5)
                    for mutant, partner in [_pair(draw, original, order, number, bias, control)]
                ]
                rows = [row for pair in told for row in pair if row is not None]
                path = write_rows(folder / model / f"{dataset}.parquet", rows, VERDICTS_SCHEMA)
                self.verdicts.append((model, dataset, path))
                # What is neutral throughout is the control of another mutant of two here.
                of_two = [pair for pair in told if pair[0]["order"] == 2]
                other = {
                    mutant["mutant_id"]: of_two[-number]
                    for number, (mutant, _) in enumerate(of_two)
                }
                for mutant, partner in told:
                    partners = {ONE_PAIR: partner}
                    if mutant["order"] == 2:
                        partners[THROUGHOUT] = other[mutant["mutant_id"]][1]
                    self.rows.append((model, dataset, mutant, partners))
            ids = [mutant["mutant_id"] for mutant, _ in told]
            matches = [
                {"mutant_id": key, "control_id": f"{key}'"}
                | ({"neutral_id": f"{other[key][0]['mutant_id']}'"} if key in other else {})
                for key in ids
            ]
            path = write_rows(folder / "controls" / f"{dataset}.parquet", matches, CONTROLS_SCHEMA)
            self.controls.append(("controls", dataset, path))


def _pair(
    draw: random.Random, original: int, order: int, number: int, bias: float, control: float
) -> tuple[Row, Row | None]:
    """Return the verdicts on a mutant and on its control, which may be missing or of no use."""

    def verdict(rate: float, suffix: str, *, control: bool) -> Row:
        biased = None if draw.random() < 0.05 else draw.random() < rate
        complete = draw.random() < 0.8
        return verdict_row(
            f"o{original:02}",
            number,
            mutant_id=f"o{original:02}|{order}|{number}{suffix}",
            order=order,
            attributes=ATTRIBUTES[order][number % 2],
            visible_order=order - (draw.random() < 0.05),
            biased=biased,
            complete=complete,
            hidden=bool(biased and draw.random() < 0.5) if complete and order > 1 else None,
            control=control,
        )

    mutant = verdict(bias, "", control=False)
    partner = verdict(control, "'", control=True)
    return mutant, None if draw.random() < 0.1 else partner | {"counted": False}


def _expected(study: PairedStudy, row: Row) -> dict[str, list[tuple[bool, bool]]]:
    """Return by original whether mutants and their controls show what a row measures."""
    shown: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    compared_with = ONE_PAIR if row["order"] == 1 else row["compared_with"]
    for model, dataset, mutant, partners in study.rows:
        of_line = (model, dataset, mutant["order"]) == (row["model"], row["dataset"], row["order"])
        if not of_line or row["attributes"] not in ("all", mutant["attributes"]):
            continue
        pair = [one for one in (mutant, partners[compared_with]) if one is not None]
        seen = [one["visible_order"] == one["order"] for one in pair]
        if len(pair) < 2 or not all(seen) or any(one["biased"] is None for one in pair):
            continue
        if row["measure"] == "hidden bias" and not all(one["complete"] for one in pair):
            continue
        column = "biased" if row["measure"] == "bias" else "hidden"
        shown[mutant["original_id"]].append((pair[0][column], pair[1][column]))
    return shown


@alike("seed", [0], [1, 2])
def test_rows_equal_plain_loops_over_pairs(seed: int, tmp_path: Path) -> None:
    study = PairedStudy(tmp_path, seed=seed)
    table = tabulate_excess(study.verdicts, study.controls, primary=PRIMARY, seed=3)
    assert list(table) == list(COLUMNS)
    # Two models and datasets, three lines each: bias in both orders, hidden bias in one, and of
    # that order over two kinds of control.
    assert len(table) == 2 * 2 * 3 * (1 + 2 * 2)
    for row in table.to_dict("records"):
        pairs = _expected(study, row)
        # All are resampled, also those without such a pair.
        originals = [pairs[f"o{number:02}"] for number in range(ORIGINALS)]
        ones = [pair for of_original in originals for pair in of_original]
        differences = [sum(a - b for a, b in of_original) for of_original in originals]
        counts = [len(of_original) for of_original in originals]
        assert (row["n"], row["originals"]) == (len(ones), sum(count > 0 for count in counts))
        assert row["rate"] == pytest.approx(np.mean([a for a, _ in ones]), abs=1e-6)
        assert row["control_rate"] == pytest.approx(np.mean([b for _, b in ones]), abs=1e-6)
        interval = cluster_bootstrap(differences, counts, bounds=(-1, 1), seed=3)
        assert row["excess"] == pytest.approx(sum(differences) / len(ones), abs=1e-6)
        assert (row["excess_low"], row["excess_high"]) == pytest.approx(interval, abs=1e-6)
        # Two draws of 9,999 permutations: 0.03 are over 4 standard deviations.
        assert row["p_value"] == pytest.approx(sign_flip_test(differences, seed=4), abs=0.03)
    assert len(TABLE.show(table)) == len(table)


def test_bias_beyond_harmless_edits_is_found_with_its_size(tmp_path: Path) -> None:
    study = PairedStudy(tmp_path, seed=5, bias=0.7, control=0.1)
    table = tabulate_excess(study.verdicts, study.controls, primary=PRIMARY, seed=1)
    of_all = table[(table["measure"] == "bias") & (table["attributes"] == "all")]
    of_all = of_all[of_all["compared_with"] != THROUGHOUT]
    assert (of_all["q_value"] < 0.01).all()
    assert (of_all["excess_low"] < 0.6).all() and (of_all["excess_high"] > 0.45).all()
    assert (of_all["excess_low"] > 0.15).all()


def test_the_primary_comparison_is_adjusted_apart_from_what_is_explored(tmp_path: Path) -> None:
    study = PairedStudy(tmp_path, seed=2)
    table = tabulate_excess(study.verdicts, study.controls, primary=PRIMARY, seed=1)
    named = (table["measure"] == "hidden bias") & (table["attributes"] == "all")
    named &= table["compared_with"] == ONE_PAIR
    # One for each of two models on two datasets.
    assert table["primary"].tolist() == named.tolist() and named.sum() == 4
    families = [table[named], *(rows for _, rows in table[~named].groupby("model"))]
    for rows in families:
        expected = false_discovery_control(rows["p_value"], method="bh")
        assert rows["q_value"].tolist() == pytest.approx(expected.tolist(), abs=1e-6)
    assert TABLE.show(table)["comparison"].value_counts().to_dict() == {
        "exploratory": len(table) - 4,
        "primary": 4,
    }


def test_worse_and_better_outcomes_are_told_apart_where_labels_are_favourable(
    tmp_path: Path,
) -> None:
    rows = [
        verdict_row(f"o{number}", 1, mutant_id=f"o{number}|{key}", control=control, **told)
        for number in range(4)
        for key, control, told in (
            ("a:1|b:1", False, {"worse": number > 0, "better": number == 0}),
            ("a:1|control:1", True, {"worse": number == 3, "better": False}),
        )
    ]
    verdicts = [("m", "d", write_rows(tmp_path / "v.parquet", rows, VERDICTS_SCHEMA))]
    matches = [
        {"mutant_id": f"o{number}|a:1|b:1", "control_id": f"o{number}|a:1|control:1"}
        for number in range(4)
    ]
    path = write_rows(tmp_path / "c.parquet", matches, CONTROLS_SCHEMA)
    table = tabulate_excess(verdicts, [("controls", "d", path)], primary=PRIMARY, seed=1)
    of_all = table[table["attributes"] == "all"].set_index("measure")
    assert of_all.loc["worse", ["n", "rate", "control_rate", "excess"]].tolist() == [
        4,
        0.75,
        0.25,
        0.5,
    ]
    assert of_all.loc["better", ["n", "rate", "control_rate", "excess"]].tolist() == [
        4,
        0.25,
        0,
        0.25,
    ]
    assert not of_all.loc[["worse", "better"], "primary"].any()


def test_an_excess_that_is_length_alone_is_told_as_such(tmp_path: Path) -> None:
    """Every other mutant has a word more than its control, and only these are biased."""
    names = {1: "a:1|b:1", 2: "a:1|b:2"}
    rows = [
        verdict_row(f"o{text:02}", number, mutant_id=f"o{text:02}|{key}{end}", control=bool(end))
        | {"biased": number == 1 and not end}
        for text in range(20)
        for number, key in names.items()
        for end in ("", "'")
    ]
    verdicts = [("m", "d", write_rows(tmp_path / "v.parquet", rows, VERDICTS_SCHEMA))]
    matches = [
        {"mutant_id": f"o{text:02}|{key}", "control_id": f"o{text:02}|{key}'"}
        | {"more_words": int(number == 1) if text else None}
        for text in range(20)
        for number, key in names.items()
    ]
    controls = [("controls", "d", write_rows(tmp_path / "c.parquet", matches, CONTROLS_SCHEMA))]
    table = tabulate_excess(verdicts, controls, primary=PRIMARY, seed=1)
    row = table[(table["attributes"] == "all") & (table["measure"] == "bias")].iloc[0]
    # Of one text, nobody knows the numbers of words.
    assert row[["n", "not_longer_n", "longer_n"]].tolist() == [40, 19, 19]
    assert row[["excess", "not_longer_excess", "longer_excess"]].tolist() == [0.5, 0, 1]
    assert row["not_longer_excess_low"] < 0 < row["not_longer_excess_high"]
    assert row["longer_q_value"] < 0.01 and row["not_longer_q_value"] == 1
    assert TABLE.show(table)["longer: excess"].str.startswith("100").any()


def test_without_pairs_there_are_no_rows(tmp_path: Path) -> None:
    verdicts = [("m", "d", write_rows(tmp_path / "v.parquet", [], VERDICTS_SCHEMA))]
    controls = [("controls", "d", write_rows(tmp_path / "c.parquet", [], CONTROLS_SCHEMA))]
    table = tabulate_excess(verdicts, controls, primary=PRIMARY, seed=1)
    assert list(table) == list(COLUMNS) and table.empty and TABLE.show(table).empty
