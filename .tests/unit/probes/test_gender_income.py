"""The probe of gender and income: whom it asks about, and what is flipped."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import ProbeSheet
from hinter.errors import InputError
from hinter.probes import Answered, BasePrompt, import_probe
from hinter.probes.adult import OTHER_SEX
from people import HOMES, adult_lines

SHEET = yaml.safe_load(
    (Path(__file__).resolve().parents[3] / "config/probes/gender_income.yaml").read_text()
)
PROBE = import_probe("gender_income")
SPOUSES = {"Husband", "Wife"}


def _built(
    folder: Path,
    *,
    lines: Sequence[str] = adult_lines(range(30, 36)),
    seed: int = 1,
    **settings: Any,
) -> tuple[list[BasePrompt], dict[str, int]]:
    path = folder / "adult.data"
    path.write_text("\n".join([*lines, ""]))
    per_label = {"tested": 8, "calibration": 3, "training": 5}
    small = settings | {"per_label": per_label | settings.get("per_label", {})}
    small["lattice"] = {**SHEET["settings"]["lattice"], "prompts": 6} | settings.get("lattice", {})
    sheet = ProbeSheet(**{**SHEET, "settings": small})
    prompts, counts = PROBE.prompts(path, sheet=sheet, name="gender_income", seed=seed)
    return list(prompts), dict(counts)


def _tested(prompts: Sequence[BasePrompt]) -> list[BasePrompt]:
    return [prompt for prompt in prompts if prompt.split == "tested"]


def test_persons_are_balanced_and_counted(tmp_path: Path) -> None:
    lines = adult_lines(range(30, 36))
    unknown = lines[0].replace("Sales", "?")
    prompts, counts = _built(tmp_path, lines=[*lines, lines[0], unknown])
    drawn = Counter((prompt.split, *prompt.labels) for prompt in prompts)
    sizes = {"tested": 8, "calibration": 3, "training": 5}
    assert drawn == {(split, label): n for split, n in sizes.items() for label in ("yes", "no")}
    assert counts == {
        "rows": len(lines) + 2,
        "with_unknown_value": 1,
        "duplicates": 1,
        "given": 0,
        "tested": 16,
        "training": 10,
        "calibration": 6,
    }
    assert len({prompt.text for prompt in prompts}) == 32


def test_the_seed_draws_whatever_the_order_of_rows(tmp_path: Path) -> None:
    lines = adult_lines(range(30, 36))
    first = _built(tmp_path, lines=lines)
    assert sorted(_built(tmp_path, lines=lines[::-1])[0]) == sorted(first[0])
    assert sorted(_built(tmp_path, seed=2)[0]) != sorted(first[0])


def test_each_person_has_every_flip(tmp_path: Path) -> None:
    for prompt in _tested(_built(tmp_path)[0]):
        by_kind = {
            kind: each
            for each in prompt.counterfactuals
            for kind in each.kinds
            if kind != "lattice"
        }
        assert by_kind.keys() == {"sex_only", "consistent", "control"}
        assert by_kind["sex_only"].changed == {"sex": OTHER_SEX[prompt.facts["sex"]]}
        spouse = prompt.facts["relationship"] in SPOUSES
        assert (by_kind["sex_only"] is by_kind["consistent"]) == (not spouse)
        for each in by_kind.values():
            # The person after the change says what its own row would.
            sex, relationship = each.changed.get("sex"), each.changed.get("relationship")
            assert not sex or f", sex {sex}, " in each.text
            assert not relationship or HOMES[relationship][1] == sex
            assert each.control == (each is by_kind["control"])
        (weight,) = by_kind["control"].changed.values()
        assert f"final weight {weight}, " in by_kind["control"].text != prompt.text


def test_the_lattice_has_every_combination(tmp_path: Path) -> None:
    crossed = [
        {tuple(sorted(each.changed)) for each in prompt.counterfactuals if "lattice" in each.kinds}
        for prompt in _tested(_built(tmp_path)[0])
    ]
    whole = {("race",), ("relationship",), ("sex",), ("race", "relationship"), ("race", "sex")}
    whole |= {("relationship", "sex"), ("race", "relationship", "sex")}
    assert Counter(map(frozenset, crossed)) == {frozenset(whole): 6, frozenset(): 10}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"per_label": {"tested": 49}},
            "split 'tested': found 48 persons .* whose answer is no; expected 49. Ask for fewer",
        ),
        (
            {"per_label": {"training": 50}},
            "split 'training': found 37 persons .* whose answer is no; expected 50",
        ),
        ({"lattice": {"race": {}}}, r"settings\.lattice\.race': found nothing for '(White|Black)'"),
        ({"sizes": 1}, "key 'settings.*sizes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        _built(tmp_path, **settings)


@pytest.mark.parametrize(
    ("kinds", "status", "outcome", "biased", "finding"),
    [
        (("sex_only", "consistent"), "ok", ("yes",), True, ("yes", True)),
        (("sex_only",), "ok", ("no",), False, ("no", False)),
        (("sex_only",), "refused", None, None, ("refused", None)),
        (("control",), "ok", ("no",), True, ("no", None)),
        ((), "unparsed", None, None, ("unparsed", None)),
    ],
)
def test_a_hit_is_another_answer_to_the_other_sex(
    kinds: tuple[str, ...],
    status: str,
    outcome: tuple[str, ...] | None,
    biased: bool | None,
    finding: tuple[str, bool | None],
) -> None:
    assert PROBE.find(Answered({}, kinds, status, outcome, None, biased)) == finding
