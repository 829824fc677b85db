"""A study as its configuration describes it, with its sheets, checked against each other."""

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from .checks import (
    check_asked,
    check_attributes,
    check_compared,
    check_encoder_labels,
    check_known,
    check_limits,
    check_needs,
    check_orders,
    check_path,
    check_place,
    check_prices,
    check_probes,
    check_relations,
    check_resource,
    check_runs,
    check_sample,
)
from .compared import compared_files
from .config import (
    AnyModel,
    Causal,
    Config,
    Dataset,
    Datasets,
    Encoder,
    Endpoint,
    LocalModel,
    Models,
    OccurrencesSheet,
    Parser,
    Prices,
    ProbeSheet,
    PromptSheet,
    Registry,
    Relations,
    read_sheet,
)
from .dictionary import CONTROL, split_files
from .errors import InputError
from .gpus import visible_gpus
from .limits import find_held_out, find_part
from .places import found
from .provenance import SCRIPTS, digest_of, folder_digest
from .yaml_files import read_yaml

T = TypeVar("T")

REGISTRY = "data/registry.yaml"
LANGUAGETOOL = "languagetool"
RELATIONS = "relations"
"""The name that prompts rewritten by relations have in the place of a dataset's; that of a metric
by which answers to them are rated begins with it."""
# Disk space as a multiple of the downloaded model: when fine-tuned, with two checkpoints that hold
# two moments of each weight, and when converted from a few bits per weight to 32.
SPACE_TRAINED, SPACE_CONVERTED = 7, 6


class Study:
    """The checked configuration with its datasets, models and resources.

    Raises `InputError` for a name that its sheet does not have, and for a missing file or folder of
    the user's.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.results = str(Path(config.folder, "results"))
        self.response_store = str(Path(config.store, "responses"))
        self.registry = read_sheet(found(REGISTRY), Registry).root
        known = read_sheet(found(config.datasets_sheet), Datasets).root
        models = read_sheet(found(config.models_sheet), Models).root
        self.datasets = _chosen(
            config.datasets, among=known, key="datasets", sheet=config.datasets_sheet
        )
        self.probes = {
            name: read_sheet(found(_probe_sheet(name)), ProbeSheet) for name in config.probes
        }
        self.models = _chosen(config.models, among=models, key="models", sheet=config.models_sheet)
        self._read_raters(models=models, datasets=known)
        self._asked: dict[str, Dataset | ProbeSheet | Relations] = {
            **self.all_datasets,
            **self.probes,
            **({RELATIONS: config.relations} if self.metrics else {}),
        }
        self.prices = read_sheet(found(config.prices_sheet), Prices).model_dump()
        self._parser = config.invariant.parser
        self._check_places()
        self._check_models(known=known)
        self._check_runs()
        self._limits = [limit.model_dump() for limit in config.limits]
        self._check_limits(models=models, datasets=known)
        self._starts_languagetool = config.grammar.enabled and config.grammar.server is None
        check_attributes(config.attributes)
        check_sample(config.sample.orders, listed=config.orders)
        check_orders(config.orders + config.sample.orders, attributes=config.attributes)
        for name, folder in (config.compared or {}).items():
            check_compared(name, folder, files=self._files_of(folder), config=config)

    def runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs of the study, for models of these kinds or all."""
        return [
            (model, dataset)
            for model, sheet in self.models.items()
            for dataset in self.datasets
            if (not kinds or sheet.kind in kinds)
            and (sheet.datasets is None or dataset in sheet.datasets)
        ]

    def probe_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, probe) pairs, for models of these kinds or all, that fit the probe."""
        return [
            (model, probe)
            for model, sheet in self.models.items()
            for probe, asking in self.probes.items()
            if (not kinds or sheet.kind in kinds)
            and (sheet.datasets is None or probe in sheet.datasets)
            and (asking.answers == "any" or _answers_in_words(sheet))
        ]

    def relation_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, "relations") pairs, for models of these kinds or all.

        These are the models that answer in words; there are none where nothing rates the answers.
        """
        return [
            (model, RELATIONS)
            for model, sheet in self.models.items()
            if self.metrics
            and (not kinds or sheet.kind in kinds)
            and (sheet.datasets is None or RELATIONS in sheet.datasets)
            and _answers_in_words(sheet)
        ]

    def rated_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return these models with each metric by which their answers are rated."""
        return [(model, name) for model, _ in self.relation_runs(*kinds) for name in self.metrics]

    def all_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return all that models are asked: datasets, probes and what relations make of prompts."""
        return [*self.runs(*kinds), *self.probe_runs(*kinds), *self.relation_runs(*kinds)]

    def corpora(self) -> list[str]:
        """Return the names of all that has a corpus, datasets of raters too."""
        return list(self._asked)

    def judged(self) -> list[str]:
        """Return the names of all that models are judged by: datasets, probes and metrics."""
        return [*self.datasets, *self.probes, *self.metrics]

    def probe_module(self, probe: str) -> str:
        """Return the path of a probe's module in workflow/scripts."""
        return f"hinter/probes/{probe}.py"

    def meets(self, conditions: Iterable[str]) -> bool:
        """Tell whether the study meets the conditions that a table names (`only_if`)."""
        top_order = max(self.config.orders + self.config.sample.orders)
        met = {
            "answers of people": bool(self.config.assessment.answers),
            "cases": self.config.case_answers > 0,
            "compared studies": bool(self.config.compared),
            "controls": self.config.controls,
            "discarded": self.config.suite.discarded,
            "fine-tuning": bool(self.trained_runs()),
            "fine-tuned raters": bool(self.trained_raters()),
            "grammar": self.config.grammar.enabled,
            "order 2": top_order >= 2,
            "order 3": top_order >= 3,
            "rated answers": bool(self.metrics),
            "repeats": self.config.repeats > 1 and bool(self.runs("endpoint")),
            "repeats of all prompts": self.config.repeats > 1 or not self.relation_runs("endpoint"),
            "rules of occurrences": self._mutates_selectively,
            "several models": len(self.models) > 1,
        }
        return all(met[name] for name in conditions)

    def compared_files(self) -> list[str]:
        """Return the files of other studies that the table `methods` reads."""
        folders = (self.config.compared or {}).values()
        return [file for folder in folders for file in self._files_of(folder)]

    def trained_runs(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs for which the study fine-tunes an encoder."""
        return [(model, dataset) for model, dataset in self.runs() if self._is_trained(model)]

    def trained_raters(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs of the raters that the study fine-tunes."""
        return [run for run in self._rater_runs() if self._is_trained(run[0])]

    def ladder_runs(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs that are run on every rung of the ladder."""
        chosen = self.config.ladder.models
        named = self.runs("encoder") if chosen is None else self.runs("encoder", "causal")
        return [run for run in named if chosen is None or run[0] in chosen]

    def needed_resources(self) -> list[str]:
        """Return the names of all resources that the configuration uses, sorted."""
        named = {_resource_of(sheet) for sheet in self._from_files().values()}
        named |= {_resource_of(sheet) for sheet in (self._parser, *self.all_models.values())}
        named |= {LANGUAGETOOL} if self._starts_languagetool else set()
        named.add(self.config.sbic)
        return sorted(name for name in self.registry if name in named)

    def checker_inputs(self) -> dict[str, str]:
        """Return the input of scoring grammar: LanguageTool, where jobs start it themselves."""
        return {"languagetool": self._resource(LANGUAGETOOL)} if self._starts_languagetool else {}

    def mutation(self) -> dict[str, Any]:
        """Return how terms are substituted, with the word lists of its rules, if any."""
        settings = self.config.mutation.model_dump()
        if not self._mutates_selectively:
            return {**settings, "lists": None}
        sheet = read_sheet(found(self.config.occurrences_sheet), OccurrencesSheet)
        return {**settings, "lists": sheet.model_dump()}

    @property
    def _mutates_selectively(self) -> bool:
        settings = self.config.mutation
        return bool(settings.occurrences) or settings.substitution == "coherent"

    def parser_source(self) -> str:
        """Return the folder of the parser's pipeline."""
        return self._folder_of(self._parser)

    def parser_state(self) -> str | None:
        """Return a digest of the files of the user's own parser, None for a resource."""
        folder = self._parser.folder
        return folder_digest(folder) if folder else None

    def dataset_source(self, dataset: str) -> str:
        """Return the resource folder, or the file, that holds the dataset or a probe's rows."""
        sheet = self._from_files()[dataset]
        return self._resource(sheet.resource) if sheet.resource else found(sheet.file)

    def model_source(self, model: str) -> str:
        """Return the folder of the downloaded model or, of an endpoint, of its tokenizer."""
        sheet = self.all_models[model]
        if isinstance(sheet, Endpoint):
            known = sheet.tokenizer in self.registry
            return self._resource(sheet.tokenizer) if known else sheet.tokenizer
        return self._folder_of(sheet)

    def model_state(self, model: str) -> str | None:
        """Return a digest of the files of the user's own model, None for a resource."""
        source = self.model_source(model)
        return folder_digest(source) if self.resource_in(source) is None else None

    def model_folder(self, model: str, dataset: str) -> str:
        """Return the folder of the model as it is run on the dataset."""
        sheet = self.all_models[model]
        if self._is_trained(model):
            return f"{self.results}/models/{model}/{dataset}"
        if isinstance(sheet, Causal) and sheet.gguf:
            return f"{self.results}/models/{model}/gguf.converted"
        return self.model_source(model)

    def made_models(self) -> dict[str, int]:
        """Return the folders of models that the study makes, with the megabytes each may take."""
        made = {}
        for model, dataset in (*self.all_runs(), *self._rater_runs()):
            folder = self.model_folder(model, dataset)
            if folder != self.model_source(model):
                trained = isinstance(self.all_models[model], Encoder)
                times = SPACE_TRAINED if trained else SPACE_CONVERTED
                made[folder] = times * self._megabytes(model)
        return made

    def prediction_inputs(self, model: str, dataset: str) -> dict[str, str]:
        """Return what a run of the model on the dataset reads, beside corpus, suite and pairs."""
        sheet = self.models[model]
        inputs = {"model": self.model_folder(model, dataset)}
        if not isinstance(sheet, Encoder):
            inputs["prompt"] = self.prompt(dataset)
        if isinstance(sheet, Causal) and sheet.answers == "scored":
            inputs["offsets"] = f"{self.results}/models/{model}/{dataset}.offsets.json"
        return inputs

    def rater_inputs(self, metric: str) -> dict[str, str]:
        """Return what rating answers by a metric reads, beside the answers."""
        rater = self.metrics[metric]
        return {"rater": self.model_folder(rater.model, rater.dataset)}

    def rating(self, metric: str) -> dict[str, Any]:
        """Return how answers are rated by a metric, and where the ratings are kept."""
        rater = self.metrics[metric]
        return {
            "sheet": self.running(rater.model),
            **self.task(rater.dataset),
            "seed": self.config.seed,
            "store": self.response_store,
        }

    def suite(self, model: str, dataset: str) -> str:
        """Return the path of the suite that the model is run on: the dataset's, or its part.

        Metrics have that of the prompts whose answers they rate.
        """
        if dataset in self.metrics:
            return self.suite(model, RELATIONS)
        part = self.part(model, dataset)
        return f"{self.results}/suites/{f'{model}/' if part else ''}{dataset}.parquet"

    def part(self, model: str, dataset: str) -> dict[str, int | None] | None:
        """Return the limits of the part of the suite that the model is run on, None for all.

        Probes and relations are asked whole.
        """
        if dataset not in self.datasets:
            return None
        return find_part(self._limits, model=model, dataset=dataset)

    def held_out(self, model: str, dataset: str) -> dict[str, int | None]:
        """Return how many held-out texts the model is run on, and the seed that draws them."""
        seed = self.config.seed
        return find_held_out(self._limits, model=model, dataset=dataset, seed=seed)._asdict()

    def threads(self, model: str) -> int:
        """Return how many threads a job of the model takes."""
        sheet = self.all_models[model]
        return sheet.threads if isinstance(sheet, LocalModel) else 1

    def gpus(self, model: str) -> int:
        """Return how many GPUs a job of the model asks for."""
        return _gpus_of(self.all_models[model])

    def parser_gpus(self) -> int:
        """Return how many GPUs a job that parses asks for."""
        return _gpus_of(self._parser)

    def running(self, model: str) -> dict[str, Any]:
        """Return the keys of the model's entry that decide how it is run."""
        apart = {"about", "datasets", "shards", "fine_tuning", "resource", "folder", "gguf"}
        return self.all_models[model].model_dump(exclude=apart)

    def training(self, model: str) -> dict[str, Any]:
        """Return the keys of the model's entry that decide how it is fine-tuned."""
        return self.all_models[model].model_dump(
            include={"fine_tuning", "max_tokens", "threads", "device"}
        )

    def asking(self, model: str, dataset: str) -> dict[str, Any]:
        """Return how the model is asked about a dataset's texts, and where responses are kept."""
        return {
            "sheet": self.running(model),
            "task": self.task(dataset),
            "seed": self.config.seed,
            "store": self.response_store,
        }

    def scored_labels(self, model: str, dataset: str) -> int:
        """Return for how many labels scores are kept of each text, which endpoints seldom give."""
        sheet = self.models[model]
        if isinstance(sheet, Endpoint) or not sheet.scores:
            return 0
        return 0 if _answers_in_words(sheet) else len(self._asked[dataset].names())

    def examples(self, dataset: str) -> dict[str, list[str]]:
        """Return the few-shot examples of the dataset's prompt with their labels, if it has one."""
        has_prompt = self.all_datasets[dataset].prompt is not None
        return read_sheet(self.prompt(dataset), PromptSheet).examples if has_prompt else {}

    def prompt(self, dataset: str) -> str:
        """Return the path of the dataset's prompt."""
        return found(str(self._asked[dataset].prompt))

    def curations(self) -> list[str]:
        """Return the paths of the curation files, one per attribute whose pairs they make."""
        return [found(f"config/dictionary/{name}.yaml") for name in self._curated]

    @property
    def _curated(self) -> list[str]:
        sensitive = [] if self.config.pairs else self.config.attributes
        return [*sensitive, *([CONTROL] if self.config.controls else [])]

    def group_posts(self) -> str:
        """Return the path of the counts of SBIC's posts, which are made again if SBIC is here."""
        made = f"{self.results}/dictionary/group_posts.csv"
        return made if self.config.sbic else found("data/sbic/group_posts.csv")

    def sbic_sources(self) -> list[str]:
        """Return the files of SBIC that are counted, or the folder of the resource that it is.

        Raises `InputError` for a folder without such files, and where SBIC is not given.
        """
        source = self.config.sbic
        if source is None:
            raise InputError(
                where="configuration, key 'sbic'",
                found="nothing to count",
                expected="a folder with SBIC's aggregated CSV files, or sbic_v2",
                fix="Give it: --config sbic=sbic_v2.",
            )
        if source in self.registry:
            return [self._resource(source)]
        return [str(file) for file in split_files(Path(source))]

    def curation_state(self) -> str:
        """Return a digest of the content of these files, without comments and layout."""
        return digest_of(sheets=[read_yaml(path) for path in self.curations()])

    def resource_in(self, path: str) -> str | None:
        """Return the name of the resource whose folder is at `path`, if it is one."""
        folder, name = Path(path).parent, Path(path).name
        return name if folder == Path(self.config.resources) and name in self.registry else None

    def task(self, dataset: str) -> dict[str, Any]:
        """Return the task that models have on the dataset, without the prompt itself."""
        return {
            "labels": self._asked[dataset].names(),
            "multi_label": self._asked[dataset].multi_label,
        }

    def _read_raters(
        self, *, models: Mapping[str, AnyModel], datasets: Mapping[str, Dataset]
    ) -> None:
        """Read what rates answers: the raters by the name of their metric, and their sheets."""
        self.metrics = {
            f"{RELATIONS}_{metric}": rater for metric, rater in self.config.relations.raters.items()
        }
        encoders = {name: sheet for name, sheet in models.items() if isinstance(sheet, Encoder)}
        self.all_models: dict[str, AnyModel] = {**self.models}
        self.all_datasets = {**self.datasets}
        for metric, rater in self.config.relations.raters.items():
            where = f"configuration, key 'relations.raters.{metric}"
            sheet = f"{self.config.models_sheet} as an encoder"
            check_known(rater.model, among=encoders, where=f"{where}.model'", sheet=sheet)
            sheet = self.config.datasets_sheet
            check_known(rater.dataset, among=datasets, where=f"{where}.dataset'", sheet=sheet)
            self.all_models[rater.model] = encoders[rater.model]
            self.all_datasets[rater.dataset] = datasets[rater.dataset]

    def _rater_runs(self) -> list[tuple[str, str]]:
        return list({(rater.model, rater.dataset): None for rater in self.metrics.values()})

    def _is_trained(self, model: str) -> bool:
        sheet = self.all_models[model]
        return isinstance(sheet, Encoder) and sheet.fine_tuning is not None

    def _from_files(self) -> dict[str, Dataset | ProbeSheet]:
        return {**self.all_datasets, **self.probes}

    def _resource(self, name: str) -> str:
        return str(Path(self.config.resources, name))

    def _folder_of(self, sheet: LocalModel | Parser) -> str:
        return self._resource(sheet.resource) if sheet.resource else str(sheet.folder)

    def _where(self, name: str) -> str:
        """Return where the dataset or probe is described, for messages."""
        return (
            _probe_sheet(name) if name in self.probes else f"{self.config.datasets_sheet}, '{name}'"
        )

    def _files_of(self, folder: str) -> list[str]:
        """Return the files that are read of a study in `folder` like this one."""
        files = compared_files(folder, datasets=self.datasets, runs=self.runs()).values()
        return list(chain.from_iterable(files))

    def _megabytes(self, model: str) -> int:
        """Return the megabytes of the downloaded model."""
        resource = _resource_of(self.all_models[model])
        if resource:
            return self.registry[resource].megabytes
        files = Path(self.model_source(model)).rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file()) // 1_000_000

    def _check_places(self) -> None:
        where = "configuration, key 'invariant.parser'"
        check_place(self._parser, where=where, registry=self.registry)
        asked = [RELATIONS, *self.metrics] if self.metrics else []
        check_asked([*self.datasets, *self.probes, *asked])
        for key, path in (
            ("prompts", self.config.relations.prompts),
            ("prompt", self.config.relations.prompt),
        ):
            check_path(Path(found(path)), where=f"configuration, key 'relations.{key}'")
        for name, sheet in self._from_files().items():
            where = self._where(name)
            if sheet.resource:
                check_resource(sheet.resource, where=where, registry=self.registry)
            else:
                check_path(Path(found(sheet.file)), where=f"{where}, key 'file'")
            if sheet.prompt:
                check_path(Path(found(sheet.prompt)), where=f"{where}, key 'prompt'")
        for name in self.probes:
            check_path(SCRIPTS / self.probe_module(name), where=f"{_probe_sheet(name)}, its module")
        for attribute, path in zip(self._curated, self.curations(), strict=True):
            check_path(
                Path(path),
                where=f"configuration, key 'attributes', '{attribute}'",
            )
        own = {"pairs": self.config.pairs, "ladder.pairs": self.config.ladder.pairs}
        for key, listed in own.items():
            if listed:
                check_path(Path(listed), where=f"configuration, key '{key}'")
        for path in self.config.assessment.answers:
            check_path(Path(path), where="configuration, key 'assessment.answers'")

    def _check_models(self, *, known: Mapping[str, Any]) -> None:
        for name, sheet in self.all_models.items():
            where = f"{self.config.models_sheet}, '{name}'"
            for dataset in sheet.datasets or ():
                check_known(
                    dataset,
                    among=[*known, *_probes_with_sheets(), RELATIONS],
                    where=f"{where}, key 'datasets'",
                    sheet=self.config.datasets_sheet,
                )
            if isinstance(sheet, LocalModel):
                check_place(sheet, where=where, registry=self.registry)
            elif sheet.tokenizer not in self.registry:
                check_path(Path(sheet.tokenizer), where=f"{where}, key 'tokenizer'")
            check_runs(name, runs=[*self.all_runs(), *self._rater_runs()], where=where)
        here = [name for name, sheet in self.models.items() if isinstance(sheet, LocalModel)]
        for name in self.config.ladder.models or ():
            check_known(
                name,
                among=here,
                where="configuration, key 'ladder.models'",
                sheet="`models`, as one that runs here",
            )
        if self.config.budget_usd is not None:
            check_prices(self.models, prices=self.prices, sheet=self.config.prices_sheet)

    def _check_limits(self, *, models: Mapping[str, Any], datasets: Mapping[str, Any]) -> None:
        # Models of the sheet that the study leaves out may be named, so that they can come back.
        for number, limit in enumerate(self.config.limits, start=1):
            where = f"configuration, key 'limits', number {number}"
            for name in limit.models:
                check_known(name, among=models, where=where, sheet=self.config.models_sheet)
            for name in limit.datasets or ():
                check_known(name, among=datasets, where=where, sheet=self.config.datasets_sheet)
        check_limits(self._limits, runs=self.runs())

    def _check_runs(self) -> None:
        for name, dataset in self.runs():
            where = f"{self.config.datasets_sheet}, '{dataset}'"
            check_needs(self.models[name], self.datasets[dataset], name=name, where=where)
        for name, dataset in self._rater_runs():
            where = f"{self.config.datasets_sheet}, '{dataset}'"
            check_needs(self.all_models[name], self.all_datasets[dataset], name=name, where=where)
        check_probes(self.probes, runs=self.probe_runs())
        if self.metrics:
            check_relations(runs=self.relation_runs())
        for name, dataset in (*self.all_runs(), *self._rater_runs()):
            sheet = self.all_models[name]
            if isinstance(sheet, Encoder) and sheet.folder and not sheet.fine_tuning:
                check_encoder_labels(
                    Path(sheet.folder),
                    labels=self._asked[dataset].names(),
                    dataset=dataset,
                    where=f"{self.config.models_sheet}, '{name}'",
                )


def _probe_sheet(probe: str) -> str:
    return f"config/probes/{probe}.yaml"


def _probes_with_sheets() -> list[str]:
    return sorted(path.stem for path in Path(found("config/probes")).glob("*.yaml"))


def _answers_in_words(sheet: AnyModel) -> bool:
    return isinstance(sheet, Endpoint) or (
        isinstance(sheet, Causal) and sheet.answers == "generated"
    )


def _gpus_of(sheet: AnyModel | Parser) -> int:
    device = None if isinstance(sheet, Endpoint) else sheet.device
    return int(device == "cuda" or (device == "auto" and bool(visible_gpus())))


def _resource_of(sheet: AnyModel | Dataset | Parser | ProbeSheet) -> str | None:
    return sheet.tokenizer if isinstance(sheet, Endpoint) else sheet.resource


def _chosen(names: list[str], *, among: Mapping[str, T], key: str, sheet: str) -> dict[str, T]:
    for name in names:
        check_known(name, among=among, where=f"configuration, key '{key}'", sheet=sheet)
    return {name: among[name] for name in names}
