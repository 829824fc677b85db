"""Make the variants of a study, each closer to what the code of the paper's authors does.

One switch each is set to what that code does, and then all together.
"""

from collections.abc import Mapping
from typing import Any

from .config import Config, read_config
from .operators import OPERATORS, TERMS

OURS = "ours"
TOGETHER = "together"
LITERAL = {"operators": ["literal"], "occurrences": []}
LENGTH = 500
"""The authors' code discards sentences of more characters than this."""

Changes = Mapping[str, Any]


def variants_of(config: Config) -> dict[str, Config]:
    """Return the configuration of every variant by its name, from `OURS` to all `TOGETHER`.

    A switch that already has the value of the authors' code makes no variant.
    """
    ours, switches = config.model_dump(), _switches(config)
    changed = {name: _merged(ours, changes) for name, changes in switches.items()}
    variants = {name: document for name, document in changed.items() if document != ours}
    together = ours
    for name in variants:
        together = _merged(together, switches[name])
    documents = {OURS: ours, **variants, **({TOGETHER: together} if len(variants) > 1 else {})}
    return {name: read_config(document) for name, document in documents.items()}


def _switches(config: Config) -> dict[str, Changes]:
    """Return what each switch changes, in the order in which they affect a mutant."""
    own = config.ablation.pairs
    # The authors' code cannot substitute pairs of nouns and descriptors.
    terms = all(OPERATORS[name].sheets == TERMS for name in config.mutation.operators)
    return {
        **({"pairs": {"pairs": own}} if own and terms else {}),
        **({"literal": {"mutation": LITERAL}} if terms else {}),
        "comparator": {"invariant": {"comparator": "tolerant"}},
        "upos": {"invariant": {"tags": "upos"}},
        "capitals": {"invariant": {"capitals": "first"}},
        "length": {"invariant": {"max_sentence_chars": LENGTH}},
        "tail": {"invariant": {"tail": "passed"}},
        "hidden": {"hidden_lookup": "attributes"},
    }


def _merged(document: Mapping[str, Any], changes: Changes) -> dict[str, Any]:
    """Return the document with the changes made inside its groups."""
    return {
        key: _merged(value, changes[key])
        if isinstance(changes.get(key), Mapping)
        else changes.get(key, value)
        for key, value in document.items()
    }
