"""Choose the rules of occurrences that pay, by the assessed mutants.

`.venv/bin/python benchmarks/fewer_rules.py`. The column `rules` of the assessments says which of 22
rules would leave a mutant alone. Of all sets of rules, the best for an exchange is the one that
leaves most when each sound mutant counts as that many broken ones and each broken one is
subtracted; of equally good ones, the smallest. So no kept rule removes, beside the others, fewer
broken mutants than the exchange asks for the sound ones that it loses, and no dropped one would
pay beside those kept.
"""

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from corpus import ROOT
from hinter.assessments import read_assessed
from sklearn.model_selection import GroupKFold

EXCHANGES = (1, 2, 3, 5, 10)
"""How many broken mutants a sound one is worth."""
CHOSEN = 1
"""The exchange by which rules were kept."""
FOLDS = 10
SEED = 1
PARTS = {
    "all": ["comparators", "literal", "coherent", "drafts"],
    "literal": ["comparators", "literal"],
    "drafted": ["coherent", "drafts"],
}
"""The draws that are read, and parts of them that are samples of what there is without rules."""


def main(*, assessments: Path) -> None:
    """Print what each rule removes, and what is left for each exchange, chosen and held out."""
    read = _readings(assessments)
    names = sorted(frozenset[str]().union(*read["rules"]))
    kept = _best(read, names=names, exchange=CHOSEN)
    print(
        json.dumps(
            {
                "readings": {part: len(_sampled(read, part)) for part in PARTS},
                "exchange": CHOSEN,
                "rules": {
                    name: {"kept": name in kept}
                    | _removed("removed", read, rules=names, name=name, alone=False)
                    | _removed("removed_alone", read, rules=names, name=name, alone=True)
                    | _removed("beside_kept", read, rules={*kept, name}, name=name, alone=True)
                    for name in names
                },
                "left": {
                    "no rules": _left(read, passing=read["rules"].map(lambda _: True)),
                    "all rules": _left(read, passing=_passing(read, names)),
                },
                "exchanges": {str(one): _at(read, names=names, exchange=one) for one in EXCHANGES},
            }
        )
    )


def _readings(assessments: Path) -> pd.DataFrame:
    """Return the assessed mutants that coherent substitution without rules makes."""
    return pd.DataFrame(
        [
            {
                "sample": mutant.sample,
                "half": mutant.half,
                "original_id": mutant.mutant.original_id,
                "sound": mutant.final.sound,
                "rules": mutant.rules,
            }
            for mutant in read_assessed(assessments)
            if mutant.sample in PARTS["all"] and mutant.rules is not None
        ]
    )


def _sampled(read: pd.DataFrame, part: str) -> pd.DataFrame:
    return read[read["sample"].isin(PARTS[part])]


def _passing(read: pd.DataFrame, rules: Collection[str]) -> "pd.Series[bool]":
    """Return which mutants no one of the rules leaves alone."""
    return read["rules"].map(lambda own: own.isdisjoint(rules))


def _best(read: pd.DataFrame, *, names: list[str], exchange: int) -> set[str]:
    """Return the best rules for an exchange, of all sets of the rules."""
    worth = np.zeros(2 ** len(names), dtype=np.int64)
    bits = read["rules"].map(lambda own: sum(2 ** names.index(name) for name in own))
    np.add.at(worth, bits.to_numpy(), np.where(read["sound"], exchange, -1))
    # Of each set of dropped rules, the sum over the mutants whose rules are all among these.
    for position in range(len(names)):
        halves = worth.reshape(-1, 2, 2**position)
        halves[:, 1] += halves[:, 0]
    dropped = np.bitwise_count(np.arange(len(worth)))
    best = int(np.argmax(worth * (len(names) + 1) + dropped))
    return {name for position, name in enumerate(names) if not best >> position & 1}


def _at(read: pd.DataFrame, *, names: list[str], exchange: int) -> dict[str, Any]:
    """Return what is left with the best rules of all readings, and with those of other folds."""
    kept = _best(read, names=names, exchange=exchange)
    held_out = pd.Series(False, index=read.index)
    chosen = []
    folds = GroupKFold(FOLDS, shuffle=True, random_state=SEED)
    for others, own in folds.split(read, groups=read["original_id"]):
        chosen += [_best(read.iloc[others], names=names, exchange=exchange)]
        held_out.iloc[own] = _passing(read.iloc[own], chosen[-1])
    return {
        "kept": sorted(kept),
        "kept_in_folds": {
            name: times for name in names if (times := sum(name in fold for fold in chosen))
        },
        "left": _left(read, passing=_passing(read, kept)),
        "left_held_out": _left(read, passing=held_out),
    }


def _removed(
    what: str, read: pd.DataFrame, *, rules: Collection[str], name: str, alone: bool
) -> dict[str, list[int]]:
    """Return how many broken and sound mutants a rule removes, at all or `alone` of the rules."""
    others = set(rules) - {name} if alone else set()
    removed = read[~_passing(read, [name]) & _passing(read, others)]
    return {what: [int((~removed["sound"]).sum()), int(removed["sound"].sum())]}


def _left(read: pd.DataFrame, *, passing: "pd.Series[bool]") -> dict[str, Any]:
    """Return of each part how many mutants are left, the share of sound ones, and of these kept."""
    parts = {part: _sampled(read, part) for part in PARTS}
    parts |= {f"{part}_test": rows[rows["half"] == "test"] for part, rows in parts.items()}
    return {
        part: {
            "mutants": int(passing[rows.index].sum()),
            "sound": round(float(rows["sound"][passing].mean()), 3),
            "sound_kept": round(float(passing[rows.index][rows["sound"]].mean()), 3),
        }
        for part, rows in parts.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--assessments", type=Path, default=ROOT / "data" / "validity" / "assessments.csv"
    )
    main(**vars(parser.parse_args()))
