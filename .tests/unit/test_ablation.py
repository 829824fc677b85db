"""Variants: each changes one switch of the user's study, the last one all of them."""

from typing import Any

from hinter.ablation import variants_of
from hinter.config import Config, read_config

STUDY: dict[str, Any] = {
    "seed": 1,
    "datasets": ["imdb"],
    "models": ["minilm"],
    "attributes": ["gender"],
    "orders": [1],
    "mutation": {"occurrences": []},
}
COHERENT: dict[str, Any] = {
    "mutation": {"operators": ["coherent"], "occurrences": ["broken_word"]},
    "invariant": {"comparator": "strict", "parser": {"batch_size": 7}},
    "ablation": {"pairs": "authors.csv"},
}


def _changed(ours: Config, variant: Config) -> set[str]:
    """Return the settings in which a variant differs from a study, groups by their keys."""
    flat = []
    for config in (ours, variant):
        document = config.model_dump()
        for group in ("mutation", "invariant"):
            document |= {f"{group}.{key}": value for key, value in document.pop(group).items()}
        flat.append(document)
    return {key for key in flat[0] if flat[0][key] != flat[1][key]}


def test_each_variant_changes_one_switch_and_the_last_one_all() -> None:
    variants = variants_of(read_config(STUDY | COHERENT))
    ours = variants["ours"]
    assert ours == read_config(STUDY | COHERENT)
    changed = {name: _changed(ours, variant) for name, variant in variants.items()}
    assert changed == {
        "ours": set(),
        "pairs": {"pairs"},
        "literal": {"mutation.operators", "mutation.occurrences"},
        "comparator": {"invariant.comparator"},
        "upos": {"invariant.tags"},
        "capitals": {"invariant.capitals"},
        "length": {"invariant.max_sentence_chars"},
        "tail": {"invariant.tail"},
        "hidden": {"hidden_lookup"},
        "together": set().union(*list(changed.values())[:-1]),
    }
    assert next(iter(variants)) == "ours"
    assert list(variants)[-1] == "together"
    for name, variant in list(variants.items())[1:-1]:
        for key in changed[name]:
            group, _, part = key.partition(".")
            together, alone = getattr(variants["together"], group), getattr(variant, group)
            if part:
                together, alone = getattr(together, part), getattr(alone, part)
            assert together == alone
    assert variants["together"].invariant.parser == ours.invariant.parser


def test_a_switch_that_stands_there_already_makes_no_variant() -> None:
    variants = variants_of(read_config(STUDY | {"invariant": {"tags": "upos"}}))
    assert list(variants) == ["ours", "capitals", "length", "tail", "hidden", "together"]
    # A study that is at the top already has nothing to climb, and one switch is no "together".
    top = variants["together"].model_dump()
    assert list(variants_of(read_config(top))) == ["ours"]
    one = read_config(top | {"hidden_lookup": "pairs"})
    assert list(variants_of(one)) == ["ours", "hidden"]
