"""Check that the settings of targets and tables beyond the default ones fit the study."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..compared import THIS_STUDY, how_to_make
from ..config import AnyModel, Config, check_sheet
from ..errors import InputError
from .checks import check_known

ADDED = {"before": None, "after": "counterfactuals", "control": "originals"}
"""The texts that are added to the training texts of each model of a mitigation."""


def check_mitigation(
    config: Config, *, models: Mapping[str, AnyModel], runs: Sequence[tuple[str, str]]
) -> None:
    """Raise `InputError` unless the models of a mitigation differ only in their `augment`.

    `runs` are the (model, dataset) pairs of the study.
    """
    assert config.mitigation is not None
    where, named = "configuration, key 'mitigation", config.mitigation.model_dump(exclude_none=True)
    for key, name in named.items():
        sheet = f"`models` of the study and in {config.models_sheet}"
        check_known(name, among=models, where=f"{where}.{key}'", sheet=sheet)
        _check_added(name, models[name], expected=ADDED[key], where=f"{where}.{key}'")
    for key, other, apart in (("after", "before", "augment"), ("control", "after", "texts")):
        if key in named:
            _check_alike(
                models[named[key]], models[named[other]], apart=apart, where=f"{where}.{key}'"
            )
    shared = [
        dataset
        for dataset in config.datasets
        if all((name, dataset) in runs for name in named.values())
    ]
    if not config.controls or not shared:
        raise InputError(
            where=f"{where}'",
            found="no controls" if not config.controls else "no dataset that all are run on",
            expected="a dataset that all of its models are run on, with controls",
            fix="Set `controls: true`, and name a dataset that the models' entries allow.",
        )


def _check_added(name: str, sheet: AnyModel, *, expected: str | None, where: str) -> None:
    tuning = sheet.get("fine_tuning")
    added = tuning.augment.texts if tuning and tuning.augment else None
    if tuning is None or added != expected:
        what = f"with {f'added {added}' if added else 'no added texts'}"
        raise InputError(
            where=where,
            found=f"'{name}', {what if tuning else 'which is not fine-tuned here'}",
            expected=f"a fine-tuned encoder with {expected or 'nothing'} added to its texts",
            fix="Name another model, or correct `augment` in its entry in the models sheet.",
        )


def _check_alike(sheet: AnyModel, other: AnyModel, *, apart: str, where: str) -> None:
    """Raise `InputError` if two models differ in more than the key `apart`."""
    settings, others = (
        dict(_leaves(entry.model_dump(), apart={"about", apart})) for entry in (sheet, other)
    )
    for key in sorted(settings.keys() | others.keys()):
        if settings.get(key) != others.get(key):
            raise InputError(
                where=where,
                found=f"`{key}: {settings.get(key)}` and `{others.get(key)}`",
                expected="models that differ only in `augment`",
                fix="Give both the same value in the models sheet.",
            )


def _leaves(settings: Mapping[str, Any], *, apart: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield the keys inside nested settings with their values, without those set `apart`."""
    for key, value in settings.items():
        if key not in apart:
            yield from _leaves(value, apart=apart) if isinstance(value, dict) else [(key, value)]


def check_gate(
    config: Config, *, models: Mapping[str, Any], files: Mapping[str, Sequence[str]]
) -> None:
    """Raise `InputError` unless the gate of a study can compare its candidate with its baseline.

    `files` are its inputs, including the verdicts of the `baseline`.
    """
    gate, where = config.gate, "configuration, key 'gate"
    assert gate is not None
    named = f"`models` of the study and in {config.models_sheet}"
    check_known(gate.candidate, among=models, where=f"{where}.candidate'", sheet=named)
    if gate.baseline_folder is None:
        check_known(gate.baseline, among=models, where=f"{where}.baseline'", sheet=named)
    else:
        _check_stored(gate.baseline_folder, config=config, verdicts=files["baseline"])
    if gate.baseline_folder is None and gate.candidate == gate.baseline:
        raise InputError(
            where=f"{where}.baseline'",
            found=f"the candidate itself, '{gate.candidate}'",
            expected="another model, or the results of another study",
            fix="Correct the name, or name the folder of that study in `baseline_folder`.",
        )
    if not files["candidate"]:
        raise InputError(
            where=f"{where}'",
            found="no dataset that both are run on",
            expected="a dataset that both are run on",
            fix="Name one that both models' entries allow.",
        )


def _check_stored(folder: str, *, config: Config, verdicts: Sequence[str]) -> None:
    """Raise `InputError` unless there is another study in `folder`, with these verdicts."""
    missing = [path for path in verdicts if not Path(path).exists()]
    own = Path(folder).resolve() == Path(config.folder).resolve()
    if own or missing:
        raise InputError(
            where="configuration, key 'gate.baseline_folder'",
            found="this study" if own else f"nothing at {missing[0]}",
            expected="the folder of another study, with verdicts on the baseline",
            fix="Correct it, or remove it to run the baseline in this study.",
        )


def check_compared(name: str, folder: str, *, files: Sequence[str], config: Config) -> None:
    """Raise `InputError` unless the study in `folder` is finished and comparable with this one.

    `files` are those to read from it, first its configuration, which is written last. `config` is
    that of this study.
    """
    where = f"configuration, key 'compared', '{name}'"

    _check_one_method(config, where=where, fix="Keep one, or compare no studies.")
    if name == THIS_STUDY or Path(folder).resolve() == Path(config.folder).resolve():
        raise InputError(
            where=where,
            found="this study",
            expected="another study, in a folder of its own",
            fix="Remove it: the table already has the rows of this study.",
        )
    written, *_ = paths = [Path(file) for file in files]
    if written.exists():
        _check_same(written, config=config, where=where, folder=folder)
    for path in paths:
        if not path.exists() or path.stat().st_mtime > written.stat().st_mtime:
            found = f"{path}, made after {written}" if path.exists() else f"nothing at {path}"
            fix = how_to_make(folder)
            raise InputError(where=where, found=found, expected="a finished study", fix=fix)


def _check_same(path: Path, *, config: Config, where: str, folder: str) -> None:
    """Raise `InputError` if the configuration in `path` has other datasets or models."""
    try:
        theirs = check_sheet(json.loads(path.read_text(encoding="utf-8")), Config, where=str(path))
    except json.JSONDecodeError as error:
        expected, fix = "the configuration of a finished study", how_to_make(folder)
        raise InputError(where=str(path), found=str(error), expected=expected, fix=fix) from None
    _check_one_method(theirs, where=where, fix=how_to_make(folder))
    for key in ("datasets", "models"):
        has, ours = (", ".join(sorted(getattr(one, key))) for one in (theirs, config))
        if has != ours:
            raise InputError(
                where=where,
                found=f"the {key} {has}",
                expected=f"those of this study: {ours}",
                fix=how_to_make(folder),
            )


def _check_one_method(config: Config, *, where: str, fix: str) -> None:
    """Raise `InputError` for a study of several operators, whose rates are not of one method."""
    operators = config.mutation.operators
    if len(operators) > 1:
        raise InputError(
            where=where,
            found=f"a study of the operators {', '.join(operators)}",
            expected="studies of one operator",
            fix=fix,
        )
