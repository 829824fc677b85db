"""Random studies of simulated models, and how to look up their verdicts."""

import random
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pandas as pd
from result_files import Parts
from simulated import judge, make_suite

MODELS, DATASETS = ("m", "other"), ("d", "e")
THREE_MODELS = ("l", "m", "n")
CELLS = list(product([True, False], repeat=3))
GROUPS = list(product(["all", "a+b", "a+c", "b+c"], ["all", *MODELS]))


class RandomStudy:
    """Verdicts of two models on two datasets with the same ids, and how to look them up."""

    def __init__(self, folder: Path, *, seed: int, top: int = 3) -> None:
        draw = random.Random(seed)
        self.parts: Parts = []
        rows = []
        for dataset in DATASETS:
            whole = make_suite(
                originals=9,
                attributes=["a", "b", "c"],
                orders=range(1, top + 1),
                targets=("x", "y"),
            )
            suite = whole[[draw.random() < 0.7 for _ in range(len(whole))]].copy()
            suite["valid"] = [draw.random() < 0.9 for _ in range(len(suite))]
            suite["sampled"] = [draw.choice([None, None, None, False]) for _ in range(len(suite))]
            suite.loc[suite["order"] == 3, "sampled"] = True
            fragile = {name: draw.betavariate(0.3, 2) for name in suite["original_id"].unique()}
            for model in MODELS:
                answers = {
                    key: None
                    if draw.random() < 0.05
                    else draw.random() < fragile[key.split("|")[0]]
                    for key in suite["mutant_id"]
                }
                visible = {key: key.count("|") - (draw.random() < 0.05) for key in answers}
                path = folder / model / f"{dataset}.parquet"
                judge(suite, answers.__getitem__, verdicts=path, visible=visible)
                self.parts.append((model, dataset, path))
                told = suite.assign(
                    model=model,
                    dataset=dataset,
                    biased=[answers[key] for key in suite["mutant_id"]],
                    visible=[visible[key] for key in suite["mutant_id"]],
                )
                rows += told.to_dict("records")
        self.rows: list[dict[str, Any]] = rows
        self.known = {
            (row["model"], row["dataset"], row["mutant_id"]): row["biased"]
            for row in rows
            if row["valid"]
        }

    def told(self, *orders: int, sampled: bool) -> list[dict[str, Any]]:
        """The mutants that count as of these orders, of sampled orders only if so asked."""
        return [
            row
            for row in self.rows
            if row["order"] in orders
            and row["valid"]
            and (row["sampled"] is None or (sampled and row["sampled"]))
            and row["biased"] is not None
            and row["visible"] == row["order"]
        ]

    def below(self, row: dict[str, Any]) -> dict[tuple[str, ...], bool | None]:
        """The verdicts on a mutant's proper sub-mutants."""
        return {
            subset: self.known.get(
                (row["model"], row["dataset"], "|".join([row["original_id"], *subset]))
            )
            for size in range(1, row["order"])
            for subset in combinations(row["pair_ids"], size)
        }


def belongs(row: dict[str, Any], combination: str, model: str) -> bool:
    """Tell whether a mutant is of a combination of attributes and of a model, or of all."""
    return combination in ("all", row["attributes"]) and model in ("all", row["model"])


def random_verdicts(folder: Path, *, seed: int) -> tuple[Parts, pd.DataFrame]:
    """Return the verdicts of three models on two datasets, and all that counts as a frame."""
    draw = random.Random(seed)
    parts, frames = [], []
    for dataset in ("d", "e"):
        suite = make_suite(originals=8, attributes=["a", "b", "c"], orders=[1, 2])
        suite = suite[[draw.random() < 0.5 for _ in range(len(suite))]].copy()
        suite["valid"] = [draw.random() < 0.9 for _ in range(len(suite))]
        suite["sampled"] = [None if draw.random() < 0.95 else False for _ in range(len(suite))]
        fragile = {name: draw.betavariate(0.5, 2) for name in suite["original_id"].unique()}
        for model in THREE_MODELS:
            answers = {
                key: None if draw.random() < 0.05 else draw.random() < fragile[key.split("|")[0]]
                for key in suite["mutant_id"]
            }
            visible = {key: key.count("|") - (draw.random() < 0.05) for key in answers}
            path = folder / model / f"{dataset}.parquet"
            parts.append((model, dataset, path))
            judge(suite, answers.__getitem__, verdicts=path, visible=visible)
            levels = suite["order"].map({1: "atomic", 2: "intersectional"})
            seen = [visible[key] == key.count("|") for key in suite["mutant_id"]]
            biased = suite["mutant_id"].map(answers).where(pd.Series(seen, index=suite.index))
            told = suite.assign(dataset=dataset, model=model, level=levels, biased=biased)
            frames.append(told[told["valid"] & told["sampled"].isna()])
    return parts, pd.concat(frames, ignore_index=True)
