"""A study: a configuration and its sheets, checked against each other."""

from itertools import chain
from typing import Any

from ..config import Config, DescriptorSheet, OccurrencesSheet, PersonsSheet, read_sheet
from ..dictionary import add_descriptors
from ..errors import InputError
from ..gpus import visible_gpus
from ..limits import find_held_out
from ..locations import locate
from ..operators import DESCRIPTORS, OPERATORS
from ..provenance import digest_of, folder_state
from ..yaml_files import read_yaml
from .agreement import check_agreement
from .files import Files

APART = {"about", "datasets", "shards", "fine_tuning", "resource", "folder", "gguf", "prompts"}
"""The keys of a model's entry that do not decide how it is run."""


class Study(Files):
    """The checked configuration, with the parameters of the study's rules.

    Raises `InputError` for a name that is not in its sheet, for a missing file or folder of the
    user, and for parts that do not fit together. If it is `lenient`, the `faults` of models are
    collected instead.
    """

    def __init__(self, config: Config, *, lenient: bool = False) -> None:
        super().__init__(config)
        self.lenient = lenient
        check_agreement(self)

    def parser_state(self) -> str | None:
        """Return a digest of the files of the user's own parser, or None for a resource."""
        folder = self.parser.folder
        return folder_state(folder) if folder else None

    def model_state(self, model: str) -> str | None:
        """Return a digest of the files of the user's own model, or None for a resource."""
        return None if self.resource_of(model) else folder_state(self.model_source(model))

    def curation_state(self) -> str:
        """Return a digest of the content of the curation sheets, without comments and layout."""
        paths = [*chain(*self.curations().values()), *filter(None, [self.persons()])]
        own = [sheet.model_dump() for sheet in self.own_groups.values()]
        return digest_of(sheets=[*map(read_yaml, paths), *own])

    def operator_modules(self) -> list[str]:
        """Return the paths of the modules of operators in workflow/scripts."""
        modules = (OPERATORS[name].module for name in self.config.mutation.operators)
        return [f"hinter/mutation/{module.replace('.', '/')}.py" for module in modules]

    def model_modules(self) -> list[str]:
        """Return the paths of the modules that open models in workflow/scripts."""
        openers = {str(sheet.opened_by) for sheet in self.all_models.values() if sheet.opened_by}
        modules = {opener.partition(":")[0].replace(".", "/") for opener in openers}
        return [f"hinter/{module}.py" for module in sorted(modules)]

    def mutation(self) -> list[dict[str, Any]]:
        """Return how each operator makes mutants, with the word lists of its rules, if any.

        Without rules, the `words` distinguish persons if mutants have several attributes.
        """
        return [self._operating(name) for name in self.config.mutation.operators]

    def _operating(self, operator: str) -> dict[str, Any]:
        mutation = self.config.mutation.model_dump(exclude={"operators"})
        settings = {"operator": operator, **mutation}
        orders = self.config.orders + self.config.sample.orders
        selective = self.mutates_selectively(operator)
        if not selective and max(orders) == 1:
            return {**settings, "lists": None, "words": None}
        words = read_sheet(locate(self.config.occurrences_sheet), OccurrencesSheet).model_dump()
        if not selective:
            return {**settings, "lists": None, "words": words}
        if OPERATORS[operator].sheets != DESCRIPTORS:
            return {**settings, "lists": words}
        paths = self.curations()[DESCRIPTORS]
        own = {path: sheet.model_dump() for path, sheet in self.own_groups.items()}
        read = {path: read_sheet(path, DescriptorSheet).model_dump() for path in paths}
        sheets = [*add_descriptors(read, own).values()]
        persons = read_sheet(str(self.persons()), PersonsSheet).model_dump()
        described = {"persons": {**persons, "descriptors": sheets}, "seed": self.config.seed}
        return {**settings, "lists": words, **described}

    def task(self, dataset: str, model: str | None = None) -> dict[str, Any]:
        """Return the task of models, or of this one, on the dataset, without the prompt itself."""
        asked = self.asked[dataset]
        task = {"labels": asked.names(), "multi_label": asked.multi_label}
        number = self.copy_number(model) if model and not self.is_trained(model) else 0
        rotation = number // len(self.prompts(dataset)) if number else 0
        return {**task, "rotation": rotation} if rotation else task

    def asking(self, model: str, dataset: str) -> dict[str, Any]:
        """Return how the model is asked about a dataset's texts, and where responses are kept."""
        return {**self._asked(model), "task": self.task(dataset, model)}

    def _asked(self, model: str) -> dict[str, Any]:
        """Return how the model is asked about any dataset."""
        store = {"seed": self.config.seed, "store": self.response_store}
        return {"sheet": self.running(model), **store}

    def tried(self) -> tuple[str, str]:
        """Return the model on which texts are tried, and the dataset they are treated as part of.

        Raises `InputError` if the study has no such model, or the model is asked elsewhere.
        """
        runs = self.asked_runs()
        chosen = [run for run in runs if self.config.model in (None, run[0])]
        if not chosen:
            raise InputError(
                where="configuration, key 'model'",
                found=f"'{self.config.model}'" if self.config.model else "no model",
                expected=f"one of {', '.join(dict(runs)) or 'those that run here, on a dataset'}",
                fix="Correct the name, or add the model to `models`.",
            )
        return chosen[0]

    def checked_models(self) -> list[str]:
        """Return the models that the target `check` checks."""
        return [self.config.model] if self.config.model else list(self.all_models)

    def checked(self) -> list[dict[str, Any]]:
        """Return what the target `check` needs to know about each model."""
        runs = (*self.all_runs(), *self.rater_runs(), *self.judge_runs())
        first = {model: dataset for model, dataset in reversed(runs)}
        return [
            self._checked(name, first.get(name), fault=self.faults.get(name))
            for name in self.checked_models()
        ]

    def _checked(
        self, model: str, dataset: str | None, *, fault: InputError | None
    ) -> dict[str, Any]:
        sheet = self.all_models[model]
        entry = {"name": model, "kind": sheet.kind, "fault": str(fault) if fault else None}
        if fault or dataset is None:
            return entry
        return {
            **entry,
            "files": list(sheet.get("files", {}).values()),
            "source": self.model_source(model),
            "folder": self.model_folder(model, dataset),
            "megabytes": self.megabytes(model),
            "inputs": self.prediction_inputs(model, dataset),
            "asking": self.asking(model, dataset),
            "corpus": f"{self.results}/corpora/{dataset}.parquet",
        }

    def running(self, model: str) -> dict[str, Any]:
        """Return the keys of the model's entry that decide how it is run."""
        return self.all_models[model].model_dump(exclude=APART)

    def training(self, model: str) -> dict[str, Any]:
        """Return the keys of the model's entry that decide how it is fine-tuned."""
        return self.all_models[model].model_dump(
            include={"fine_tuning", "max_tokens", "threads", "device"},
            # The added texts are an input file of the job, not a setting.
            exclude={"fine_tuning": {"augment", "seeds"}},
        )

    def augmenting(self, model: str) -> dict[str, Any]:
        """Return how texts are selected that are added to the training texts of a model."""
        augment = self.augmentation(model)
        assert augment is not None
        settings = augment.model_dump()
        return {**settings, "attributes": settings["attributes"] or self.config.attributes}

    def rating(self, metric: str) -> dict[str, Any]:
        """Return how answers are rated by a metric, and where the ratings are kept."""
        rater = self.metrics[metric]
        return {**self._asked(rater.model), **self.task(rater.dataset)}

    def favourable(self, name: str) -> list[str]:
        """Return the favourable labels of a dataset; probes and metrics have none."""
        return self.datasets[name].favourable if name in self.datasets else []

    def judging(self, probe: str) -> dict[str, Any]:
        """Return how the judge is asked about answers to a probe, and where judgements are kept.

        Raises `InputError` if the study has no judge.
        """
        return {**self._asked(self.judge.model), "labels": self.asked[probe].names()}

    def study_settings(self) -> dict[str, str]:
        """Return the settings that the records of its evaluations contain, as text."""
        config = self.config
        return {
            "attributes": ", ".join(config.attributes),
            "comparator": str(config.invariant.comparator),
            "orders": ", ".join(map(str, [*config.orders, *config.sample.orders])),
            "operators": ", ".join(config.mutation.operators),
            "seed": str(config.seed),
        }

    def gating(self) -> dict[str, Any]:
        """Return how the gate decides; raises `InputError` if the study has none."""
        gate, datasets = self.gate, self.gated_datasets()
        folder = f" of {gate.baseline_folder}" if gate.baseline_folder else ""
        return {
            "names": [gate.candidate, f"{gate.baseline}{folder}"],
            "datasets": datasets,
            "limited": [
                dataset
                for dataset in datasets
                if self.suite_limits(gate.candidate, dataset)
                != self.suite_limits(gate.baseline, dataset)
            ],
            "measures": ["bias", "hidden bias"] if max(self.config.orders) > 1 else ["bias"],
            "threshold": gate.threshold,
            "confidence": gate.confidence,
            "seed": self.config.seed,
        }

    def scored_labels(self, model: str, dataset: str) -> int:
        """Return for how many labels of each text scores are kept, which endpoints seldom have."""
        sheet = self.models[model]
        kept = sheet.get("scores", True) and not sheet.in_words
        return len(self.asked[dataset].names()) if kept else 0

    def held_out(self, model: str, dataset: str) -> dict[str, int | None]:
        """Return how many held-out texts the model is run on, and the seed that samples them."""
        seed = self.config.seed
        return find_held_out(self.limits, model=model, dataset=dataset, seed=seed)._asdict()

    def threads(self, model: str) -> int:
        """Return how many threads a job of the model uses."""
        return int(self.all_models[model].get("threads", 1))

    def gpus(self, model: str) -> int:
        """Return how many GPUs a job of the model requests."""
        return _gpus_of(self.all_models[model].get("device"))

    def parser_gpus(self) -> int:
        """Return how many GPUs a job that parses requests."""
        return _gpus_of(self.parser.device)


def _gpus_of(device: str | None) -> int:
    return int(device == "cuda" or (device == "auto" and bool(visible_gpus())))
