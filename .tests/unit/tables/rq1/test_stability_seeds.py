"""Findings over seeds of fine-tuning and over prompts, by hand."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.tables.rq1.excess import COLUMNS as EXCESS
from hinter.tables.rq1.stability import SEEDS as TABLE
from hinter.tables.rq1.stability import tabulate_seeds
from result_files import verdict_row, write_rows
from scipy.stats import t

MUTANTS = [("o1", 1), ("o1", 2), ("o2", 1), ("o2", 2)]
BIASED = {
    "m": [True, True, False, False],
    "m.seed2": [True, False, False, False],
    "m.seed3": [True, True, True, False],
    "alone": [True, True, True, True],
}


def _parts(folder: Path) -> list[tuple[str, str, Path]]:
    parts = []
    for model, biased in BIASED.items():
        rows = [
            verdict_row(original, number, biased=shows, hidden=shows and number == 1)
            for (original, number), shows in zip(MUTANTS, biased, strict=True)
        ]
        parts.append((model, "d", write_rows(folder / model / "d.parquet", rows)))
    return parts


def test_rates_and_cases_are_those_of_all_seeds(tmp_path: Path) -> None:
    rows = tabulate_seeds(_parts(tmp_path))
    assert rows.columns.tolist() == list(TABLE.columns)
    assert rows[["model", "dataset", "measure", "seeds"]].values.tolist() == [
        ["m", "d", "bias", 3],
        ["m", "d", "hidden bias", 3],
    ]
    bias = rows.iloc[0]
    assert (bias["rate"], bias["least"], bias["most"]) == (0.5, 0.25, 0.75)
    # Three seeds so far apart say nothing of others.
    assert (bias["rate_low"], bias["rate_high"]) == (0, 1)
    assert bias[["n", "with_any", "with_most", "with_all"]].tolist() == [4, 3, 2, 1]
    assert rows.iloc[1][["n", "with_any", "with_most", "with_all"]].tolist() == [4, 2, 1, 1]
    assert TABLE.show(rows)["excess"].tolist() == ["-", "-"]


def test_the_excess_is_that_of_all_attributes_over_usual_controls(tmp_path: Path) -> None:
    def line(model: str, excess: float, **values: object) -> dict[str, object]:
        common = {"model": model, "dataset": "d", "order": 2, "attributes": "all"}
        kind = {"measure": "bias", "compared_with": "sensitive + neutral"}
        return dict.fromkeys(EXCESS) | common | kind | {"excess": excess} | values

    excess = pd.DataFrame(
        [
            *(line("m", 0.1), line("m.seed2", 0.2), line("m.seed3", 0.3), line("alone", 0.9)),
            line("m", 0.9, attributes="age+race"),
            line("m", 0.9, compared_with="neutral + neutral"),
        ]
    )
    rows = tabulate_seeds(_parts(tmp_path), excess=excess)
    half = t.ppf(0.975, 2) * 0.1 / 3**0.5
    found = rows.loc[0, ["excess", "excess_low", "excess_high"]].tolist()
    assert found == pytest.approx([0.2, 0.2 - half, 0.2 + half], abs=1e-6)


def test_mutants_without_a_verdict_of_each_seed_are_no_cases(tmp_path: Path) -> None:
    parts = _parts(tmp_path)[:2]
    rows = [verdict_row("o1", 1, biased=True), verdict_row("o1", 2, biased=None)]
    parts[1] = ("m.seed2", "d", write_rows(tmp_path / "less.parquet", rows))
    bias = tabulate_seeds(parts).iloc[0]
    assert bias[["seeds", "n", "with_any", "with_all"]].tolist() == [2, 1, 1, 1]


def test_prompts_are_compared_as_seeds_are(tmp_path: Path) -> None:
    seeds = _parts(tmp_path)
    prompts = [(model.replace("seed", "prompt"), *rest) for model, *rest in seeds]
    assert tabulate_seeds(prompts).equals(tabulate_seeds(seeds))


def test_models_of_one_seed_have_no_line(tmp_path: Path) -> None:
    assert tabulate_seeds(_parts(tmp_path)[-1:]).empty
