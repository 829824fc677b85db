"""Models before and after training on counterfactuals, against plain loops on random studies."""

import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.corpora import CORPUS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.statistics import cluster_bootstrap, q_values, sign_flip_test
from hinter.tables.mitigation.mitigation import COLUMNS, TABLE, tabulate_mitigation
from hinter.tables.rq1.answers import tabulate_accuracy
from result_files import Parts, Row, verdict_row, write_rows
from tries import alike

ORIGINALS = [f"o{number:02}" for number in range(14)]
SPLITS = dict.fromkeys(ORIGINALS, "tested") | {"o02": "training", "o05": "validation"}
HELD_OUT = [f"h{number:02}" for number in range(30)]
MITIGATION = {"before": "one", "after": "mended", "control": "again"}
PAIRS = [("one", "mended"), ("one", "again"), ("again", "mended")]
RATES = {"one": 0.5, "mended": 0.2, "again": 0.4, "other": 0.9}
MEASURES = ["bias", "excess bias", "hidden bias", "excess hidden bias"]
Values = dict[str, list[tuple[int, int]]]
"""What the mutants of each original have of a measure, before and after."""
STATUSES = ["ok", "ok", "ok", "ok", "none", "refused"]


class Study:
    """What four models answer to the mutants, controls and held-out texts of the dataset d."""

    def __init__(self, folder: Path, *, seed: int) -> None:
        draw = random.Random(seed)
        self.verdicts: Parts = []
        self.predictions: Parts = []
        self.told: dict[tuple[str, str], Row] = {}
        recipes = [
            (original, order, number)
            for original in ORIGINALS
            for order in (1, 2)
            for number in range(draw.choice([0, 3, 5]))
        ]
        for model, rate in RATES.items():
            rows = [
                _verdict(draw, *recipe, rate=share, control=control)
                for recipe in recipes
                for control, share in ((False, rate), (True, 0.15))
            ]
            self.told |= {(model, row["mutant_id"]): row for row in rows}
            path = write_rows(folder / "verdicts" / model / "d.parquet", rows, VERDICTS_SCHEMA)
            self.verdicts.append((model, "d", path))
        self.matched = {
            row["mutant_id"]: f"{row['mutant_id']}'"
            for row in self.told.values()
            if not row["control"] and draw.random() < 0.9
        }
        matches = [{"mutant_id": key, "control_id": one} for key, one in self.matched.items()]
        path = write_rows(folder / "controls" / "d.parquet", matches, CONTROLS_SCHEMA)
        self.controls: Parts = [("controls", "d", path)]
        self._write_answers(folder, draw)

    def _write_answers(self, folder: Path, draw: random.Random) -> None:
        self.expected = {key: draw.sample("xy", draw.choice([0, 1, 1, 1])) for key in HELD_OUT}
        texts = [
            {"original_id": key, "split": split, "text": key, "labels": self.expected.get(key, [])}
            for key, split in (SPLITS | dict.fromkeys(HELD_OUT, "held_out")).items()
        ]
        path = write_rows(folder / "corpora" / "d.parquet", texts, CORPUS_SCHEMA)
        self.corpora: Parts = [("corpora", "d", path)]
        self.found: dict[str, dict[str, list[str]]] = {}
        for model, rate in RATES.items():
            rows = [self._answer(draw, key, rate) for key in HELD_OUT]
            path = write_rows(folder / "answers" / model / "d.parquet", rows, PREDICTIONS_SCHEMA)
            self.predictions.append((model, "d", path))
            self.found[model] = {row["input_id"]: _labels(row) for row in rows}

    def _answer(self, draw: random.Random, key: str, rate: float) -> Row:
        status = draw.choice(STATUSES)
        labels = self.expected[key] if draw.random() > rate else [draw.choice("xyz")]
        seen = labels if status == "ok" and labels else None
        status = "none" if status == "ok" and not labels else status
        return {"input_id": key, "outcome": seen, "status": status}

    def tabulate(self, **mitigation: str | None) -> pd.DataFrame:
        return tabulate_mitigation(
            self.verdicts,
            controls=self.controls,
            predictions=self.predictions,
            corpora=self.corpora,
            mitigation=MITIGATION | mitigation,
            limits=[],
            seed=3,
        )

    def value(self, model: str, mutant_id: str, measure: str) -> int | None:
        """Return a measure of a mutant, or None where it has none."""
        row = self.told[model, mutant_id]
        hidden = "hidden" in measure
        if not row["counted"] or row["sampled"] is not None:
            return None
        if hidden and (row["order"] == 1 or not row["complete"]):
            return None
        value = int(row["hidden"] if hidden else row["biased"])
        if not measure.startswith("excess"):
            return value
        control = self.told.get((model, self.matched.get(mutant_id, "")))
        if control is None or control["biased"] is None:
            return None
        if control["visible_order"] != control["order"] or (hidden and not control["complete"]):
            return None
        return value - int(control["hidden"] if hidden else control["biased"])

    def is_right(self, model: str, key: str) -> int:
        """Return 1 where a model finds exactly the labels of a held-out text, else 0."""
        return int(set(self.expected[key]) == set(self.found[model][key]))

    def sums(self, before: str, after: str, measure: str, level: str) -> Values:
        """Return by original what mutants of a level have of a measure, before and after."""
        found: Values = defaultdict(list)
        for (model, mutant_id), row in self.told.items():
            of_level = level == ("atomic" if row["order"] == 1 else "intersectional")
            trained = SPLITS[row["original_id"]] != "tested"
            if model != before or row["control"] or not of_level or trained:
                continue
            one, other = (self.value(name, mutant_id, measure) for name in (before, after))
            if one is not None and other is not None:
                found[row["original_id"]].append((one, other))
        return dict(sorted(found.items()))


def _verdict(
    draw: random.Random, original: str, order: int, number: int, *, rate: float, control: bool
) -> Row:
    biased = None if draw.random() < 0.05 else draw.random() < rate
    complete = order > 1 and draw.random() < 0.8
    return verdict_row(
        original,
        number,
        mutant_id=f"{original}|{order}|{number}{chr(39) * control}",
        order=order,
        attributes="a+b" if order == 2 else "a",
        visible_order=order - (draw.random() < 0.05),
        biased=biased,
        complete=complete,
        hidden=bool(biased and draw.random() < 0.6) if complete else None,
        control=control,
        sampled=False if number == 4 else None,
    ) | ({"counted": False} if control else {})


def _labels(row: Row) -> list[str]:
    if row["status"] == "refused":
        return ["(no answer)"]
    return list(row["outcome"] or [])


def _assert_measured(row: Row, by_original: Values, *, resampled: Iterable[str]) -> None:
    """Assert that a row has the rates, the interval and the test of these values."""
    values = [value for members in by_original.values() for value in members]
    clusters = [by_original.get(name, []) for name in sorted(resampled)]
    differences = [sum(b - a for a, b in members) for members in clusters]
    counts = [len(members) for members in clusters]
    assert (row["n"], row["originals"]) == (len(values), len(by_original))
    assert row["value_before"] == pytest.approx(sum(a for a, _ in values) / len(values), abs=1e-6)
    assert row["value_after"] == pytest.approx(sum(b for _, b in values) / len(values), abs=1e-6)
    assert row["difference"] == pytest.approx(sum(differences) / len(values), abs=1e-6)
    span = 2 if row["measure"].startswith("excess") else 1
    interval = cluster_bootstrap(differences, counts, bounds=(-span, span), seed=3)
    ends = (row["difference_low"], row["difference_high"])
    assert ends == pytest.approx(interval, abs=1e-6)
    # Two draws of 9,999 permutations: 0.03 are over 4 standard deviations.
    assert row["p_value"] == pytest.approx(sign_flip_test(differences, seed=4), abs=0.03)


@alike("seed", [0], [1, 2])
def test_rows_equal_plain_loops(seed: int, tmp_path: Path) -> None:
    study = Study(tmp_path, seed=seed)
    table = study.tabulate()
    assert list(table) == list(COLUMNS)
    levels = [("bias", "atomic"), ("excess bias", "atomic")]
    levels += [(measure, "intersectional") for measure in MEASURES]
    texts = [(measure, "held-out texts") for measure in ("accuracy", "macro F1")]
    lines = {
        (row["before"], row["after"], row["measure"], row["level"]): row
        for row in table.to_dict("records")
    }
    assert len(lines) == len(table)
    assert lines.keys() == {(*pair, *line) for pair in PAIRS for line in levels + texts}
    for before, after in PAIRS:
        found = {line: study.sums(before, after, *line) for line in levels}
        for line, by_original in found.items():
            assert not {"o02", "o05"} & by_original.keys()
            # Lines share their resamples.
            alike = [
                originals.keys()
                for other, originals in found.items()
                if other[0].startswith("excess") == line[0].startswith("excess")
            ]
            row = lines[before, after, *line]
            _assert_measured(row, by_original, resampled=set().union(*alike))
        right: Values = {
            key: [(study.is_right(before, key), study.is_right(after, key))] for key in HELD_OUT
        }
        row = lines[before, after, "accuracy", "held-out texts"]
        _assert_measured(row, right, resampled=HELD_OUT)
    assert table["q_value"].tolist() == pytest.approx(
        q_values(table["p_value"].tolist()), abs=1e-6, nan_ok=True
    )


def test_accuracy_and_macro_f1_are_those_of_the_table_of_accuracy(tmp_path: Path) -> None:
    study = Study(tmp_path, seed=7)
    table = study.tabulate()
    accuracy = tabulate_accuracy(study.predictions, corpora=study.corpora, limits=[], seed=3)
    scores = accuracy.set_index("model")
    for measure, column in (("accuracy", "accuracy"), ("macro F1", "macro_f1")):
        rows = table[table["measure"] == measure]
        for row in rows.to_dict("records"):
            for when in ("before", "after"):
                assert row[f"value_{when}"] == pytest.approx(scores.loc[row[when], column])
            assert row["difference_low"] < row["difference"] < row["difference_high"]
            assert pd.isna(row["p_value"]) == (measure == "macro F1")


def test_bias_that_is_removed_is_found(tmp_path: Path) -> None:
    # As planted: half of the mutants before, a fifth after, whatever is counted of them.
    tables = [Study(tmp_path / str(seed), seed=seed).tabulate(control=None) for seed in range(20)]
    rows = pd.concat(tables)
    removed = rows[(rows["before"] == "one") & (rows["after"] == "mended")]
    for measure in ("bias", "excess bias"):
        differences = removed.loc[removed["measure"] == measure, "difference"]
        assert differences.mean() == pytest.approx(-0.3, abs=0.05)


def test_without_a_control_two_models_are_compared(tmp_path: Path) -> None:
    study = Study(tmp_path, seed=2)
    alone, whole = study.tabulate(control=None), study.tabulate()
    assert set(zip(alone["before"], alone["after"], strict=True)) == {PAIRS[0]}
    others = whole[(whole["before"] == "one") & (whole["after"] == "mended")]
    apart = "q_value"
    pd.testing.assert_frame_equal(
        alone.drop(columns=apart), others.drop(columns=apart).reset_index(drop=True)
    )
    shown = TABLE.show(alone)
    assert len(shown) == len(alone)
    assert shown["before %"].tolist()[0] == f"{100 * alone['value_before'][0]:.2f}"
