"""Whether the sheets and files that a configuration names fit together."""

from pathlib import Path

from ..config import Answers, Encoder, Endpoint, Function, LocalModel
from ..places import found
from ..provenance import SCRIPTS
from .checks import (
    check_answered,
    check_asked,
    check_attributes,
    check_compared,
    check_encoder_labels,
    check_gate,
    check_judge,
    check_known,
    check_limits,
    check_needs,
    check_orders,
    check_path,
    check_place,
    check_prices,
    check_primary,
    check_probes,
    check_relations,
    check_resource,
    check_runs,
    check_sample,
)
from .files import Files
from .mitigation import check_augmentation, check_mitigation
from .sheets import RELATIONS, probe_sheet, probes_with_sheets


def check_agreement(study: Files) -> None:
    """Raise `InputError` for the first part of the study that does not fit the others."""
    config = study.config
    if config.judge:
        check_judge(runs=study.judged_runs())
    _check_places(study)
    _check_models(study)
    _check_runs(study)
    _check_limits(study)
    check_attributes(config.attributes)
    check_sample(config.sample.orders, listed=config.orders)
    check_orders(config.orders + config.sample.orders, attributes=config.attributes)
    check_primary(config)
    if config.gate:
        check_gate(config, models=study.models, files=study.gate_inputs())
    if config.mitigation:
        check_mitigation(config, models=study.models, runs=study.runs())
    for name, folder in (config.compared or {}).items():
        check_compared(name, folder, files=study.files_of(folder), config=config)


def _check_places(study: Files) -> None:
    where = "configuration, key 'invariant.parser'"
    check_place(study.parser, where=where, registry=study.registry)
    asked = [RELATIONS, *study.metrics] if study.metrics else []
    check_asked([*study.datasets, *study.probes, *asked])
    for name, sheet in study.from_files().items():
        where = _where(study, name)
        if sheet.resource:
            check_resource(sheet.resource, where=where, registry=study.registry)
        else:
            check_path(Path(found(sheet.file)), where=f"{where}, key 'file'")
        if sheet.prompt:
            check_path(Path(found(sheet.prompt)), where=f"{where}, key 'prompt'")
    for name in study.probes:
        check_path(SCRIPTS / study.probe_module(name), where=f"{probe_sheet(name)}, its module")
    for key, path in _named_paths(study):
        check_path(Path(path), where=f"configuration, key {key}")


def _named_paths(study: Files) -> list[tuple[str, str]]:
    """Return the paths that the configuration itself names, each with its key."""
    config = study.config
    own = {
        "relations.prompts": found(config.relations.prompts),
        "relations.prompt": found(config.relations.prompt),
        "judge.prompt": config.judge and found(config.judge.prompt),
        "pairs": config.pairs,
        "ladder.pairs": config.ladder.pairs,
    }
    return [
        *((f"'{key}'", path) for key, path in own.items() if path),
        *(
            (f"'attributes', '{attribute}'", path)
            for attribute, path in zip(study.curated, study.curations(), strict=True)
        ),
        *(("'assessment.answers'", path) for path in config.assessment.answers),
    ]


def _where(study: Files, name: str) -> str:
    """Return where the dataset or probe is described, for messages."""
    return probe_sheet(name) if name in study.probes else f"{study.config.datasets_sheet}, '{name}'"


def _check_models(study: Files) -> None:
    config = study.config
    for name, sheet in study.all_models.items():
        where = f"{config.models_sheet}, '{name}'"
        for dataset in sheet.datasets or ():
            check_known(
                dataset,
                among=[*study.known_datasets, *probes_with_sheets(), RELATIONS],
                where=f"{where}, key 'datasets'",
                sheet=config.datasets_sheet,
            )
        if isinstance(sheet, LocalModel):
            check_place(sheet, where=where, registry=study.registry)
        elif isinstance(sheet, Function):
            check_path(Path(sheet.path()), where=f"{where}, key 'function'")
        elif isinstance(sheet, Endpoint) and sheet.tokenizer not in study.registry:
            check_path(Path(sheet.tokenizer), where=f"{where}, key 'tokenizer'")
        augment = study.augmentation(name)
        if augment:
            check_augmentation(
                augment,
                attributes=config.attributes,
                probes=[probe for model, probe in study.probe_runs() if model == name],
                where=where,
            )
        runs = [*study.all_runs(), *study.rater_runs(), *study.judge_runs()]
        check_runs(name, runs=runs, where=where)
    here = [name for name, sheet in study.models.items() if isinstance(sheet, LocalModel)]
    for name in config.ladder.models or ():
        check_known(
            name,
            among=here,
            where="configuration, key 'ladder.models'",
            sheet="`models`, as one that runs here",
        )
    if config.model:
        check_known(
            config.model,
            among=[name for name in study.models if not isinstance(study.models[name], Answers)],
            where="configuration, key 'model'",
            sheet="`models`, as one that is asked here",
        )
    if config.budget_usd is not None:
        check_prices(study.all_models, prices=study.prices, sheet=config.prices_sheet)


def _check_runs(study: Files) -> None:
    for name, dataset in (*study.runs(), *study.rater_runs()):
        where = f"{study.config.datasets_sheet}, '{dataset}'"
        check_needs(study.all_models[name], study.all_datasets[dataset], name=name, where=where)
    for name, dataset in study.all_runs("answers"):
        check_answered(study.models[name], dataset, where=f"{study.config.models_sheet}, '{name}'")
    check_probes(study.probes, runs=study.probe_runs())
    if study.metrics:
        check_relations(runs=study.relation_runs())
    for name, dataset in (*study.all_runs(), *study.rater_runs()):
        sheet = study.all_models[name]
        if isinstance(sheet, Encoder) and sheet.folder and not sheet.fine_tuning:
            check_encoder_labels(
                Path(sheet.folder),
                labels=study.asked[dataset].names(),
                dataset=dataset,
                where=f"{study.config.models_sheet}, '{name}'",
            )


def _check_limits(study: Files) -> None:
    # Models of the sheet that the study leaves out may be named, so that they can come back.
    config = study.config
    for number, limit in enumerate(config.limits, start=1):
        where = f"configuration, key 'limits', number {number}"
        for name in limit.models:
            check_known(name, among=study.known_models, where=where, sheet=config.models_sheet)
        for name in limit.datasets or ():
            check_known(name, among=study.known_datasets, where=where, sheet=config.datasets_sheet)
    check_limits(study.limits, runs=study.runs())
