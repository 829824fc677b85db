"""The parts of a probe: its prompts with their counterfactuals, and its finding on an answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from ..config import ProbeSheet, Sheet, check_sheet
from ..errors import InputError


class Counterfactual(NamedTuple):
    """A changed prompt: each attribute that differs, with its new value.

    `kinds` are the questions that it answers, such as `sex_only`. A text may answer several. A
    `control` changes something that must not matter.
    """

    changed: Mapping[str, str]
    text: str
    kinds: tuple[str, ...]
    control: bool = False


class BasePrompt(NamedTuple):
    """A prompt, the `facts` in it by name, and its counterfactuals.

    `labels` is the right answer, if there is one. Models are asked the prompts of the split
    `tested`. Those of `training` and `calibration` are for models that need them.
    """

    text: str
    facts: Mapping[str, str]
    labels: tuple[str, ...] = ()
    split: str = "tested"
    counterfactuals: tuple[Counterfactual, ...] = ()


class Answered(NamedTuple):
    """An answer to a prompt with these facts: see results/predictions and results/verdicts.

    `kinds` is empty and `biased` is None for base prompts. If it is `judged`, status and outcome
    are those that a judge assigns to its words.
    """

    facts: Mapping[str, str]
    kinds: tuple[str, ...]
    status: str
    outcome: tuple[str, ...] | None
    answer: str | None
    biased: bool | None
    judged: bool = False


class Finding(NamedTuple):
    """The answer in a word, and whether it is a hit; None if it does not count."""

    name: str
    hit: bool | None


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A probe, declared at the end of a module that is named like its sheet.

    `build` takes the file of the sheet, its labels, its settings (of the type `settings`) and a
    seed. It returns the prompts, and how many rows of the file were used and left out. `find`
    returns the finding on an answer.
    """

    settings: type[Sheet]
    build: Callable[..., tuple[Sequence[BasePrompt], Mapping[str, int]]]
    find: Callable[[Answered], Finding]

    def prompts(
        self, path: Path, *, sheet: ProbeSheet, name: str, seed: int
    ) -> tuple[Sequence[BasePrompt], Mapping[str, int]]:
        """Return the prompts that the probe's sheet describes, and the numbers of rows."""
        settings = self.read_settings(sheet, name=name)
        return self.build(path, labels=sheet.labels, settings=settings, seed=seed)

    def read_settings(self, sheet: ProbeSheet, *, name: str) -> Sheet:
        """Return the settings in the sheet of the probe; raise `InputError` for others."""
        where = f"config/probes/{name}.yaml, key 'settings'"
        return check_sheet(sheet.settings, self.settings, where=where)


def import_probe(name: str) -> Probe:
    """Return the probe that the module of this name declares; raise `InputError` if it has none."""
    there = Path(__file__).with_name(f"{name}.py").is_file()
    module = import_module(f"{__package__}.{name}") if there else None
    probe: Probe | None = getattr(module, "PROBE", None)
    if probe is None:
        raise InputError(
            where=f"configuration, key 'probes', '{name}'",
            found=f"no {'PROBE in the ' if there else ''}module hinter/probes/{name}.py",
            expected="a module for each sheet of a probe",
            fix="Write it as docs/contributing.md says, or remove the probe.",
        )
    return probe
