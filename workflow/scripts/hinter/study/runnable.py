"""Check that the models of a study can be made, and run on their datasets."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..config import AnyModel, PromptSheet, read_sheet
from ..errors import InputError
from .checks import check_known, check_path, check_place
from .files import Files
from .sheets import RELATIONS, probes_with_sheets


def check_models(study: Files) -> None:
    """Raise `InputError` for a model that names something unknown, or is not run on anything."""
    config = study.config
    runs = [*study.all_runs(), *study.rater_runs(), *study.judge_runs()]
    for name, sheet in study.all_models.items():
        where = f"{config.models_sheet}, '{name}'"
        with study.noting(name):
            _check_named(study, sheet, where=where)
            _check_augmentation(study, name, where=where)
            if name not in {model for model, _ in runs}:
                again = " for several seeds or prompts" if study.copy_number(name) else ""
                raise InputError(
                    where=f"{where}, key 'datasets'",
                    found=f"no dataset of this study{again}",
                    expected="at least one of them",
                    fix="Remove the model from the configuration, or add a dataset.",
                )
    here = [name for name, sheet in study.models.items() if sheet.holds == "model"]
    where, what = "configuration, key 'ablation.models'", "`models`, as one that runs here"
    for name in config.ablation.models or ():
        check_known(name, among=here, where=where, sheet=what)
    asked = [name for name, sheet in study.models.items() if sheet.opened_by]
    where, what = "configuration, key 'model'", "`models`, as one that is asked here"
    if config.model and config.texts is None:
        check_known(config.model, among=asked, where=where, sheet=what)
    if config.budget_usd is not None:
        _check_prices(study)


def _check_named(study: Files, sheet: AnyModel, *, where: str) -> None:
    """Raise `InputError` for an unknown dataset, resource or path in the entry of a model."""
    known = [*study.known_datasets, *probes_with_sheets(), RELATIONS]
    for dataset in sheet.datasets or ():
        key, datasets = f"{where}, key 'datasets'", study.config.datasets_sheet
        check_known(dataset, among=known, where=key, sheet=datasets)
    key, resource, path = sheet.source(study.registry)
    if sheet.holds == "model":
        check_place(resource, path, where=where, registry=study.registry)
    elif path:
        check_path(Path(path), where=f"{where}, key '{key}'")


def _check_augmentation(study: Files, name: str, *, where: str) -> None:
    """Raise `InputError` if the counterfactuals of a model's `augment` cannot be made."""
    augment = study.augmentation(name)
    if augment is None:
        return
    for attribute in augment.attributes or ():
        check_known(
            attribute,
            among=study.config.attributes,
            where=f"{where}, key 'fine_tuning.augment.attributes'",
            sheet="`attributes` of the configuration",
        )
    probes = [probe for model, probe in study.probe_runs() if model == name]
    if probes:
        raise InputError(
            where=f"{where}, key 'fine_tuning.augment'",
            found=f"the probe '{probes[0]}', whose prompts have no mutants",
            expected="a model that is run only on datasets",
            fix="Name these in its `datasets`.",
        )


def _check_prices(study: Files) -> None:
    """Raise `InputError` if there is a budget and a model behind an endpoint has no price."""
    for name, model in study.all_models.items():
        served = model.get("model")
        if served and served not in study.prices:
            with study.noting(name):
                raise InputError(
                    where="configuration, key 'budget_usd'",
                    found=f"a budget, and no price for '{served}' (the model '{name}')",
                    expected=f"its price in {study.config.prices_sheet}",
                    fix="Add the price (0 if it costs nothing), or remove the budget.",
                )


def check_runs(study: Files) -> None:
    """Raise `InputError` for a model that lacks something to run, and for prompts without model."""
    for name, dataset in (*study.runs(), *study.rater_runs()):
        with study.noting(name):
            _check_needs(study, name, dataset)
    for name, dataset in study.prompted_runs():
        with study.noting(name):
            _check_prompts(study, name, dataset)
    for dataset in study.all_datasets:
        study.examples(dataset)
    for name, dataset in study.all_runs("answers"):
        if dataset not in study.models[name].get("files"):
            with study.noting(name):
                raise InputError(
                    where=f"{study.config.models_sheet}, '{name}', key 'files'",
                    found=f"no file for '{dataset}'",
                    expected="one for each dataset that the model is run on",
                    fix="Add it, or name only the other datasets in `datasets`.",
                )
    _check_asked(study)
    for name, dataset in (*study.all_runs(), *study.rater_runs()):
        sheet = study.all_models[name]
        if sheet.kind == "encoder" and sheet.get("folder") and not study.is_trained(name):
            with study.noting(name):
                check_encoder_labels(
                    Path(sheet.get("folder")),
                    labels=study.asked[dataset].names(),
                    renamed=sheet.get("labels"),
                    dataset=dataset,
                    where=f"{study.config.models_sheet}, '{name}'",
                )


def _check_needs(study: Files, name: str, dataset: str) -> None:
    """Raise `InputError` if a dataset lacks a key or split that a model needs."""
    needs, sheet = study.all_models[name].needs(), study.all_datasets[dataset]
    known = {key for key, value in sheet if value} | sheet.splits.keys()
    missing = [need for need in needs if need not in known]
    if missing:
        raise InputError(
            where=f"{study.config.datasets_sheet}, '{dataset}'",
            found=f"no '{missing[0]}'",
            expected=f"{' and '.join(needs)}, which the model '{name}' needs",
            fix="Add it like that of the dataset 'imdb'; see docs/models.md, 'Prompts'.",
        )


def _check_prompts(study: Files, name: str, dataset: str) -> None:
    """Raise `InputError` if a dataset has fewer prompts than a model is to be asked with."""
    prompts, asked = study.prompts(dataset), study.models[name].get("prompts", 1)
    if asked <= len(prompts):
        return
    examples = min(len(read_sheet(path, PromptSheet).examples) for path in prompts)
    most = len(prompts) * max(examples, 1)
    if asked > most:
        raise InputError(
            where=f"{study.config.models_sheet}, '{name}', key 'prompts'",
            found=f"{asked} prompts",
            expected=f"at most {most}: prompt files of '{dataset}' times their fewest examples",
            fix="Lower it, or add prompt files (`more_prompts`) or examples.",
        )


def _check_asked(study: Files) -> None:
    """Raise `InputError` for a probe, or relations, that no model of the study can be asked."""
    fix = "Add a model, such as smollm2-chat, which answers in words."
    for probe in study.probes:
        if probe not in {name for _, name in study.probe_runs()}:
            raise InputError(
                where=f"configuration, key 'probes', '{probe}'",
                found="no model of this study that can be asked",
                expected="one that is run on it and answers as its key `answers` says",
                fix=fix,
            )
    if study.metrics and not study.relation_runs():
        raise InputError(
            where="configuration, key 'relations.raters'",
            found="no model of this study whose answers they can rate",
            expected="one that is run on 'relations' and answers in words",
            fix=fix,
        )


def check_encoder_labels(
    folder: Path, *, labels: Sequence[str], renamed: Mapping[str, str], dataset: str, where: str
) -> None:
    """Raise `InputError` if an encoder of the user has other labels than a dataset.

    `renamed` has the dataset's names of labels by the encoder's own names. `folder` has the format
    of `save_pretrained`. If files are missing, the job that loads it reports that.
    """
    path = folder / "config.json"
    if not path.is_file() or not labels:
        return
    own = _label_names(path, where=where)
    for name in renamed:
        check_known(name, among=own, where=f"{where}, key 'labels'", sheet=f"{path}, 'id2label'")
    names = [renamed.get(name, name) for name in own]
    if sorted(names) != sorted(labels):
        raise InputError(
            where=f"{where}: {path}, key 'id2label'",
            found=f"{len(names)} labels: {', '.join(sorted(names))}"[:300],
            expected=f"those of the dataset '{dataset}': {', '.join(sorted(labels))}"[:300],
            fix="Give the dataset's `label_names` the same names, set `labels`, or `fine_tuning`.",
        )


def _label_names(path: Path, *, where: str) -> list[str]:
    try:
        outputs = json.loads(path.read_text(encoding="utf-8")).get("id2label", {})
        names = list(outputs.values())
        if set(outputs) != set(map(str, range(len(outputs)))):
            raise ValueError("outputs in 'id2label' that are not numbered from 0")
        if not all(isinstance(name, str) for name in names):
            raise ValueError("a name in 'id2label' that is not text")
    except (ValueError, AttributeError, RecursionError) as error:
        raise InputError(
            where=f"{where}: {path}",
            found=" ".join(str(error).split()),
            expected="the settings of a model, as `save_pretrained` writes them",
            fix="Write the file again.",
        ) from None
    return names
