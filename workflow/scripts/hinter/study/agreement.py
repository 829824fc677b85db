"""Check before a run that the sheets and files of a configuration fit together."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ..config import MODELS_SHEET, Config, GroupsSheet, Models, Primary, read_sheet
from ..dictionary import CONTROL
from ..errors import InputError
from ..limits import check_limits
from ..locations import locate
from ..operators import OPERATORS, TERMS
from ..provenance import SCRIPTS
from .checks import REGISTRY, check_known, check_path, check_place
from .files import Files
from .runnable import check_models, check_runs
from .sheets import RELATIONS, probe_sheet
from .targets import check_compared, check_gate, check_mitigation


def check_agreement(study: Files) -> None:
    """Raise `InputError` for the first part of the study that does not fit the others."""
    config = study.config
    if config.judge and not study.judged_runs():
        raise InputError(
            where="configuration, key 'judge'",
            found="no answers that it can judge",
            expected="a probe, and a model that is asked it and answers in words",
            fix="Add them, or remove the judge.",
        )
    where = "configuration, key 'invariant.parser'"
    parser = study.parser
    check_place(parser.resource, parser.folder, where=where, registry=study.registry)
    _check_asked(study)
    _check_places(study)
    check_models(study)
    check_runs(study)
    _check_limits(study)
    _check_pairs(config)
    _check_attributes(config, own=study.own_groups)
    _check_orders(config.orders + config.sample.orders, attributes=config.attributes)
    _check_primary(config)
    if config.gate:
        check_gate(config, models=study.models, files=study.gate_inputs())
    if config.mitigation:
        check_mitigation(config, models=study.models, runs=study.runs())
    for name, folder in (config.compared or {}).items():
        check_compared(name, folder, files=study.files_of(folder), config=config)


def _check_asked(study: Files) -> None:
    """Raise `InputError` if models are asked nothing, or if a name is used twice."""
    relations = [RELATIONS, *study.metrics] if study.metrics else []
    names = Counter([*study.datasets, *study.probes, *relations])
    both = [name for name, count in names.items() if count > 1]
    if both or not names:
        raise InputError(
            where="configuration, keys 'datasets', 'probes' and 'relations.raters'",
            found=f"'{min(both)}' twice" if both else "no names",
            expected="at least one name, and each once",
            fix="Name a dataset of the datasets sheet, a probe of config/probes/, or a rater.",
        )


def _check_places(study: Files) -> None:
    for name, sheet in study.from_files().items():
        probe = name in study.probes
        where = probe_sheet(name) if probe else f"{study.config.datasets_sheet}, '{name}'"
        if sheet.resource:
            key = f"{where}, key 'resource'"
            check_known(sheet.resource, among=study.registry, where=key, sheet=REGISTRY)
        else:
            check_path(Path(locate(sheet.file)), where=f"{where}, key 'file'")
        if sheet.prompt:
            check_path(Path(locate(sheet.prompt)), where=f"{where}, key 'prompt'")
    for name in study.probes:
        check_path(SCRIPTS / study.probe_module(name), where=f"{probe_sheet(name)}, its module")
    for key, path in _named_paths(study):
        check_path(Path(path), where=f"configuration, key {key}")


def _named_paths(study: Files) -> list[tuple[str, str]]:
    """Return the paths in the configuration itself, each with its key."""
    config = study.config
    own = {
        "relations.prompts": locate(config.relations.prompts),
        "relations.prompt": locate(config.relations.prompt),
        "judge.prompt": config.judge and locate(config.judge.prompt),
        "pairs": config.pairs,
        "ablation.pairs": config.ablation.pairs,
    }
    return [
        *((f"'{key}'", path) for key, path in own.items() if path),
        *(
            (f"'attributes', '{attribute}'", path)
            for folder, paths in study.curations().items()
            if paths
            for attribute, path in zip(study.curated(folder), paths, strict=True)
        ),
        *(("'own_groups'", path) for path in config.own_groups),
        *(("'assessment.answers'", path) for path in config.assessment.answers),
    ]


def _check_limits(study: Files) -> None:
    # Limits may name models of the sheet that the study does not use, as it may use them later, and
    # models that the default configuration limits, as a user's own sheet need not have them.
    config = study.config
    known = study.known_models | read_sheet(locate(MODELS_SHEET), Models).root
    for number, limit in enumerate(config.limits, start=1):
        where = f"configuration, key 'limits', number {number}"
        for name in limit.models:
            check_known(name, among=known, where=where, sheet=config.models_sheet)
        for name in limit.datasets or ():
            check_known(name, among=study.known_datasets, where=where, sheet=config.datasets_sheet)
    check_limits(study.limits, runs=study.runs())


def _check_pairs(config: Config) -> None:
    """Raise `InputError` for a user's word pairs together with an operator without terms."""
    others = [name for name in config.mutation.operators if OPERATORS[name].sheets != TERMS]
    if config.pairs and others:
        raise InputError(
            where="configuration, keys 'pairs' and 'mutation.operators'",
            found=f"word pairs with the operator '{others[0]}', which uses none",
            expected="operators that replace words",
            fix="Remove one of them: --config 'mutation={operators: [literal]}'.",
        )


def _check_attributes(config: Config, *, own: Mapping[str, GroupsSheet]) -> None:
    """Raise `InputError` for attributes that do not fit, or a sampled order below others.

    Neutral pairs are no attribute of a study. Those of `own` groups must be, or be neutral.
    """
    if CONTROL in config.attributes:
        raise InputError(
            where="configuration, key 'attributes'",
            found=f"'{CONTROL}'",
            expected="sensitive attributes",
            fix=f"Remove it: `controls: true` uses config/dictionary/{CONTROL}.yaml.",
        )
    for path, sheet in own.items():
        check_known(
            sheet.attribute,
            among=[*config.attributes, *([CONTROL] if config.controls else [])],
            where=f"{path}, key 'attribute'",
            sheet="`attributes` of the configuration",
        )
    listed = config.orders
    low = [order for order in config.sample.orders if order <= max(listed)]
    if low:
        raise InputError(
            where="configuration, key 'sample.orders'",
            found=f"the order {low[0]} with the listed orders {listed}",
            expected=f"orders above {max(listed)}",
            fix="Remove it from 'sample.orders', or remove it and all above it from 'orders'.",
        )


def _check_orders(orders: list[int], *, attributes: list[str]) -> None:
    """Raise `InputError` for orders with a gap, or above the number of attributes."""
    missing = sorted(set(range(1, max(orders) + 1)) - set(orders))
    if missing:
        raise InputError(
            where="configuration, keys 'orders' and 'sample.orders'",
            found=f"the order {max(orders)} without the order {missing[0]}",
            expected=f"every order from 1 to {max(orders)}",
            fix="Add it: all sub-mutants of a mutant decide whether its bias is hidden.",
        )
    if max(orders) > len(attributes):
        raise InputError(
            where="configuration, keys 'orders' and 'sample.orders'",
            found=f"the order {max(orders)} with the attributes {', '.join(attributes)}",
            expected=f"at most {len(attributes)}: a mutant changes each attribute once",
            fix="Add attributes, or remove the order.",
        )


def _check_primary(config: Config) -> None:
    """Raise `InputError` for a primary comparison that the study does not make."""
    made = [*config.orders, *config.sample.orders] if config.controls else []
    if config.primary != Primary() and config.primary.order not in made:
        raise InputError(
            where="configuration, key 'primary'",
            found=f"the order {config.primary.order}" if made else "no controls",
            expected=f"one of the orders {made}" if made else "controls to compare mutants with",
            fix="Name an order of the study." if made else "Set `controls: true`, or remove it.",
        )
