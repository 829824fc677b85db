"""Where the paper gives its numbers, and in what the study defines its own otherwise."""

from collections.abc import Mapping
from typing import Any, NamedTuple

LOOKUP = "the paper looks sub-mutants up by text and word list, this study by their {hidden_lookup}"
WRONG_CELL = f"{LOOKUP}; the paper prints another cell of the truth table, corrected here"
PARSES = (
    "the authors' check also discards sentences of over 500 characters, and compares coarse tags"
)
SCORER = "the paper's scores are Grammarly's, this study's LanguageTool's"
UNSAID = f"{SCORER}; the paper does not say whether it means mutants or originals"
UNNAMED = f"{SCORER}; the paper does not name the level"
LAST_LIST = "in the paper, the last word list decides whether a campaign exposes an original"
SHARE, POINTS, TIMES = "share", "points", "times"


class Quantity(NamedTuple):
    """What a number is of: its place in the paper, how its definitions differ, and its unit."""

    place: str
    differs: str = ""
    unit: str = SHARE


QUANTITIES = {
    "bias_rate": Quantity("Table 2"),
    "hidden_rate": Quantity("Table 2", LOOKUP),
    "biased_originals": Quantity("Figure 4"),
    "grammar_of_originals": Quantity("Figure 5", SCORER, POINTS),
    "grammar_of_mutants": Quantity("Figure 5", SCORER, POINTS),
    "change_of_grammar": Quantity("Figure 5", SCORER, POINTS),
    "grammar_of_biased": Quantity("Figure 5", UNSAID, POINTS),
    "grammar_of_benign": Quantity("Figure 5", UNSAID, POINTS),
    "valid_share": Quantity("Figure 6", PARSES),
    "valid_bias_rate": Quantity("Figure 7"),
    "discarded_bias_rate": Quantity("Figure 7"),
    "discarded_of_biased": Quantity("Figure 7"),
    "discarded_biased_times": Quantity("Figure 7", "", TIMES),
    "grammar_of_originals_of_discarded": Quantity("Figure 8", UNNAMED, POINTS),
    "grammar_of_discarded": Quantity("Figure 8", UNNAMED, POINTS),
    "change_of_grammar_of_discarded": Quantity("Figure 8", UNNAMED, POINTS),
    "intersectional_only": Quantity("Figure 9 (a)", WRONG_CELL),
    "intersectional_only_times": Quantity("Figure 9", WRONG_CELL, TIMES),
    "atomic_shared": Quantity("Figure 9 (b)", LOOKUP),
    "exposed": Quantity("Figure 10", LAST_LIST),
}
"""The quantities, by name; those of Figure 10 end in the campaigns that expose the originals."""


MAKING = {
    "substitution": ("literal", "substitutes terms otherwise"),
    "comparator": ("tolerant", "compares parses otherwise"),
    "tags": ("penn", "compares other tags"),
    "capitals": ("kept", "parses sentences with other capitals"),
    "tail": ("checked", "leaves the tail of texts unchecked"),
}
"""Settings by which all numbers are made: the paper's value, and what another one does."""


def quantity_of(name: str) -> Quantity:
    """Return the quantity of a number by its name."""
    return QUANTITIES[name.partition(" ")[0]]


def how_defined(name: str, settings: Mapping[str, Any]) -> str:
    """Return how the study defines a number otherwise than the paper, empty if it does not.

    `settings` are the study's: `hidden_lookup`, those in `MAKING`, and maybe more.
    """
    made = (
        f"the study {does} ({settings[key]})"
        for key, (papers, does) in MAKING.items()
        if settings[key] != papers
    )
    return "; ".join(filter(None, [quantity_of(name).differs.format_map(settings), *made]))
