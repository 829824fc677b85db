"""Bias by group, against random permutations and noise."""

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hinter.predictions import REPEATS_SCHEMA
from hinter.statistics import q_values, wilson_interval
from hinter.tables.rq4.groups_bias import TABLE, describe_crossed, tabulate_groups_bias
from random_studies import random_verdicts
from result_files import Parts, write_rows
from simulated import judge, make_suite, write_pairs


def _lines(told: pd.DataFrame) -> dict[tuple[str, ...], pd.DataFrame]:
    """The mutants of each line by its level, attributes and groups."""
    lines = {(level, "all", "", ""): rows for level, rows in told.groupby("level")}
    for (level, attributes), rows in told.groupby(["level", "attributes"]):
        lines[level, attributes, "", ""] = rows
    pairs = told.explode("pair_ids")
    for (level, pair), rows in pairs.groupby(["level", "pair_ids"]):
        # A term is a group of its own.
        lines[level, pair[:-4], pair[-3], pair[-1]] = rows
    return lines


def _plain_p_value(
    line: tuple[str, ...], rows: pd.DataFrame, told: pd.DataFrame, *, seed: int
) -> tuple[float, float]:
    """Expected rate, and the p-value by random permutation within originals."""
    _, attributes, source, target = line
    rng, expected, observed = np.random.default_rng(seed), 0.0, rows["biased"].sum()
    of_others = 0.0
    sums, squares, variance = np.zeros(4000), 0.0, 0.0
    for original in rows["original_id"].unique():
        same = told[(told["original_id"] == original) & (told["level"] == line[0])]
        deviations = np.zeros(4000)
        observed_here = expected_here = 0.0
        for _, stratum in same.groupby("attributes" if source else "order"):
            units = stratum.assign(n=1)
            inside = units["attributes"] == attributes
            if source:
                units = units.explode("pair_ids")
                units = units[units["pair_ids"].str.startswith(f"{attributes}:")]
                units = units.groupby("pair_ids")[["biased", "n"]].sum().reset_index()
                inside = units["pair_ids"] == f"{attributes}:{source}>{target}"
            if not inside.any():
                continue
            rate = units["biased"].sum() / units["n"].sum()
            residuals = (units["biased"] - units["n"] * rate).to_numpy(dtype=float)
            expected_here += rate * units["n"][inside].sum()
            others = units[~inside]
            by_others = others["biased"].sum() / others["n"].sum() if len(others) else None
            of_others += (
                units["biased"][inside].sum()
                if by_others is None
                else by_others * units["n"][inside].sum()
            )
            observed_here += units["biased"][inside].sum()
            permuted = rng.permuted(np.tile(residuals, (4000, 1)), axis=1)
            deviations += permuted[:, : inside.sum()].sum(axis=1)
        sums += deviations
        expected += expected_here
        squares += (observed_here - expected_here) ** 2
        variance += deviations.var()
    found = observed - expected
    sums *= max(1, squares / max(variance, 1e-9)) ** 0.5
    return of_others / len(rows), (np.abs(sums) >= abs(found) - 1e-9).mean()


@pytest.mark.long
def test_groups_agree_with_random_permutations(tmp_path: Path) -> None:
    parts, told = random_verdicts(tmp_path, seed=4)
    parts = [part for part in parts if part[:2] == ("m", "d")]
    told = told[(told["model"] == "m") & (told["dataset"] == "d")].dropna(subset=["biased"])
    told = told.assign(biased=told["biased"].astype(int))
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    table = tabulate_groups_bias(parts, [], [], pairs=pairs, outcome_statuses=[], seed=3)
    names = ["level", "attributes", "source_group", "target_group"]
    found = {tuple(row[name] for name in names): row for row in table.to_dict("records")}
    lines = _lines(told)
    assert set(found) == set(lines)
    for line, rows in lines.items():
        row = found[line]
        counts = rows.groupby("original_id")["biased"].agg(["sum", "count"])
        assert (row["n"], row["originals"], row["biased"]) == (
            len(rows),
            len(counts),
            rows["biased"].sum(),
        )
        assert row["bias_rate"] == pytest.approx(rows["biased"].mean(), abs=1e-6)
        assert (row["bias_rate_low"], row["bias_rate_high"]) == pytest.approx(
            wilson_interval(rows["biased"].sum(), len(rows)), abs=1e-6
        )
    tested = [line for line in lines if line[1] != "all" and line[3] in ("", "x")]
    for line in random.Random(1).sample(tested, 10):
        expected, p_value = _plain_p_value(line, lines[line], told, seed=2)
        assert found[line]["expected_rate"] == pytest.approx(expected, abs=1e-6)
        assert found[line]["p_value"] == pytest.approx(p_value, abs=0.04)
    assert table["noise_p_value"].isna().all()
    assert table[table["attributes"] == "all"]["p_value"].isna().all()
    assert not [name for name in TABLE.show(table) if "noise" in name]


def test_the_table_does_not_depend_on_the_order_of_the_verdicts(tmp_path: Path) -> None:
    (part, *_), _ = random_verdicts(tmp_path, seed=4)
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    verdicts, tables = pq.read_table(part[2]), []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(verdicts))
        pq.write_table(verdicts.take(order), part[2])
        tables.append(
            tabulate_groups_bias([part], [], [], pairs=pairs, outcome_statuses=[], seed=3)
        )
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])


def _repeats(folder: Path, flips: dict[str, list[bool]]) -> Parts:
    rows = [
        {"original_id": key, "repeat": repeat, "status": "ok", "outcome": ["n" if flipped else "p"]}
        for key, flipped_each in flips.items()
        for repeat, flipped in enumerate([False, *flipped_each], start=1)
    ]
    return [("m", "d", write_rows(folder / "repeats.parquet", rows, REPEATS_SCHEMA))]


@pytest.mark.parametrize(("rate", "found"), [(0.1, False), (0.5, True)])
def test_bias_beyond_the_noise_floor_is_told_from_noise(
    rate: float, found: bool, tmp_path: Path
) -> None:
    draw = random.Random(2)
    suite = make_suite(originals=30, attributes=["a", "b"], orders=[1, 2])
    verdicts = judge(suite, lambda key: draw.random() < rate, verdicts=tmp_path / "d.parquet")
    flips = {key: [draw.random() < 0.1 for _ in range(5)] for key in suite["original_id"].unique()}
    table = tabulate_groups_bias(
        [("m", "d", verdicts)],
        _repeats(tmp_path, flips),
        [],
        pairs=write_pairs(tmp_path / "pairs.csv", attributes=["a", "b"]),
        outcome_statuses=[],
        seed=1,
    )
    noise: list[Any] = [flipped for each in flips.values() for flipped in each]
    assert set(table["noise_rate"]) == {round(np.mean(noise), 6)}
    total = table[table["attributes"] == "all"]
    assert (total["noise_p_value"] < 0.001).all() == found
    assert (table["noise_q_value"].min() < 0.05) == found
    known = table["noise_p_value"].tolist()
    assert table["noise_q_value"].tolist() == pytest.approx(q_values(known), abs=1e-6)
    shown = TABLE.show(table)
    assert shown["noise q"].tolist() == [f"{value:.4f}" for value in table["noise_q_value"]]


@pytest.mark.parametrize("planted", [True, False])
def test_groups_that_bias_joins_are_said_and_no_others(planted: bool, tmp_path: Path) -> None:
    draw = random.Random(4)

    def changes(mutant: str) -> bool:
        crossed = mutant.count("|") == 2 and ">x" in mutant.split("|")[1]
        return draw.random() < (0.6 if planted and crossed else 0.05)

    suite = make_suite(originals=40, attributes=["a", "b"], orders=[1, 2])
    verdicts = judge(suite, changes, verdicts=tmp_path / "d.parquet")
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b"])
    asked: dict[str, Any] = {"pairs": pairs, "outcome_statuses": [], "seed": 1}
    table = tabulate_groups_bias([("m", "d", verdicts)], [], [], **asked)
    told = describe_crossed(table)
    found = re.findall(r"(\w) to (\w) \(a; m, d\): [56]\d\.\d\d %", told)
    assert found == ([("s", "x"), ("t", "x")] if planted else [])
    assert told.count(" to ") == len(found)
    assert (TABLE.finding or str)(table, {}) == told
