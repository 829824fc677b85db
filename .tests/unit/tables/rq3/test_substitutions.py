"""Sound mutants by kind of substitution, by hand."""

import pandas as pd
from hinter.tables.rq3.substitutions import TABLE, tabulate_substitutions


def _read(draw: str, dataset: str, original: str, order: int, *, sound: bool) -> dict[str, object]:
    return {
        "sample": draw,
        "dataset": dataset,
        "half": "test",
        "mutant_id": f"{draw}{dataset}{original}{order}",
        "original_id": original,
        "order": order,
        "stratum": f"valid_{order}",
        "weight": 7.0,
        "about_operator": "coherent" if draw == "coherent" else None,
        "grammar": True,
        "meaning": sound,
        "sound": sound,
        **dict.fromkeys(("tolerant", "strict", "heads"), "valid"),
    }


def test_substitutions_are_compared_by_hand() -> None:
    rows = [
        _read("literal", "imdb", "a", 1, sound=True),
        _read("literal", "imdb", "b", 2, sound=False),
        _read("coherent", "imdb", "a", 1, sound=True),
        _read("coherent", "ecthr", "c", 2, sound=True),
        _read("coherent", "ecthr", "c", 2, sound=True) | {"tolerant": "pos", "sound": False},
        _read("drafts", "ecthr", "d", 2, sound=False),
        _read("literal", "imdb", "e", 1, sound=False)
        | {"about_operator": "coherent", "weight": 21.0},
        _read("described", "imdb", "a", 2, sound=False),
        _read("described", "imdb", "b", 2, sound=True) | {"about_operator": "describe"},
    ]
    table = tabulate_substitutions(pd.DataFrame(rows), seed=1)
    keyed = table.set_index(["substitution", "half", "dataset", "level"])
    assert keyed.loc[("literal", "all", "all", "all"), ["read", "sound"]].tolist() == [3, 1]
    assert keyed.loc[("coherent", "test", "all", "all"), ["read", "sound"]].tolist() == [3, 2]
    # The literal one that tells of coherent ones stands for three times as many.
    assert keyed.loc[("coherent", "test", "imdb", "atomic"), "precision"] == 0.25
    assert keyed.loc[("coherent", "test", "ecthr", "intersectional"), "precision"] == 1
    # Described ones that rules of now leave alone tell of nothing.
    assert keyed.loc[("described", "test", "all", "all"), ["read", "sound"]].tolist() == [1, 1]
    shown = TABLE.show(table)
    assert "development" not in set(shown["half"])
    assert shown["read"].min() == 1
