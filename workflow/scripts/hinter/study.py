"""A study as its configuration describes it: which sheets belong to it and whether they agree."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .checks import (
    Sheet,
    check_encoder_labels,
    check_known,
    check_needs,
    check_orders,
    check_path,
    check_place,
    check_prices,
    check_runs,
    check_sample,
)
from .gpus import visible_gpus
from .provenance import folder_digest
from .sheets import read_sheet

DEFAULT_PARSER = "en_core_web_sm"
LANGUAGETOOL = "languagetool"
# Of the room that a model takes as it comes: fine-tuned, with two checkpoints that hold two moments
# of each weight, or converted from few bits to 32.
ROOM_TRAINED, ROOM_CONVERTED = 7, 6


class Study:
    """The checked configuration with its datasets, models and resources.

    Raises `InputError` for a name that its sheet does not have, and for a file or folder of the
    user's that is not there.
    """

    def __init__(self, config: Mapping[str, Any], *, schemas: str, registry: str) -> None:
        self._schemas = schemas
        self.registry = read_sheet(registry, schema=f"{schemas}/registry.schema.yaml")
        sheets = {
            kind: read_sheet(config[f"{kind}_sheet"], schema=f"{schemas}/{kind}.schema.yaml")
            for kind in ("datasets", "models", "prices")
        }
        self.datasets = _chosen(sheets["datasets"], config, "datasets")
        self.models = _chosen(sheets["models"], config, "models")
        self.prices = sheets["prices"]
        self._parser: Sheet = config["invariant"]["parser"]
        if not self._parser["resource"] and not self._parser["folder"]:
            self._parser["resource"] = DEFAULT_PARSER
        self._check_places(config)
        self._check_models(config, known=sheets["datasets"])
        self._check_runs(config)
        grammar = config["grammar"]
        self._starts_languagetool = grammar["enabled"] and grammar["server"] is None
        check_sample(config["sample"]["orders"], listed=config["orders"])
        check_orders(config["orders"] + config["sample"]["orders"], attributes=config["attributes"])

    def runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs of the study, of these kinds of models or of all."""
        return [
            (model, dataset)
            for model, sheet in self.models.items()
            for dataset in self.datasets
            if (not kinds or sheet["kind"] in kinds)
            and (sheet["datasets"] is None or dataset in sheet["datasets"])
        ]

    def needed_resources(self) -> list[str]:
        """Return the names of all resources that the configuration uses, sorted."""
        sheets = [self._parser, *self.datasets.values(), *self.models.values()]
        named = {sheet.get("resource") for sheet in sheets}
        named |= {sheet.get("tokenizer") for sheet in self.models.values()}
        named |= {LANGUAGETOOL} if self._starts_languagetool else set()
        return sorted(name for name in self.registry if name in named)

    def checker_inputs(self) -> dict[str, str]:
        """Return what scoring grammar reads: LanguageTool, where jobs start it themselves."""
        folder = f"resources/{LANGUAGETOOL}"
        return {"languagetool": folder} if self._starts_languagetool else {}

    def parser_source(self) -> str:
        """Return the folder of the parser's pipeline."""
        return _folder_of(self._parser)

    def parser_state(self) -> str | None:
        """Return a digest of the files of a parser of the user's, None for a resource."""
        folder = self._parser["folder"]
        return folder_digest(folder) if folder else None

    def dataset_source(self, dataset: str) -> str:
        """Return the resource folder, or the user's file, that holds the dataset."""
        sheet = self.datasets[dataset]
        return f"resources/{sheet['resource']}" if sheet["resource"] else str(sheet["file"])

    def model_source(self, model: str) -> str:
        """Return the folder of the model as it comes, or of its tokenizer alone."""
        sheet = self.models[model]
        if sheet["kind"] == "endpoint":
            known = sheet["tokenizer"] in self.registry
            return f"resources/{sheet['tokenizer']}" if known else str(sheet["tokenizer"])
        return _folder_of(sheet)

    def model_state(self, model: str) -> str | None:
        """Return a digest of the files of a model of the user's, None for a resource."""
        source = self.model_source(model)
        return None if source.startswith("resources/") else folder_digest(source)

    def model_folder(self, model: str, dataset: str) -> str:
        """Return the folder of the model as it is run on the dataset."""
        sheet = self.models[model]
        if sheet.get("fine_tuning"):
            return f"results/models/{model}/{dataset}"
        if sheet.get("gguf"):
            return f"results/models/{model}/gguf.converted"
        return self.model_source(model)

    def made_models(self) -> dict[str, int]:
        """Return the folders of models that the study makes, with their megabytes at most."""
        made = {}
        for model, dataset in self.runs():
            folder = self.model_folder(model, dataset)
            if folder != self.model_source(model):
                trained = self.models[model].get("fine_tuning")
                times = ROOM_TRAINED if trained else ROOM_CONVERTED
                made[folder] = times * self._megabytes(model)
        return made

    def prediction_inputs(self, model: str, dataset: str) -> dict[str, str]:
        """Return what a run of the model on the dataset reads, beside corpus, suite and pairs."""
        sheet = self.models[model]
        inputs = {"model": self.model_folder(model, dataset)}
        if sheet["kind"] != "encoder":
            inputs["prompt"] = self.datasets[dataset]["prompt"]
        if sheet.get("answers") == "scored":
            inputs["offsets"] = f"results/models/{model}/{dataset}.offsets.json"
        return inputs

    def gpus(self, model: str) -> int:
        """Return how many GPUs a job of the model asks for."""
        return _gpus_of(self.models[model])

    def parser_gpus(self) -> int:
        """Return how many GPUs a job that parses asks for."""
        return _gpus_of(self._parser)

    def running(self, model: str) -> Sheet:
        """Return the keys of the model's sheet that say how it is run."""
        apart = {"about", "datasets", "shards", "fine_tuning", "resource", "folder", "gguf"}
        return {key: value for key, value in self.models[model].items() if key not in apart}

    def examples(self, dataset: str) -> dict[str, list[str]]:
        """Return the few-shot examples of the dataset's prompt with their labels, if it has one."""
        path = self.datasets[dataset]["prompt"]
        if path is None:
            return {}
        prompt = read_sheet(path, schema=f"{self._schemas}/prompt.schema.yaml")
        examples: dict[str, list[str]] = prompt["examples"]
        return examples

    def task(self, dataset: str) -> dict[str, Any]:
        """Return what a model is asked on the dataset, the prompt itself apart."""
        return {
            "labels": self.label_names(dataset),
            "multi_label": self.datasets[dataset]["multi_label"],
            "schema": f"{self._schemas}/prompt.schema.yaml",
        }

    def label_names(self, dataset: str) -> list[str]:
        """Return the dataset's label names, in the order of its sheet."""
        names = self.datasets[dataset]["label_names"]
        return list(dict.fromkeys(names.values() if isinstance(names, dict) else names))

    def _megabytes(self, model: str) -> int:
        """Return how much room the model takes as it comes."""
        resource = self.models[model]["resource"]
        if resource:
            return int(self.registry[resource]["megabytes"])
        files = Path(self.model_source(model)).rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file()) // 1_000_000

    def _check_places(self, config: Mapping[str, Any]) -> None:
        check_place(
            self._parser,
            key="folder",
            where="configuration, key 'invariant.parser'",
            registry=self.registry,
        )
        for name, sheet in self.datasets.items():
            where = f"{config['datasets_sheet']}, '{name}'"
            check_place(sheet, key="file", where=where, registry=self.registry)
            if sheet["prompt"]:
                check_path(Path(sheet["prompt"]), where=f"{where}, key 'prompt'")
        for attribute in config["attributes"]:
            check_path(
                Path(f"config/dictionary/{attribute}.yaml"),
                where=f"configuration, key 'attributes', '{attribute}'",
            )

    def _check_models(self, config: Mapping[str, Any], *, known: Mapping[str, Any]) -> None:
        for name, sheet in self.models.items():
            where = f"{config['models_sheet']}, '{name}'"
            for dataset in sheet["datasets"] or ():
                check_known(
                    dataset,
                    among=known,
                    where=f"{where}, key 'datasets'",
                    sheet=config["datasets_sheet"],
                )
            if sheet["kind"] != "endpoint":
                check_place(sheet, key="folder", where=where, registry=self.registry)
            elif sheet["tokenizer"] not in self.registry:
                check_path(Path(sheet["tokenizer"]), where=f"{where}, key 'tokenizer'")
            check_runs(name, runs=self.runs(), where=where)
        if config["budget_usd"] is not None:
            check_prices(self.models, prices=self.prices, sheet=config["prices_sheet"])

    def _check_runs(self, config: Mapping[str, Any]) -> None:
        for name, dataset in self.runs():
            where = f"{config['datasets_sheet']}, '{dataset}'"
            sheet = self.models[name]
            check_needs(sheet, self.datasets[dataset], name=name, where=where)
            if sheet["kind"] == "encoder" and sheet["folder"] and not sheet["fine_tuning"]:
                check_encoder_labels(
                    Path(sheet["folder"]),
                    labels=self.label_names(dataset),
                    dataset=dataset,
                    where=f"{config['models_sheet']}, '{name}'",
                )


def _gpus_of(sheet: Sheet) -> int:
    device = sheet.get("device")
    return int(device == "cuda" or (device == "auto" and bool(visible_gpus())))


def _folder_of(sheet: Sheet) -> str:
    return f"resources/{sheet['resource']}" if sheet["resource"] else str(sheet["folder"])


def _chosen(sheets: Mapping[str, Sheet], config: Mapping[str, Any], kind: str) -> dict[str, Sheet]:
    for name in config[kind]:
        check_known(
            name,
            among=sheets,
            where=f"configuration, key '{kind}'",
            sheet=config[f"{kind}_sheet"],
        )
    return {name: sheets[name] for name in config[kind]}
