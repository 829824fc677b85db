"""Where the paper gives its numbers, and in what the study defines its own otherwise."""

from typing import NamedTuple

LOOKUP = "the paper looks sub-mutants up by text and word list, this study by their word pairs"
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


def quantity_of(name: str) -> Quantity:
    """Return the quantity of a number by its name."""
    return QUANTITIES[name.partition(" ")[0]]


def how_made(*, substitution: str, comparator: str) -> str:
    """Return how the study makes and checks mutants otherwise than the paper, empty if it does not.

    `substitution` and `comparator` are those of the configuration.
    """
    told = []
    if substitution != "literal":
        told.append(f"the study substitutes terms otherwise ({substitution})")
    if comparator != "tolerant":
        told.append(f"the study compares parses otherwise ({comparator})")
    return "; ".join(told)
