"""Cells of interactions, against plain loops on random studies."""

from collections import Counter
from math import floor
from pathlib import Path

import numpy as np
import pandas as pd
from hinter.tables.rq4.interaction_terms import CELLS, tabulate_interaction_cells
from hinter.tables.rq4.interaction_terms import INTERACTION_CELLS as TABLE
from scored_studies import ScoredStudy
from simulated import additive_margins, judge_predictions, make_suite, of_two_labels
from terms import plain_terms
from tries import alike


@alike("seed", [1], [2])
def test_cells_hold_the_mutants_of_all_datasets(seed: int, tmp_path: Path) -> None:
    studies = [ScoredStudy(tmp_path / name, seed=seed + place) for place, name in enumerate("de")]
    verdicts, predictions = (
        [
            (model, name, path)
            for study, name in zip(studies, "de", strict=True)
            for model, _, path in getattr(study, kind)
        ]
        for kind in ("verdicts", "predictions")
    )
    table = tabulate_interaction_cells(verdicts, predictions)
    assert table["model"].unique().tolist() == ["two", "three", "several"]
    for model, found in table.groupby("model"):
        terms = pd.concat([plain_terms(study, str(model)) for study in studies])
        scored = terms[terms["scored"]]
        (step,) = found["step"].unique()
        places = (scored[["additive", "joint"]].to_numpy(dtype=float) * 100).round()
        largest = np.abs(places).max()
        # The smallest power of two that is large enough.
        assert largest < CELLS * 100 * step
        assert largest >= CELLS * 50 * step or step == 0.01
        keys = [tuple(floor(each / round(100 * step)) for each in place) for place in places]
        hidden = scored["hidden"].astype(bool)
        counts = Counter(keys)
        of_hidden = Counter(key for key, is_hidden in zip(keys, hidden, strict=True) if is_hidden)
        cells = {
            (round(row.additive_from / step), round(row.joint_from / step)): row
            for row in found.itertuples()
        }
        assert {key: row.mutants for key, row in cells.items()} == counts
        assert {key: row.hidden for key, row in cells.items() if row.hidden} == of_hidden
    assert len(TABLE.show(table)) == len(table)


def test_datasets_of_other_ranges_share_the_wider_cells(tmp_path: Path) -> None:
    suite = make_suite(originals=3, attributes=["a", "b"], orders=[1, 2])
    verdicts, predictions = [], []
    for dataset, size in (("near", 0.01), ("far", 30.0)):
        margins = additive_margins(
            suite, start=lambda _: 9, effect=lambda _, subset, size=size: -size * len(subset)
        )
        answers = {key: of_two_labels(margin) for key, margin in margins.items()}
        path = judge_predictions(suite, answers, verdicts=tmp_path / f"{dataset}.parquet")
        verdicts.append(("m", dataset, path))
        predictions.append(("m", dataset, path.with_suffix(".predictions")))
    table = tabulate_interaction_cells(verdicts, predictions)
    # 120 log-odds away at most, in hundredths.
    assert set(table["step"]) == {5.12}
    near = table[table["joint_from"] == -5.12]
    assert near["mutants"].sum() == table["mutants"].sum() / 2
    assert (table["additive_from"] >= -61.44).all()
