"""Figures are the same each time that they are drawn, of more than the small study has.

Those of the small study are compared with every change.
"""

from itertools import product
from pathlib import Path

import pytest
from hinter.declarations import declared, import_figure
from hinter.figures import Figure
from hinter.mutants import COUNTS_SCHEMA
from hinter.tables.rq2.figure5_grammar import tabulate_grammar
from hinter.tables.rq3.checks import tabulate_discarded
from hinter.tables.rq3.discarded import tabulate_false_positives, tabulate_validity
from hinter.tables.rq4.contrasts import tabulate_contrasts
from hinter.tables.rq4.exposure import tabulate_exposure
from hinter.tables.rq4.figure9 import tabulate_truth_table
from hinter.tables.rq4.interaction_terms import tabulate_interaction_cells
from plotting import plot
from random_studies import RandomStudy
from result_files import write_rows
from scored import random_study
from scored_studies import ScoredStudy
from simulated import write_pairs

FIGURES: dict[str, Figure] = {
    made.name: import_figure(made.module, section=made.section, name=made.name)
    for made in declared("figures")
    if not made.published
}

pytestmark = [pytest.mark.long, pytest.mark.release]


def test_figures_show_all_datasets_and_models_the_same_each_time(tmp_path: Path) -> None:
    grammar_parts, verdict_parts, _, _ = random_study(tmp_path, seed=1)
    counts = [
        {"original_id": "o", "order": order, "attributes": "a", "reason": reason, "mutants": 9}
        for order, reason in product((1, 2), (None, "pos", "dep", "sentence_count", "unchecked"))
    ]
    path = write_rows(tmp_path / "counts.parquet", counts, COUNTS_SCHEMA)
    tables = {
        "figure5_grammar": tabulate_grammar(grammar_parts, verdict_parts, margin=1, seed=1),
        "figure8_discarded": tabulate_discarded(grammar_parts, seed=1),
        "figure7_false_positives": tabulate_false_positives(verdict_parts, seed=1),
        "figure6_validity": tabulate_validity(
            [("counts", "d", path), ("counts", "e", path)], seed=1
        ),
    }
    for figure, rows in tables.items():
        assert plot(FIGURES[figure], rows, tmp_path) == plot(FIGURES[figure], rows, tmp_path)


def test_figures_of_rq4_are_drawn_the_same_each_time(tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=1)
    for figure, rows in (
        ("figure9_truth_table", tabulate_truth_table(study.parts, seed=1)),
        ("figure10_exposure", tabulate_exposure(study.parts)),
    ):
        assert plot(FIGURES[figure], rows, tmp_path) == plot(FIGURES[figure], rows, tmp_path)
        plot(FIGURES[figure], rows[rows["combination"].isin(["all", "a+b"])], tmp_path)


def test_figures_of_shifts_are_drawn_the_same_each_time(tmp_path: Path) -> None:
    study = ScoredStudy(tmp_path, seed=1)
    files = study.verdicts, study.predictions
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    for figure, rows in (
        ("contrasts", tabulate_contrasts(*files, pairs=pairs, seed=1)),
        ("interactions", tabulate_interaction_cells(*files)),
    ):
        plotted = plot(FIGURES[figure], rows, tmp_path)
        assert plotted == plot(FIGURES[figure], rows, tmp_path)
        assert plotted != plot(FIGURES[figure], rows[rows["model"] == "two"], tmp_path)
