"""Whether the parts of a configuration fit together, before anything is run."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..compared import THIS_STUDY, how_to_make
from ..config import (
    Answers,
    AnyModel,
    Config,
    Dataset,
    Endpoint,
    LocalModel,
    Parser,
    Primary,
    check_sheet,
)
from ..dictionary import CONTROL
from ..errors import InputError
from ..limits import find_limit


def check_asked(names: Sequence[str]) -> None:
    """Raise `InputError` where models are asked nothing, or where two things have one name.

    `names` are those of datasets and probes, and those that relations take if they are asked.
    """
    both = [name for name, count in Counter(names).items() if count > 1]
    if both or not names:
        raise InputError(
            where="configuration, keys 'datasets', 'probes' and 'relations.raters'",
            found=f"'{min(both)}' twice" if both else "no names",
            expected="at least one name, and each once",
            fix="Name a dataset of the datasets sheet, a probe of config/probes/, or a rater.",
        )


def check_path(path: Path, *, where: str) -> None:
    """Raise `InputError` where there is no file or folder at `path`."""
    if not path.exists():
        raise InputError(
            where=where,
            found=f"nothing at {path}",
            expected="a file or folder",
            fix="Correct the path; it is relative to the folder you run in.",
        )


def check_place(sheet: LocalModel | Parser, *, where: str, registry: Mapping[str, Any]) -> None:
    """Raise `InputError` unless the sheet names either a `resource` or a `folder`."""
    if sheet.resource and sheet.folder:
        raise InputError(
            where=where,
            found=f"both the resource '{sheet.resource}' and the folder '{sheet.folder}'",
            expected="one of them",
            fix="Remove the one that is not meant.",
        )
    if sheet.resource:
        check_resource(sheet.resource, where=where, registry=registry)
    elif not sheet.folder:
        raise InputError(
            where=where,
            found="neither 'resource' nor 'folder'",
            expected="one of them",
            fix="Name a resource of data/registry.yaml, or a folder of yours.",
        )
    else:
        check_path(Path(sheet.folder), where=f"{where}, key 'folder'")


def check_resource(name: str, *, where: str, registry: Mapping[str, Any]) -> None:
    """Raise `InputError` where the registry has no such resource."""
    if name not in registry:
        raise InputError(
            where=f"{where}, key 'resource'",
            found=f"the resource '{name}'",
            expected=f"one of {', '.join(registry)}",
            fix="Correct the name, or add the resource to data/registry.yaml.",
        )


def check_file(name: str, *, among: Collection[str], where: str) -> None:
    """Raise `InputError` where a folder or resource has no such file."""
    if name not in among:
        raise InputError(
            where=where,
            found=f"'{name}'",
            expected=f"one of its files: {', '.join(sorted(among)) or 'none'}"[:300],
            fix="Correct the name.",
        )


def check_known(
    name: str, *, among: Sequence[str] | Mapping[str, Any], where: str, sheet: str
) -> None:
    """Raise `InputError` for a name that the sheet does not have."""
    if name not in among:
        raise InputError(
            where=where,
            found=f"'{name}'",
            expected=f"one of {', '.join(among)}",
            fix=f"Correct the name, or describe it in {sheet}.",
        )


def check_needs(model: AnyModel, dataset: Dataset, *, name: str, where: str) -> None:
    """Raise `InputError` where a dataset lacks a key or split that the model `name` needs."""
    needs = model.needs()
    known = {key for key, value in dataset if value} | dataset.splits.keys()
    missing = [need for need in needs if need not in known]
    if missing:
        raise InputError(
            where=where,
            found=f"no '{missing[0]}'",
            expected=f"{' and '.join(needs)}, which the model '{name}' needs",
            fix="Add it as it is for the dataset 'imdb'; see config/README.md.",
        )


def check_answered(model: AnyModel, dataset: str, *, where: str) -> None:
    """Raise `InputError` where a model that is asked elsewhere names no answers to a dataset."""
    if isinstance(model, Answers) and dataset not in model.files:
        raise InputError(
            where=f"{where}, key 'files'",
            found=f"no file for '{dataset}'",
            expected="one for each dataset that the model is run on",
            fix="Add it, or leave the dataset out by `datasets`.",
        )


def check_encoder_labels(folder: Path, *, labels: Sequence[str], dataset: str, where: str) -> None:
    """Raise `InputError` where an encoder of the user's has other labels than a dataset.

    `folder` is as `save_pretrained` writes it; if files are missing, the job that loads it says so.
    """
    path = folder / "config.json"
    if not path.is_file() or not labels:
        return
    names = _label_names(path, where=where)
    if set(names) != set(labels):
        raise InputError(
            where=f"{where}: {path}, key 'id2label'",
            found=f"{len(names)} labels: {', '.join(sorted(names))}"[:300],
            expected=f"those of the dataset '{dataset}': {', '.join(sorted(labels))}"[:300],
            fix="Give the dataset's `label_names` the same names, or set `fine_tuning`.",
        )


def _label_names(path: Path, *, where: str) -> list[str]:
    try:
        names = list(json.loads(path.read_text(encoding="utf-8")).get("id2label", {}).values())
        if not all(isinstance(name, str) for name in names):
            raise ValueError("a name in 'id2label' that is no text")
    except (ValueError, AttributeError, RecursionError) as error:
        raise InputError(
            where=f"{where}: {path}",
            found=" ".join(str(error).split()),
            expected="the settings of a model, as `save_pretrained` writes them",
            fix="Write the file anew.",
        ) from None
    return names


def check_sample(sampled: list[int], *, listed: list[int]) -> None:
    """Raise `InputError` for a sampled order that is not above the listed ones."""
    low = [order for order in sampled if order <= max(listed)]
    if low:
        raise InputError(
            where="configuration, key 'sample.orders'",
            found=f"the order {low[0]} beside the listed orders {listed}",
            expected=f"orders above {max(listed)}",
            fix="Remove it from 'sample.orders', or from 'orders' with all above it.",
        )


def check_attributes(attributes: list[str]) -> None:
    """Raise `InputError` for neutral pairs among the sensitive attributes."""
    if CONTROL in attributes:
        raise InputError(
            where="configuration, key 'attributes'",
            found=f"'{CONTROL}'",
            expected="sensitive attributes",
            fix=f"Remove it: `controls: true` uses config/dictionary/{CONTROL}.yaml.",
        )


def check_orders(orders: list[int], *, attributes: list[str]) -> None:
    """Raise `InputError` for orders with a gap, or above the number of attributes."""
    missing = sorted(set(range(1, max(orders) + 1)) - set(orders))
    if missing:
        raise InputError(
            where="configuration, keys 'orders' and 'sample.orders'",
            found=f"the order {max(orders)} without the order {missing[0]}",
            expected=f"every order from 1 to {max(orders)}",
            fix="Add it: hidden bias cannot be told without all sub-mutants of a mutant.",
        )
    if max(orders) > len(attributes):
        raise InputError(
            where="configuration, keys 'orders' and 'sample.orders'",
            found=f"the order {max(orders)} with the attributes {', '.join(attributes)}",
            expected=f"at most {len(attributes)}: a mutant changes each attribute once",
            fix="Add attributes, or remove the order.",
        )


def check_primary(config: Config) -> None:
    """Raise `InputError` for a primary comparison of one's own that the study does not make."""
    made = [*config.orders, *config.sample.orders] if config.controls else []
    if config.primary != Primary() and config.primary.order not in made:
        raise InputError(
            where="configuration, key 'primary'",
            found=f"the order {config.primary.order}" if made else "no controls",
            expected=f"one of the orders {made}" if made else "controls to compare mutants with",
            fix="Name an order of the study." if made else "Set `controls: true`, or remove it.",
        )


def check_runs(model: str, *, runs: Sequence[tuple[str, str]], where: str) -> None:
    """Raise `InputError` where none of the runs (model, dataset) is of this model."""
    if model not in {name for name, _ in runs}:
        raise InputError(
            where=f"{where}, key 'datasets'",
            found="no dataset of this study",
            expected="at least one of them",
            fix="Remove the model from the configuration, or add a dataset.",
        )


def check_probes(probes: Iterable[str], *, runs: Sequence[tuple[str, str]]) -> None:
    """Raise `InputError` for a probe that none of the runs (model, probe) is of."""
    for probe in probes:
        if probe not in {name for _, name in runs}:
            raise InputError(
                where=f"configuration, key 'probes', '{probe}'",
                found="no model of this study that it can ask",
                expected="one that is run on it and answers as its key `answers` says",
                fix="Add a model, such as smollm2-chat, which answers in words.",
            )


def check_relations(*, runs: Sequence[tuple[str, str]]) -> None:
    """Raise `InputError` where none of the study's models gives answers that can be rated."""
    if not runs:
        raise InputError(
            where="configuration, key 'relations.raters'",
            found="no model of this study whose answers they can rate",
            expected="one that is run on 'relations' and answers in words",
            fix="Add a model, such as smollm2-chat, which answers in words.",
        )


def check_judge(*, runs: Sequence[tuple[str, str]]) -> None:
    """Raise `InputError` where there are no answers of the study that a judge can read."""
    if not runs:
        raise InputError(
            where="configuration, key 'judge'",
            found="no answers that it can read",
            expected="a probe, and a model that it asks and that answers in words",
            fix="Add them, or remove the judge.",
        )


def check_limits(limits: Sequence[Mapping[str, Any]], *, runs: Sequence[tuple[str, str]]) -> None:
    """Raise `InputError` for a limit of nothing, or of a run (model, dataset) that has another."""
    limited: dict[tuple[str, str], int] = {}
    for number, limit in enumerate(limits, start=1):
        where = f"configuration, key 'limits', number {number}"
        if all(value is None for key, value in limit.items() if key not in ("models", "datasets")):
            raise InputError(
                where=where,
                found="nothing that is limited",
                expected="one or more of originals, pairs_per_attribute, tests and held_out",
                fix="Add one, or remove the limit.",
            )
        for model, dataset in runs:
            if find_limit([limit], model=model, dataset=dataset) is None:
                continue
            first = limited.setdefault((model, dataset), number)
            if first != number:
                raise InputError(
                    where=where,
                    found=f"the model '{model}' on '{dataset}', as in number {first}",
                    expected="one limit for each model and dataset",
                    fix="Remove it from one of them, or name other `datasets`.",
                )


def check_prices(models: Mapping[str, AnyModel], *, prices: Mapping[str, Any], sheet: str) -> None:
    """Raise `InputError` where a model behind an endpoint has no price, which a budget needs."""
    for name, model in models.items():
        if isinstance(model, Endpoint) and model.model not in prices:
            raise InputError(
                where="configuration, key 'budget_usd'",
                found=f"a budget, and no price for '{model.model}' (the model '{name}')",
                expected=f"its price in {sheet}",
                fix="Add the price (0 if it costs nothing), or remove the budget.",
            )


def check_gate(
    config: Config, *, models: Mapping[str, Any], files: Mapping[str, Sequence[str]]
) -> None:
    """Raise `InputError` unless the gate of a study can compare its candidate with its baseline.

    `files` are those that it reads, verdicts of the `baseline` among them.
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
    if not config.controls or not files["candidate"]:
        raise InputError(
            where=f"{where}'",
            found="no controls" if not config.controls else "no dataset that both are run on",
            expected="a dataset that both are run on, with controls",
            fix="Set `controls: true`, and name a dataset that both models' entries allow.",
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
            fix="Correct it, or leave it out to run the baseline in this study.",
        )


def check_compared(name: str, folder: str, *, files: Sequence[str], config: Config) -> None:
    """Raise `InputError` unless the study in `folder` is finished and can be put beside this one.

    `files` are those that are read of it, first its configuration, which is written last; `config`
    is that of this study.
    """
    where = f"configuration, key 'compared', '{name}'"
    if name == THIS_STUDY or Path(folder).resolve() == Path(config.folder).resolve():
        raise InputError(
            where=where,
            found="this study",
            expected="another study, in a folder of its own",
            fix="Remove it: this study has its rows already.",
        )
    written, *_ = paths = [Path(file) for file in files]
    if written.exists():
        _check_same(written, config=config, where=where, folder=folder)
    for path in paths:
        if not path.exists() or path.stat().st_mtime > written.stat().st_mtime:
            raise InputError(
                where=where,
                found=f"{path}, made after {written}" if path.exists() else f"nothing at {path}",
                expected="a finished study",
                fix=how_to_make(folder),
            )


def _check_same(path: Path, *, config: Config, where: str, folder: str) -> None:
    """Raise `InputError` where the configuration in `path` has other datasets or models."""
    try:
        theirs = check_sheet(json.loads(path.read_text(encoding="utf-8")), Config, where=str(path))
    except json.JSONDecodeError as error:
        raise InputError(
            where=str(path),
            found=str(error),
            expected="the configuration of a finished study",
            fix=how_to_make(folder),
        ) from None
    for key in ("datasets", "models"):
        found, expected = sorted(getattr(theirs, key)), sorted(getattr(config, key))
        if found != expected:
            raise InputError(
                where=where,
                found=f"the {key} {', '.join(found)}",
                expected=f"those of this study: {', '.join(expected)}",
                fix=how_to_make(folder),
            )
