"""Random studies of simulated models with scores: two labels, three labels, or several per text."""

import random
from collections.abc import Mapping
from math import log, nan
from pathlib import Path
from typing import Any

import pandas as pd
from result_files import Parts
from simulated import Prediction, judge_predictions, make_suite

MODELS = ("two", "three", "several", "mute")
LABELS = {"two": ("n", "p"), "three": ("a", "b", "c"), "several": ("a", "b", "c"), "mute": ()}


class ScoredStudy:
    """Verdicts and predictions of four models on the dataset d, and what they answered."""

    def __init__(self, folder: Path, *, seed: int, top: int = 2) -> None:
        draw = random.Random(seed)
        whole = make_suite(
            originals=9, attributes=["a", "b", "c"], orders=range(1, top + 1), targets=("x", "y")
        )
        self.suite = whole[[draw.random() < 0.7 for _ in range(len(whole))]].copy()
        self.suite["valid"] = [draw.random() < 0.9 for _ in range(len(self.suite))]
        self.suite["sampled"] = [draw.choice([None] * 6 + [False]) for _ in range(len(self.suite))]
        self.verdicts: Parts = []
        self.predictions: Parts = []
        self.answers: dict[str, dict[str, Prediction]] = {}
        for model in MODELS:
            ids = [*self.suite["original_id"].unique(), *self.suite["mutant_id"]]
            self.answers[model] = {key: _answer(model, key, draw) for key in ids}
            path = folder / model / "d.parquet"
            judge_predictions(self.suite, self.answers[model], verdicts=path)
            self.verdicts.append((model, "d", path))
            self.predictions.append((model, "d", path.with_suffix(".predictions")))

    def told(self, model: str, *, sub_mutants: bool = False) -> pd.DataFrame:
        """Return the valid mutants with a verdict: biased, their shift, and the margin after it.

        Those that were only run as `sub_mutants` of others are left out unless asked for.
        """
        rows = []
        for row in self.suite.to_dict("records"):
            outcome, scores = self.answers[model][row["mutant_id"]]
            first, before = self.answers[model][row["original_id"]]
            if outcome is None or first is None or not row["valid"]:
                continue
            if row["sampled"] is False and not sub_mutants:
                continue
            margins = [_margin(first, each) for each in (before, scores)]
            told: dict[str, Any] = {
                "biased": outcome != first,
                "shift": margins[1] - margins[0],
                "margin": margins[1],
                "before": before,
                "after": scores,
            }
            level = "atomic" if row["order"] == 1 else "intersectional"
            rows.append(row | {"model": model, "level": level} | told)
        return pd.DataFrame(rows)


def _margin(outcome: list[str], scores: Mapping[str, float] | None) -> float:
    if scores is None:
        return nan
    return min(score if label in outcome else -score for label, score in scores.items())


def _answer(model: str, key: str, draw: random.Random) -> Prediction:
    if model == "mute":
        return [draw.choice("np")], None
    labels = list(LABELS[model])
    if model == "two":
        score = draw.randrange(-150, 350) / 100
        scores = {"n": -score, "p": score}
        outcome = ["p" if score >= 0 else "n"]
    elif model == "three":
        # Shares that add up to 1, as those of labels that exclude each other.
        scores = _log_odds([draw.random() + 0.1 for _ in labels], labels)
        outcome = [max(scores, key=lambda label: scores[label])]
    else:
        scores = {label: draw.randrange(-300, 300) / 100 for label in labels}
        outcome = sorted(label for label, score in scores.items() if score >= 0)
    if draw.random() < 0.05:
        return None, None
    # In any order: it must not matter.
    draw.shuffle(labels)
    return outcome, None if draw.random() < 0.1 else {label: scores[label] for label in labels}


def _log_odds(weights: list[float], labels: list[str]) -> dict[str, float]:
    total = sum(weights)
    return {
        label: round(log(weight / (total - weight)), 2)
        for label, weight in zip(labels, weights, strict=True)
    }
