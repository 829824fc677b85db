"""Changes of labels, against plain loops on random studies."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hinter.tables.rq4.named_groups import LABEL_SHIFTS as TABLE
from hinter.tables.rq4.named_groups import tabulate_label_shifts
from scored_studies import ScoredStudy
from simulated import judge_predictions, make_suite, of_two_labels, write_pairs
from tries import alike


@alike("seed", [1], [2])
def test_changes_of_labels_agree_with_plain_loops(seed: int, tmp_path: Path) -> None:
    study = ScoredStudy(tmp_path, seed=seed)
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    table = tabulate_label_shifts(study.verdicts, study.predictions, pairs=pairs, seed=4)
    changes: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for model in ("two", "three"):
        told = study.told(model)
        for row in told[told["order"] == 1].to_dict("records"):
            if row["before"] is not None and row["after"] is not None:
                (pair,) = row["pair_ids"]
                for label, score in row["after"].items():
                    place = changes[model, pair[:-4], pair[-1], label]
                    place[row["original_id"]].append(score - row["before"][label])
    names = ["model", "attribute", "target_group", "label"]
    found = {tuple(row[name] for name in names): row for row in table.to_dict("records")}
    # In alphabetical order, the models in that of the study.
    assert list(found) == sorted(changes, key=lambda key: (key[0] == "three", key))
    for key, by_original in changes.items():
        values = [value for each in by_original.values() for value in each]
        row = found[key]
        assert (row["n"], row["originals"]) == (len(values), len(by_original))
        assert row["mean_change"] == pytest.approx(np.mean(values), abs=1e-6)
        assert row["mean_change_low"] < row["mean_change"] < row["mean_change_high"]
    assert len(TABLE.show(table)) == len(table)


def test_labels_move_towards_the_side_that_was_planted(tmp_path: Path) -> None:
    """A group is moved towards n, whatever the outcome of the original."""
    rng = np.random.default_rng(1)
    suite = make_suite(originals=20, attributes=["a"], orders=[1])
    starts = {key: rng.uniform(-4, 4) for key in suite["original_id"].unique()}
    predictions = {key: of_two_labels(start) for key, start in starts.items()}
    for key in suite["mutant_id"]:
        moved = -0.6 * key.endswith(">z") + rng.normal(0, 0.1)
        predictions[key] = of_two_labels(starts[key.split("|")[0]] + moved)
    path = judge_predictions(suite, predictions, verdicts=tmp_path / "d.parquet")
    table = tabulate_label_shifts(
        [("m", "d", path)],
        [("m", "d", path.with_suffix(".predictions"))],
        pairs=write_pairs(tmp_path / "pairs.csv", attributes=["a"]),
        seed=1,
    ).set_index(["target_group", "label"])
    assert table.loc["z", "p"]["mean_change"] == pytest.approx(-0.6, abs=0.06)
    assert table.loc["z", "n"]["mean_change"] == pytest.approx(0.6, abs=0.06)
    assert table.loc["z", "p"]["mean_change_high"] < -0.5
    assert table.drop(index="z")["mean_change"].abs().max() < 0.1
