"""Whether models that train on counterfactuals can be made and compared, before anything is run."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..config import AnyModel, Augmentation, Config, Encoder
from ..errors import InputError
from .checks import check_known

ADDED = {"before": None, "after": "counterfactuals", "control": "originals"}
"""The texts that are added to those that each model of a mitigation is trained on."""


def check_augmentation(
    augment: Augmentation, *, attributes: Collection[str], probes: Sequence[str], where: str
) -> None:
    """Raise `InputError` where no counterfactuals can be made as a model's `augment` asks.

    `attributes` are those of the study, `probes` those that the model is asked.
    """
    for name in augment.attributes or ():
        if name not in attributes:
            raise InputError(
                where=f"{where}, key 'fine_tuning.augment.attributes'",
                found=f"'{name}'",
                expected=f"attributes of the study: {', '.join(attributes)}",
                fix="Correct the name, or add it to `attributes` of the configuration.",
            )
    if probes:
        raise InputError(
            where=f"{where}, key 'fine_tuning.augment'",
            found=f"the probe '{probes[0]}', of whose prompts no mutants are made",
            expected="a model that is run on datasets alone",
            fix="Name these in its `datasets`.",
        )


def check_mitigation(
    config: Config, *, models: Mapping[str, AnyModel], runs: Sequence[tuple[str, str]]
) -> None:
    """Raise `InputError` unless the models of a mitigation differ in their `augment` alone.

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
    tuning = sheet.fine_tuning if isinstance(sheet, Encoder) else None
    added = tuning.augment.texts if tuning and tuning.augment else None
    if tuning is None or added != expected:
        what = f"with {f'added {added}' if added else 'no added texts'}"
        raise InputError(
            where=where,
            found=f"'{name}', {what if tuning else 'which is not fine-tuned here'}",
            expected=f"an encoder that is fine-tuned, {expected or 'nothing'} added to its texts",
            fix="Name another model, or correct `augment` in its entry in the models sheet.",
        )


def _check_alike(sheet: AnyModel, other: AnyModel, *, apart: str, where: str) -> None:
    """Raise `InputError` where two models differ in more than in the key `apart`."""
    settings, others = (
        dict(_leaves(entry.model_dump(), apart={"about", apart})) for entry in (sheet, other)
    )
    for key in sorted(settings.keys() | others.keys()):
        if settings.get(key) != others.get(key):
            raise InputError(
                where=where,
                found=f"`{key}: {settings.get(key)}` beside `{others.get(key)}`",
                expected="models that differ in `augment` alone",
                fix="Give both the same value in the models sheet.",
            )


def _leaves(settings: Mapping[str, Any], *, apart: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield the keys inside nested settings with their values, without those set `apart`."""
    for key, value in settings.items():
        if key not in apart:
            yield from _leaves(value, apart=apart) if isinstance(value, dict) else [(key, value)]
