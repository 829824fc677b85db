"""Audits of models whose bias is known: none at all, pure noise, or planted at every order."""

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.mutants import MUTANTS_SCHEMA
from hinter.oracle import select_suite
from hinter.predictions import REPEATS_SCHEMA
from hinter.tables.rq1.excess import tabulate_excess
from hinter.tables.rq4.exposure import tabulate_lattice
from hinter.tables.rq4.groups_bias import tabulate_groups_bias
from made_up import control_of
from scipy.stats import binom
from simulated import judge, make_suite, write_pairs
from tries import alike

pytestmark = pytest.mark.long

AUDITS, Q = 400, 0.05
ORIGINALS, REPEATS = 12, 4


@pytest.mark.release
def test_pure_noise_is_seldom_called_bias(tmp_path: Path) -> None:
    """Every discovery is false here, so an audit with any counts against the rate q.

    The answers are drawn anew each time, from one rate or from one of each original's own.
    """
    rng = np.random.default_rng(1)
    suite = make_suite(originals=ORIGINALS, attributes=["a", "b"], orders=[1, 2], targets=("x",))
    verdicts = pq.read_table(judge(suite, lambda key: False, verdicts=tmp_path / "v.parquet"))
    originals = verdicts["original_id"].to_pylist()
    names = sorted(set(originals))
    place = verdicts.column_names.index("biased")
    parts, repeats = [], []
    for number in range(AUDITS):
        own = rng.beta(0.5, 2, size=ORIGINALS) if number % 2 else np.full(ORIGINALS, 0.15)
        rates = dict(zip(names, own, strict=True))
        biased = rng.random(len(originals)) < [rates[name] for name in originals]
        told = tmp_path / f"m{number}.parquet"
        pq.write_table(verdicts.set_column(place, "biased", pa.array(biased)), told)
        parts.append((f"m{number}", "d", told))
        asked = tmp_path / f"r{number}.parquet"
        flipped = rng.random((ORIGINALS, REPEATS)) < own[:, np.newaxis]
        pq.write_table(_repeats(names, flipped), asked)
        repeats.append((f"m{number}", "d", asked))
    rows = tabulate_groups_bias(
        parts,
        repeats,
        [],
        pairs=write_pairs(tmp_path / "pairs.csv", attributes=["a", "b"]),
        outcome_statuses=[],
        seed=1,
    )
    found = rows.groupby("model")[["q_value", "noise_q_value"]].min() <= Q
    assert len(found) == AUDITS
    assert (found.sum() <= binom.ppf(0.999, AUDITS, Q)).all()
    # Not for want of power: the tests of single lines reject nearly as often as they may.
    assert rows["noise_p_value"].lt(0.05).mean() > 0.01
    assert rows["noise_p_value"].lt(0.05).mean() <= 0.06


PRIMARY = {"measure": "hidden bias", "order": 2}


@pytest.mark.release
def test_fragile_but_fair_models_seldom_have_an_excess(tmp_path: Path) -> None:
    """Each original has a rate of its own at which any edit changes the outcome.

    So a third of the mutants are biased, and as many controls: all discoveries are false.
    """
    rng = np.random.default_rng(2)
    suite = make_suite(originals=ORIGINALS, attributes=["a", "b"], orders=[1, 2], targets=("x",))
    partners = [control_of(row.mutant_id, row.pair_ids) for row in suite.itertuples()]
    controls = pd.DataFrame(partners).drop_duplicates("mutant_id")
    whole = pd.concat([suite, controls], ignore_index=True)
    verdicts = pq.read_table(judge(whole, lambda key: False, verdicts=tmp_path / "v.parquet"))
    matches = [
        {"mutant_id": key, "control_id": partner["mutant_id"]}
        for key, partner in zip(suite["mutant_id"], partners, strict=True)
    ]
    matched = [("controls", "d", tmp_path / "c.parquet")]
    pq.write_table(pa.Table.from_pylist(matches, schema=CONTROLS_SCHEMA), tmp_path / "c.parquet")
    originals = verdicts["original_id"].to_pylist()
    place, names = verdicts.column_names.index("biased"), sorted(set(originals))
    rows = []
    for number in range(AUDITS):
        own = dict(zip(names, rng.beta(1, 2, size=ORIGINALS), strict=True))
        biased = rng.random(len(originals)) < [own[name] for name in originals]
        told = tmp_path / "m.parquet"
        pq.write_table(verdicts.set_column(place, "biased", pa.array(biased)), told)
        rows.append(tabulate_excess([(f"m{number}", "d", told)], matched, primary=PRIMARY, seed=1))
    table = pd.concat(rows)
    table = table[table["measure"] == "bias"]
    assert table["rate"].mean() > 0.3
    found = (table.groupby("model")["q_value"].min() <= Q).sum()
    assert found <= binom.ppf(0.999, AUDITS, Q)
    # Not for want of power.
    assert table["p_value"].lt(0.05).mean() > 0.02
    covered = (table["excess_low"] <= 0) & (table["excess_high"] >= 0)
    assert covered.mean() > 0.88


def _repeats(
    names: list[str], flipped: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
) -> pa.Table:
    rows = [
        {"original_id": name, "repeat": repeat, "status": "ok", "outcome": ["n" if flip else "p"]}
        for name, flips in zip(names, flipped, strict=True)
        for repeat, flip in enumerate([False, *flips], start=1)
    ]
    return pa.Table.from_pylist(rows, schema=REPEATS_SCHEMA)


@alike("seed", [0], [1, 2])
def test_planted_hidden_bias_of_orders_2_to_4_is_found_and_nothing_else(
    seed: int, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    mutants = make_suite(
        originals=8, attributes=["a", "b", "c", "d"], orders=[1, 2, 3, 4], targets=("x", "y")
    )
    table = pa.Table.from_pylist(mutants.to_dict("records"), schema=MUTANTS_SCHEMA)
    pq.write_table(table, tmp_path / "mutants.parquet")
    sampled = tmp_path / "suite.parquet"
    select_suite(
        tmp_path / "mutants.parquet",
        sampled,
        originals=None,
        pairs_per_attribute=None,
        discarded=False,
        seed=1,
    )
    suite = pq.read_table(sampled).to_pandas().assign(reason=None)
    planted: list[set[str]] = []
    for order in (2, 3, 4):
        of_order = suite.loc[suite["order"] == order, "mutant_id"]
        while sum(len(case) == order + 1 for case in planted) < 10:
            case = set(draw.choice(of_order.tolist()).split("|"))
            # Inside another case, or around one, it would not be hidden.
            if not any(case <= other or other <= case for other in planted):
                planted.append(case)

    def changed(mutant_id: str) -> bool:
        return any(case <= set(mutant_id.split("|")) for case in planted)

    verdicts = judge(suite, changed, verdicts=tmp_path / "d.parquet")
    told = pq.read_table(verdicts).to_pylist()
    hidden = [set(row["mutant_id"].split("|")) for row in told if row["hidden"]]
    assert sorted(map(sorted, hidden)) == sorted(map(sorted, planted))
    for row in told:
        inside = {
            "|".join(sorted(case - {row["original_id"]}))
            for case in planted
            if case <= set(row["mutant_id"].split("|"))
        }
        assert set(row["minimal_subsets"]) == inside
        assert row["biased"] == bool(inside)
    lattice = tabulate_lattice([("m", "d", verdicts)], seed=1)
    assert lattice[lattice["model"] == "m"]["hidden"].tolist() == [10, 10, 10]
    assert lattice["masked"].eq(0).all()
