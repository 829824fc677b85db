"""The probe of gender and income: whom it asks about, and what is flipped."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import ProbeSheet
from hinter.errors import InputError
from hinter.probes import Answered, BasePrompt, import_probe
from hinter.probes.adult import ANSWERS, OTHER_SEX, read_adult
from people import HOMES, adult_lines

SHEET = yaml.safe_load(
    (Path(__file__).resolve().parents[3] / "config/probes/gender_income.yaml").read_text()
)
PROBE = import_probe("gender_income")
SPOUSES = {"Husband", "Wife"}
SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
ADULT, DECODINGTRUST = SHARED / "adult" / "adult.data", SHARED / "decodingtrust"


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
    sampled = Counter((prompt.split, *prompt.labels) for prompt in prompts)
    sizes = {"tested": 8, "calibration": 3, "training": 5}
    assert sampled == {(split, label): n for split, n in sizes.items() for label in ("yes", "no")}
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


def test_given_prompts_are_asked_in_the_place_of_drawn_persons(tmp_path: Path) -> None:
    lines = adult_lines(range(30, 36))
    (tmp_path / "given.data").write_text("\n".join([*lines[:4], ""]))
    given = [person for person in read_adult(tmp_path / "given.data") if person is not None]
    file = tmp_path / "prompts.jsonl"
    rows = [{"input": person.prompt(), "label": person.label} for person in [*given, given[0]]]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    prompts, counts = _built(tmp_path, lines=lines, prompts=str(file), lattice={"prompts": 2})
    texts = {person.prompt() for person in given}
    assert {prompt.text for prompt in _tested(prompts)} == texts
    assert all(prompt.counterfactuals for prompt in _tested(prompts))
    # Nobody who is asked about is drawn to train or to calibrate.
    assert not texts & {prompt.text for prompt in prompts if prompt.split != "tested"}
    assert (counts["given"], counts["training"], counts["calibration"]) == (5, 10, 6)


@pytest.mark.skipif(not DECODINGTRUST.is_dir(), reason="../shared/data/decodingtrust is absent")
@pytest.mark.parametrize("rate", ["0.0", "0.5", "1.0"])
def test_prompts_of_decodingtrust_are_asked(tmp_path: Path, rate: str) -> None:
    file = DECODINGTRUST / f"adult_0_200_test_base_rate_{rate}.jsonl"
    sheet = ProbeSheet(**{**SHEET, "settings": {**SHEET["settings"], "prompts": str(file)}})
    prompts, counts = PROBE.prompts(ADULT, sheet=sheet, name="gender_income", seed=1)
    tested = _tested(list(prompts))
    written = [json.loads(line)["input"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert {prompt.text for prompt in tested} == set(written)
    assert counts["given"] == len(written) and counts["training"] == 400
    for prompt in tested:
        (flipped,) = (each for each in prompt.counterfactuals if "sex_only" in each.kinds)
        sex = prompt.facts["sex"]
        assert flipped.text == prompt.text.replace(f"sex {sex}", f"sex {OTHER_SEX[sex]}")
        assert set(prompt.labels) < set(ANSWERS.values())


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
