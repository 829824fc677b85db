"""Rungs: each changes one switch of the user's study, the last one all of them."""

from typing import Any

from hinter.config import Config, read_config
from hinter.ladder import rungs_of

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
    "ladder": {"pairs": "authors.csv"},
}


def _changed(ours: Config, rung: Config) -> set[str]:
    """Return the settings in which a rung differs from a study, groups by their keys."""
    flat = []
    for config in (ours, rung):
        document = config.model_dump()
        for group in ("mutation", "invariant"):
            document |= {f"{group}.{key}": value for key, value in document.pop(group).items()}
        flat.append(document)
    return {key for key in flat[0] if flat[0][key] != flat[1][key]}


def test_each_rung_changes_one_switch_and_the_last_one_all() -> None:
    rungs = rungs_of(read_config(STUDY | COHERENT))
    ours = rungs["ours"]
    assert ours == read_config(STUDY | COHERENT)
    changed = {name: _changed(ours, rung) for name, rung in rungs.items()}
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
    assert next(iter(rungs)) == "ours"
    assert list(rungs)[-1] == "together"
    for name, rung in list(rungs.items())[1:-1]:
        for key in changed[name]:
            group, _, part = key.partition(".")
            together, alone = getattr(rungs["together"], group), getattr(rung, group)
            if part:
                together, alone = getattr(together, part), getattr(alone, part)
            assert together == alone
    assert rungs["together"].invariant.parser == ours.invariant.parser


def test_a_switch_that_stands_there_already_makes_no_rung() -> None:
    rungs = rungs_of(read_config(STUDY | {"invariant": {"tags": "upos"}}))
    assert list(rungs) == ["ours", "capitals", "length", "tail", "hidden", "together"]
    # A study that is at the top already has nothing to climb, and one switch is no "together".
    top = rungs["together"].model_dump()
    assert list(rungs_of(read_config(top))) == ["ours"]
    one = read_config(top | {"hidden_lookup": "pairs"})
    assert list(rungs_of(one)) == ["ours", "hidden"]
