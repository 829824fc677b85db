"""A study as its configuration describes it: which sheets belong to it and whether they agree."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import InputError
from .sheets import read_sheet

Sheet = dict[str, Any]
DEFAULT_PARSER = "en_core_web_sm"


class Study:
    """The checked configuration with its datasets, models and resources.

    Raises `InputError` for a name that its sheet does not have, and for a file or folder of the
    user's that is not there.
    """

    def __init__(self, config: Mapping[str, Any], *, schemas: str, registry: str) -> None:
        self.registry = read_sheet(registry, schema=f"{schemas}/registry.schema.yaml")
        self.datasets = _chosen(config, "datasets", schemas=schemas)
        self.models = _chosen(config, "models", schemas=schemas)
        self._parser: Sheet = config["invariant"]["parser"]
        if not self._parser["resource"] and not self._parser["folder"]:
            self._parser["resource"] = DEFAULT_PARSER
        self._check_place(self._parser, key="folder", where="configuration, key 'invariant.parser'")
        _check_sample(config["sample"]["orders"], listed=config["orders"])
        _check_orders(
            config["orders"] + config["sample"]["orders"], attributes=config["attributes"]
        )
        for name, sheet in self.datasets.items():
            where = f"{config['datasets_sheet']}, '{name}'"
            self._check_place(sheet, key="file", where=where)
            if sheet["prompt"]:
                _check_path(Path(sheet["prompt"]), where=f"{where}, key 'prompt'")
        for name, sheet in self.models.items():
            self._check_place(sheet, key="folder", where=f"{config['models_sheet']}, '{name}'")
            self._check_needs(name, sheet=config["datasets_sheet"])
        for attribute in config["attributes"]:
            _check_path(
                Path(f"config/dictionary/{attribute}.yaml"),
                where=f"configuration, key 'attributes', '{attribute}'",
            )

    def needed_resources(self) -> list[str]:
        """Return the names of all resources that the configuration uses, sorted."""
        sheets = [self._parser, *self.datasets.values(), *self.models.values()]
        return sorted({sheet["resource"] for sheet in sheets} - {None})

    def models_of(self, kind: str) -> list[str]:
        """Return the names of the chosen models of a kind."""
        return [name for name, sheet in self.models.items() if sheet["kind"] == kind]

    def parser_source(self) -> str:
        """Return the folder of the parser's pipeline."""
        return _folder_of(self._parser)

    def dataset_source(self, dataset: str) -> str:
        """Return the resource folder, or the user's file, that holds the dataset."""
        sheet = self.datasets[dataset]
        return f"resources/{sheet['resource']}" if sheet["resource"] else str(sheet["file"])

    def model_source(self, model: str) -> str:
        """Return the folder of the model as it comes."""
        return _folder_of(self.models[model])

    def model_folder(self, model: str, dataset: str) -> str:
        """Return the folder of the model as it is run on the dataset."""
        sheet = self.models[model]
        if sheet.get("fine_tuning"):
            return f"results/models/{model}/{dataset}"
        if sheet.get("gguf"):
            return f"results/models/{model}/converted"
        return self.model_source(model)

    def label_names(self, dataset: str) -> list[str]:
        """Return the dataset's label names, sorted."""
        return sorted(set(self.datasets[dataset]["label_names"].values()))

    def _check_resource(self, name: str, *, where: str) -> None:
        if name not in self.registry:
            raise InputError(
                where=where,
                found=f"the resource '{name}'",
                expected=f"one of {', '.join(self.registry)}",
                fix="Correct the name, or add the resource to data/registry.yaml.",
            )

    def _check_place(self, sheet: Mapping[str, Any], *, key: str, where: str) -> None:
        if key == "folder" and sheet["resource"] and sheet["folder"]:
            raise InputError(
                where=where,
                found=f"both the resource '{sheet['resource']}' and the folder '{sheet['folder']}'",
                expected="one of them",
                fix="Take out the one that is not meant.",
            )
        if sheet["resource"]:
            self._check_resource(sheet["resource"], where=f"{where}, key 'resource'")
        elif not sheet[key]:
            raise InputError(
                where=where,
                found=f"neither 'resource' nor '{key}'",
                expected="one of them",
                fix=f"Name a resource of data/registry.yaml, or a {key} of yours.",
            )
        else:
            _check_path(Path(sheet[key]), where=f"{where}, key '{key}'")

    def _check_needs(self, model: str, *, sheet: str) -> None:
        needs = _needs_of(self.models[model])
        for name, dataset in self.datasets.items():
            missing = [
                need for need in needs if not (dataset.get(need) or need in dataset["splits"])
            ]
            if missing:
                raise InputError(
                    where=f"{sheet}, '{name}'",
                    found=f"no '{missing[0]}'",
                    expected=f"{' and '.join(needs)}, which the model '{model}' needs",
                    fix="Add it as it is for the dataset 'imdb'; see config/README.md.",
                )


def _folder_of(sheet: Sheet) -> str:
    return f"resources/{sheet['resource']}" if sheet["resource"] else str(sheet["folder"])


def _check_sample(sampled: list[int], *, listed: list[int]) -> None:
    low = [order for order in sampled if order <= max(listed)]
    if low:
        raise InputError(
            where="configuration, key 'sample.orders'",
            found=f"the order {low[0]} beside the listed orders {listed}",
            expected=f"orders above {max(listed)}",
            fix="Take it out of 'sample.orders', or out of 'orders' with all above it.",
        )


def _check_orders(orders: list[int], *, attributes: list[str]) -> None:
    missing = sorted(set(range(1, max(orders) + 1)) - set(orders))
    if missing:
        raise InputError(
            where="configuration, keys 'orders' and 'sample.orders'",
            found=f"the order {max(orders)} without the order {missing[0]}",
            expected=f"every order from 1 to {max(orders)}",
            fix="Add it: without all sub-mutants of a mutant nobody can tell hidden bias.",
        )
    if max(orders) > len(attributes):
        raise InputError(
            where="configuration, keys 'orders' and 'sample.orders'",
            found=f"the order {max(orders)} with the attributes {', '.join(attributes)}",
            expected=f"at most {len(attributes)}: a mutant changes each attribute once",
            fix="Add attributes, or take the order out.",
        )


def _needs_of(model: Sheet) -> list[str]:
    """Return the keys and splits that a dataset must have to be given to `model`."""
    if model["kind"] == "causal":
        return ["prompt", "calibration"]
    return ["label_names", "training"] if model["fine_tuning"] else []


def _chosen(config: Mapping[str, Any], kind: str, *, schemas: str) -> dict[str, Sheet]:
    path = config[f"{kind}_sheet"]
    sheets = read_sheet(path, schema=f"{schemas}/{kind}.schema.yaml")
    for name in config[kind]:
        if name not in sheets:
            raise InputError(
                where=f"configuration, key '{kind}'",
                found=f"'{name}'",
                expected=f"one of {', '.join(sheets)}",
                fix=f"Correct the name, or describe it in {path}.",
            )
    return {name: sheets[name] for name in config[kind]}


def _check_path(path: Path, *, where: str) -> None:
    if not path.exists():
        raise InputError(
            where=where,
            found=f"nothing at {path}",
            expected="a file or folder",
            fix="Correct the path; it is relative to the folder you run in.",
        )
