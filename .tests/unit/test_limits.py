"""Which limit holds for a run, and which limits a study is refused for."""

from typing import Any

import pytest
from hinter.errors import InputError
from hinter.limits import HeldOut, check_limits, find_held_out, find_part

RUNS = [("bert", "imdb"), ("llama", "imdb"), ("llama", "ledgar")]


def _limit(models: list[str], datasets: list[str] | None = None, **limits: int) -> dict[str, Any]:
    none = dict.fromkeys(["originals", "pairs_per_attribute", "combinations", "tests", "held_out"])
    return {"models": models, "datasets": datasets, **none, **limits}


LIMITS = [
    _limit(["llama"], ["imdb"], tests=9, held_out=5),
    _limit(["llama"], ["ledgar"], held_out=2),
]


def test_a_limit_holds_for_its_models_on_its_datasets() -> None:
    check_limits(LIMITS, runs=RUNS)
    assert find_part(LIMITS, model="bert", dataset="imdb") is None
    part = find_part(LIMITS, model="llama", dataset="imdb")
    assert part == {
        "originals": None,
        "pairs_per_attribute": None,
        "combinations": None,
        "tests": 9,
    }
    texts = [find_held_out(LIMITS, model=m, dataset=d, seed=3) for m, d in RUNS]
    assert texts == [HeldOut(None, seed=3), HeldOut(5, seed=3), HeldOut(2, seed=3)]


def test_a_limit_of_held_out_texts_leaves_the_suite_whole() -> None:
    assert find_part(LIMITS, model="llama", dataset="ledgar") is None


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ([_limit(["llama"])], "a limit of nothing"),
        (
            [_limit(["bert", "llama"], tests=1), _limit(["llama"], ["ledgar"], held_out=1)],
            "number 2: found the model 'llama' on 'ledgar', as in number 1; expected one limit",
        ),
    ],
)
def test_limits_are_refused(limits: list[dict[str, Any]], told: str) -> None:
    with pytest.raises(InputError, match=told):
        check_limits(limits, runs=RUNS)
