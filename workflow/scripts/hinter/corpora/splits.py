"""The texts of each split: those that the dataset itself assigns to it, or drawn ones."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError
from .texts import TESTED, draw_splits

# In the order in which they are drawn.
SPLITS = (TESTED, "held_out", "calibration", "validation", "training")

Parts = Mapping[str, str | None]
"""The value of each text in the dataset's split column, by original_id (None: no such column)."""


def assign_splits(
    parts: Parts, *, wanted: Mapping[str, Any], seed: int, path: Path
) -> tuple[dict[str, str], set[str]]:
    """Return the split of each text that is in one, and the tested texts.

    `wanted` gives for each split the values of the split column that make it (one, or a list), or
    the number of texts to draw (None: all that are left). Tested texts are drawn from all texts, so
    they may also be in a split by their value; other splits are drawn, disjointly, from texts in no
    split yet. Raises `InputError` if a split cannot be made; `path` is the dataset's file.
    """
    values = {
        split: [want] if isinstance(want, str) else want
        for split, want in wanted.items()
        if isinstance(want, str | list)
    }
    _check_values(values, parts=parts, path=path)
    sizes = {split: wanted[split] for split in SPLITS if split in wanted.keys() - values.keys()}
    splits_by_value = {
        value: split for split, made_of in values.items() if split != TESTED for value in made_of
    }
    given = {key: splits_by_value[part] for key, part in parts.items() if part in splits_by_value}
    if TESTED in values:
        tested = {key for key, part in parts.items() if part in values[TESTED]}
    else:
        tested = set(draw_splits(parts, sizes={TESTED: sizes.pop(TESTED)}, seed=seed))
    drawn = draw_splits(parts.keys() - given.keys() - tested, sizes=sizes, seed=seed)
    found = Counter(drawn.values()) + Counter({TESTED: len(tested)})
    _check_sizes(found, wanted=wanted, path=path)
    return dict.fromkeys(tested, TESTED) | given | drawn, tested


def _check_values(values: Mapping[str, list[str]], *, parts: Parts, path: Path) -> None:
    there = set(parts.values())
    taken: dict[str, str] = {}
    for split, made_of in values.items():
        for value in made_of:
            owner = split if split == TESTED else taken.setdefault(value, split)
            if value not in there or owner != split:
                raise InputError(
                    where=f"{path}, split '{split}'",
                    found=f"the value '{value}', which "
                    + ("no text has" if value not in there else f"makes the split '{owner}'"),
                    expected="values of the split column, each in one split",
                    fix="Correct `splits` or `split_column` in the datasets sheet.",
                )


def _check_sizes(found: Mapping[str, int], *, wanted: Mapping[str, Any], path: Path) -> None:
    for split, size in wanted.items():
        if isinstance(size, int) and found[split] < size:
            raise InputError(
                where=f"{path}, split '{split}'",
                found=f"{found[split]} texts left to draw",
                expected=f"{size}",
                fix="Ask for smaller splits or a larger `max_chars` in the datasets sheet.",
            )
