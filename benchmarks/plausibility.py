"""Measure whether mutants that a language model finds unlikely are the broken ones.

`.venv/bin/python benchmarks/plausibility.py`. Every assessed mutant that is valid is compared with
its original, around the changes of each changed sentence; the sentence that loses most decides. A
mutant is kept where it loses no more than a margin. Margins come from the development half: that
which keeps a given share of its sound mutants.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from corpus import ATTRIBUTES, ROOT, curated_dictionary, resource_folder
from hinter.assessments import AssessedMutant, read_assessed
from hinter.models.loading import load_gguf
from hinter.statistics import bootstrap_difference, cluster_bootstrap
from likelihoods import changes_of, token_likelihoods
from losses import LOSSES, sentence_losses, subtract_expected, terms_alone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

SHARES = (0.9, 0.8, 0.7, 0.6, 0.5)
"""Shares of the sound mutants that a margin is to keep."""
LEAST = 0.7
"""Of these, the least that a study could live with."""
FOLDS = 5
SEED = 1
NAMES = [f"{loss}_{unit}" for loss in LOSSES for unit in ("per_token", "in_total")]
KINDS = ("attribute", "group", "dataset", "order", "rarer")
CONTROLS = ["order", "sentences"]
"""What is known without a language model: the numbers of pairs and of changed sentences."""


def main(*, assessments: Path, sample: str) -> None:
    """Print how well each loss tells broken from sound, and what margins keep on both halves."""
    mutants = [
        mutant
        for mutant in read_assessed(assessments)
        if mutant.sample == sample and mutant.stratum.startswith("valid")
    ]
    rows = _measured(mutants)
    halves = {half: rows[rows["half"] == half] for half in ("development", "test")}
    margins = [
        _margin(halves, loss=loss, share=share) for loss in [*NAMES, *CONTROLS] for share in SHARES
    ]
    chosen = _chosen([row for row in margins if row["loss"] in NAMES])
    print(
        json.dumps(
            {
                "mutants": {half: len(part) for half, part in halves.items()},
                "originals": {half: part["original_id"].nunique() for half, part in halves.items()},
                "precision": {half: _round(part["sound"].mean()) for half, part in halves.items()},
                "areas": {half: _areas(part) for half, part in halves.items()},
                "margins": margins,
                "chosen": chosen,
                "kept": {
                    half: _kept_by_kind(
                        part, loss=chosen["loss"], margin=chosen["margin"], kinds=KINDS
                    )
                    for half, part in halves.items()
                },
            }
        )
    )


def _measured(mutants: Sequence[AssessedMutant]) -> pd.DataFrame:
    """Return a row per mutant: how it was assessed, what it changes, and its losses."""
    torch.set_num_threads(1)
    (weights,) = resource_folder("smollm2_135m_instruct").glob("*.gguf")
    tokenizer, model = load_gguf(weights)
    changes = {
        mutant.mutant_id: changes_of(mutant.mutant, tokenizer=tokenizer) for mutant in mutants
    }
    passages = [
        passage
        for sentences in changes.values()
        for change in sentences
        for passage in (change.original, change.mutant)
    ]
    texts = [text for one in passages for text in (one.text, *terms_alone(one))]
    read = token_likelihoods(texts, model=model.eval(), tokenizer=tokenizer)
    rows = _described(mutants)
    sentences = sentence_losses(changes, read)
    known = sentences["mutant_id"].map(rows["half"] == "development")
    by_mutant = subtract_expected(sentences, known=known).groupby("mutant_id")
    return rows.join(by_mutant[[*NAMES, "rarer"]].max()).join(by_mutant.size().rename("sentences"))


def _described(mutants: Sequence[AssessedMutant]) -> pd.DataFrame:
    dictionary = curated_dictionary(attributes=[*ATTRIBUTES, "age"])
    groups = {pair.pair_id: pair.target_group for pair in dictionary.pairs}
    return pd.DataFrame(
        [
            {
                "mutant_id": mutant.mutant_id,
                "original_id": mutant.mutant.original_id,
                "half": mutant.half,
                "dataset": mutant.dataset,
                "sound": mutant.final.sound,
                "order": len(mutant.pairs),
                "attribute": [pair.attribute for pair in mutant.pairs],
                "group": [
                    groups.get(pair.pair_id, "no longer in the dictionary") for pair in mutant.pairs
                ],
            }
            for mutant in mutants
        ]
    ).set_index("mutant_id")


def _areas(rows: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return the area under the ROC curve of each loss, of all mutants and of alike ones."""
    parts = {
        "all": rows,
        "atomic": rows[rows["order"] == 1],
        "intersectional": rows[rows["order"] > 1],
        "one_sentence": rows[rows["sentences"] == 1],
    }
    return {
        loss: {
            name: _round(roc_auc_score(~part["sound"], part[loss])) for name, part in parts.items()
        }
        for loss in [*NAMES, *CONTROLS]
    }


def _margin(halves: dict[str, pd.DataFrame], *, loss: str, share: float) -> dict[str, Any]:
    """Return a margin with what it keeps: cross-validated on development, and on test."""
    development, test = halves["development"], halves["test"]
    margin = _keeping(development, loss=loss, share=share)
    return {
        "loss": loss,
        "share": share,
        "margin": margin,
        "development": _rates(development, kept=_cross_validated(development, loss, share)),
        "test": _rates(test, kept=test[loss] <= margin),
        "attributes": _kept_by_kind(test, loss=loss, margin=margin, kinds=["attribute"]),
    }


def _keeping(rows: pd.DataFrame, *, loss: str, share: float) -> float:
    """Return the least loss that at least `share` of the sound mutants do not exceed."""
    return float(np.quantile(rows.loc[rows["sound"], loss], share, method="higher"))


def _cross_validated(rows: pd.DataFrame, loss: str, share: float) -> pd.Series:
    """Return which mutants are kept, each by the margin of the folds without its original."""
    kept = pd.Series(False, index=rows.index)
    folds = GroupKFold(FOLDS, shuffle=True, random_state=SEED)
    for others, own in folds.split(rows, groups=rows["original_id"]):
        margin = _keeping(rows.iloc[others], loss=loss, share=share)
        kept.iloc[own] = rows[loss].iloc[own] <= margin
    return kept


def _rates(rows: pd.DataFrame, *, kept: pd.Series) -> dict[str, Any]:
    """Return precision, its gain and what is kept, with 95 % intervals over originals."""
    sums = (
        pd.DataFrame(
            {"all": 1, "sound": rows["sound"], "kept": kept, "kept_sound": kept & rows["sound"]}
        )
        .astype(float)
        .groupby(rows["original_id"])
        .sum()
    )
    every, sound, held, both = (sums[name].tolist() for name in sums)
    precision = sum(both) / sum(held)
    return {
        "precision": _round(precision),
        "precision_interval": _rounded(cluster_bootstrap(both, held, seed=SEED)),
        "gain": _round(precision - sum(sound) / sum(every)),
        "gain_interval": _rounded(bootstrap_difference((both, held), (sound, every), seed=SEED)),
        "sound_kept": _round(sum(both) / sum(sound)),
        "sound_kept_interval": _rounded(cluster_bootstrap(both, sound, seed=SEED)),
        "kept": _round(sum(held) / sum(every)),
    }


def _chosen(margins: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the most precise margin on development of those that keep enough sound mutants."""
    enough = [row for row in margins if row["development"]["sound_kept"] >= LEAST]
    return max(enough, key=lambda row: row["development"]["precision"])


def _kept_by_kind(
    rows: pd.DataFrame, *, loss: str, margin: float, kinds: Sequence[str]
) -> dict[str, Any]:
    """Return how many mutants, and how many sound ones, of each kind there are and are kept."""
    rows = rows.assign(kept=rows[loss] <= margin)
    return {
        kind: {
            str(name): {
                "mutants": len(part),
                "kept": int(part["kept"].sum()),
                "sound": int(part["sound"].sum()),
                "sound_kept": int((part["kept"] & part["sound"]).sum()),
            }
            for name, part in rows.explode(kind).groupby(kind)
        }
        for kind in kinds
    }


def _round(value: float) -> float:
    return round(float(value), 4)


def _rounded(interval: Sequence[float]) -> list[float]:
    return [_round(end) for end in interval]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--assessments", type=Path, default=ROOT / "data" / "validity" / "assessments.csv"
    )
    parser.add_argument("--draw", default="literal", help="draw of the assessed mutants")
    main(**vars(parser.parse_args()))
