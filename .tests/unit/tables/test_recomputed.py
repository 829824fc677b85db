"""Tables of a made-up study with much bias, against a reading of its files without the library."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.tables.rq1.excess import tabulate_excess
from hinter.tables.rq1.one_person import tabulate_one_person
from hinter.tables.rq1.table2_bias_rates import tabulate_bias_rates
from hinter.tables.rq4.contrasts import tabulate_contrasts
from hinter.tables.rq4.interactions import tabulate_interactions
from recompute import TABLES, recompute
from result_files import Parts, write_counts, write_rows
from simulated import (
    Prediction,
    additive_margins,
    judge_predictions,
    make_suite,
    of_two_labels,
    write_pairs,
)

ATTRIBUTES, ORIGINALS = ("a", "b", "c"), 12
SETTINGS = {"outcome_statuses": [], "primary": {"measure": "hidden bias", "order": 2}}
SETTINGS |= {"favourable": {"d": ["p"]}}
NEUTRAL = ("control:s>x", "control:t>y")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return results of two models: mutants are sampled, discarded, cut off and without answers."""
    folder, draw = tmp_path_factory.mktemp("recomputed") / "results", random.Random(3)
    (folder / "dictionary").mkdir(parents=True)
    pairs = write_pairs(folder / "dictionary" / "pairs.csv", attributes=[*ATTRIBUTES, "control"])
    suite = _suite(draw)
    controls = _controls(folder, suite)
    parts = [(model, "d", _answered(folder, model, suite, seed=n)) for n, model in enumerate("mn")]
    answers = [(model, "d", path.with_suffix(".predictions")) for model, _, path in parts]
    told = suite[~suite["control"] & suite["valid"]]
    numbers = told.groupby("order").size()
    counts = write_counts(folder / "counts", *((order, None, n) for order, n in numbers.items()))
    tables = {
        "table2_bias_rates": tabulate_bias_rates(
            parts,
            counts,
            predictions=answers,
            accuracy=pd.DataFrame(columns=["dataset", "model", "accuracy", "macro_f1"]),
            seed=1,
        ),
        "one_person": tabulate_one_person(parts, seed=1),
        "excess": tabulate_excess(parts, controls, primary=SETTINGS["primary"], seed=1),
        "interactions": tabulate_interactions(parts, answers, controls, seed=1),
        "contrasts": tabulate_contrasts(parts, answers, pairs=pairs, seed=1),
    }
    (folder / "tables").mkdir()
    for name, table in tables.items():
        table.to_csv(folder / "tables" / f"{name}.csv", index=False)
    return folder


def _suite(draw: random.Random) -> pd.DataFrame:
    """Return mutants of three attributes, those with a neutral pair in place of one, and of two."""
    whole = make_suite(
        originals=ORIGINALS,
        attributes=[*ATTRIBUTES, "control"],
        orders=[1, 2, 3],
        targets=("x", "y"),
    )
    neutral = whole["pair_ids"].map(lambda pairs: [p for p in pairs if p.startswith("control")])
    whole["control"] = neutral.map(len) > 0
    kept = ~whole["control"] | neutral.map(lambda pairs: pairs == [NEUTRAL[0]])
    kept |= whole["mutant_id"].str.contains(rf"^o\d+\|{NEUTRAL[1]}$")
    both = whole[(whole["order"] == 2) & kept].drop_duplicates("original_id").copy()
    both["pair_ids"] = [list(NEUTRAL)] * len(both)
    both["mutant_id"] = ["|".join([name, *NEUTRAL]) for name in both["original_id"]]
    both = both.assign(attributes="control+control", control=True, one_person=None)
    some = whole[kept].sample(frac=0.8, random_state=1).sort_index()
    suite = pd.concat([some, both], ignore_index=True)
    suite["valid"] = [control or draw.random() < 0.9 for control in suite["control"]]
    sampled = [draw.random() < 0.7 if order == 3 else None for order in suite["order"]]
    return suite.assign(sampled=pd.Series(sampled, dtype=object))


def _controls(folder: Path, suite: pd.DataFrame) -> Parts:
    matches = [
        {"mutant_id": row.mutant_id, "pair_id": row.pair_ids[-1]}
        | {"control_id": "|".join([row.original_id, *row.pair_ids[:-1], NEUTRAL[0]])}
        | ({"neutral_id": "|".join([row.original_id, *NEUTRAL])} if row.order == 2 else {})
        for row in suite[~suite["control"]].itertuples()
    ]
    return [
        ("controls", "d", write_rows(folder / "controls" / "d.parquet", matches, CONTROLS_SCHEMA))
    ]


def _answered(folder: Path, model: str, suite: pd.DataFrame, *, seed: int) -> Path:
    """Write answers whose margins are sums of effects of all sets of pairs, and of noise."""
    draw, known = random.Random(seed), dict[object, float]()

    def effect(original: str, subset: frozenset[str]) -> float:
        groups = sorted(pair[0] + pair[-1] for pair in subset if not pair.startswith("control"))
        own = {"ax": -0.4, "by": -0.3, "ax by": -0.9}.get(" ".join(groups), 0.0)
        spread = 0.3 / len(subset) if groups else 0.1
        return own + known.setdefault((original, subset), draw.gauss(0, spread))

    margins = additive_margins(suite, start=lambda _: draw.uniform(-0.5, 2), effect=effect)
    answers: dict[str, Prediction] = {}
    for key, margin in margins.items():
        outcome, scores = of_two_labels(margin)
        lost = "|" in key and draw.random() < 0.03
        answers[key] = (None, None) if lost else (outcome, None if draw.random() < 0.01 else scores)
    visible = {key: key.count("|") - (draw.random() < 0.02) for key in suite["mutant_id"]}
    path = folder / "verdicts" / model / "d.parquet"
    judge_predictions(suite, answers, verdicts=path, visible=visible, favourable=["p"])
    for name, suffix in (("suites", ".suite"), ("predictions", ".predictions")):
        (folder / name / model).mkdir(parents=True)
        shutil.copy(path.with_suffix(suffix), folder / name / model / "d.parquet")
    return path


def test_verdicts_and_tables_are_what_their_raw_files_come_to(results: Path) -> None:
    tally = recompute(results, SETTINGS)
    assert tally.wrong == []
    assert all(tally.compared[name] > 50 for name in TABLES)
    table = pd.read_csv(results / "tables" / "table2_bias_rates.csv")
    # There is much to be wrong about.
    of_two = table[table["order"] == 2]
    assert (of_two["hidden"] > 10).all() and (table["complete"] < table["biased"]).all()
    assert (of_two["robust"] > 0).all() and (of_two["robust"] < of_two["robust_of"]).all()
    excess = pd.read_csv(results / "tables" / "excess.csv")
    assert excess["p_value"].between(0.001, 0.9).sum() > 20
    assert {"mention"} <= set(pd.read_csv(results / "tables" / "contrasts.csv")["within"].dropna())


CHANGES: list[tuple[str, str, Callable[[float], float]]] = [
    ("contrasts", "contrast", lambda value: -value),
    ("excess", "excess", lambda value: value + 0.001),
    ("excess: q", "q_value", lambda value: value / 2),
    ("interactions", "mean_interaction", lambda value: value - 0.01),
    ("interactions", "p_value", lambda value: (value + 0.2) % 1),
    ("one_person", "bias_rate_low", lambda value: value + 0.0001),
    ("table2_bias_rates", "hidden", lambda value: value - 1),
    ("table2_bias_rates", "robust", lambda value: value + 1),
]


def test_each_changed_number_and_verdict_is_found(results: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(results, tmp_path / "results")
    for name, column, change in CHANGES:
        path = copy / "tables" / f"{name.partition(':')[0]}.csv"
        table = pd.read_csv(path).astype({column: float})
        line = table[column].abs().idxmax()
        table.loc[line, column] = change(table.loc[line, column])
        table.to_csv(path, index=False)
    path = copy / "verdicts" / "m" / "d.parquet"
    verdicts = pq.read_table(path)
    for column in ("biased", "hidden"):
        values = verdicts[column].to_pylist()
        values[values.index(True)] = False
        place = verdicts.column_names.index(column)
        verdicts = verdicts.set_column(place, column, pa.array(values))
    pq.write_table(verdicts, path)
    wrong = recompute(copy, SETTINGS).wrong
    # A p-value has part in the q-values of its family.
    found = [line for line in wrong if not line.startswith("interactions: q")]
    assert len(found) == len(CHANGES) + 2
    for name, column, _ in CHANGES:
        told = [line for line in found if line.startswith(f"{name},")]
        assert name == "excess: q" or any(f"'{column}')" in line for line in told)
    for column in ("biased", "hidden"):
        assert sum(line.startswith(f"{column}, ") for line in found) == 1
