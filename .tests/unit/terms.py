"""Terms of interaction by plain loops."""

from itertools import combinations
from math import nan

import numpy as np
import pandas as pd
from scored_studies import ScoredStudy

KEPT = ("original_id", "order", "attributes", "one_person")


def plain_terms(study: ScoredStudy, model: str) -> pd.DataFrame:
    """Return the complete mutants with their terms, by looking up each subset of their pairs."""
    told = study.told(model, sub_mutants=True)
    known = {row["mutant_id"]: row for row in told.to_dict("records")}
    rows = []
    for row in known.values():
        subsets = {
            subset: known.get("|".join([row["original_id"], *subset]))
            for size in range(1, row["order"])
            for subset in combinations(row["pair_ids"], size)
        }
        if not subsets or None in subsets.values() or row["sampled"] is False:
            continue
        parts = {subset: part for subset, part in subsets.items() if part}
        below = any(part["biased"] for part in parts.values())
        additive = -sum(
            (-1) ** (row["order"] - len(subset)) * part["shift"] for subset, part in parts.items()
        )
        scored = not np.isnan([additive, row["shift"]]).any()
        divided = scored and model != "three"
        start = row["margin"] - row["shift"]
        rows.append(
            {
                **{name: row[name] for name in KEPT},
                "joint": row["shift"] if scored else nan,
                "additive": additive if scored else nan,
                "value": row["shift"] - additive,
                "scored": scored,
                "hidden": row["biased"] and not below,
                "masked": below and not row["biased"],
                "predicted": round(start + additive, 2) < 0 if divided else None,
            }
        )
    return pd.DataFrame(rows)
