"""The paths of all files that a study reads and makes."""

from itertools import chain
from pathlib import Path

from ..compared import compared_files
from ..config import Config, Dataset, PromptSheet, read_sheet
from ..dictionary import CONTROL, split_files
from ..errors import InputError
from ..limits import find_part
from ..locations import files_at, locate
from ..operators import DESCRIPTORS, TERMS
from .runs import Runs
from .sheets import RELATIONS, required

LANGUAGETOOL = "languagetool"
# Disk space as a multiple of the downloaded model: after fine-tuning, with two checkpoints that
# store two moments of each weight, and after conversion from a few bits per weight to 32.
SPACE_TRAINED, SPACE_CONVERTED = 7, 6


class Files(Runs):
    """The runs of a study, with the files that they read and write."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.results = str(Path(config.folder, "results"))
        self.response_store = str(Path(config.store, "responses"))

    def needed_resources(self) -> list[str]:
        """Return the names of all resources that the configuration uses, sorted."""
        named = {sheet.resource for sheet in (self.parser, *self.from_files().values())}
        named |= {self.resource_of(model) for model in self.all_models}
        named |= {LANGUAGETOOL} if self.starts_languagetool else set()
        named.add(self.config.sbic)
        return sorted(name for name in self.registry if name in named)

    def parser_source(self) -> str:
        """Return the folder of the parser's pipeline."""
        resource = self.parser.resource
        return self._resource(resource) if resource else str(self.parser.folder)

    def dataset_source(self, dataset: str) -> str:
        """Return the folder of the resource, or the file, with the dataset or a probe's rows."""
        sheet = self.from_files()[dataset]
        return self._resource(sheet.resource) if sheet.resource else locate(sheet.file)

    def dataset_files(self, dataset: str) -> list[str]:
        """Return the files of the dataset, or the folder of its resource, fetched or not."""
        source = self.dataset_source(dataset)
        return files_at(source) or [source]

    def dataset_path(self, dataset: str) -> str:
        """Return the path of the dataset's file, or the pattern of its files."""
        sheet, source = self.from_files()[dataset], self.dataset_source(dataset)
        return str(Path(source, sheet.file)) if sheet.resource else source

    def model_source(self, model: str) -> str:
        """Return the folder of the downloaded model, or what stands for it.

        That is the tokenizer of an endpoint, the module of a function, and for a model that is
        asked outside the workflow the folder of its exported inputs.
        """
        _, resource, path = self.all_models[model].source(self.registry)
        return self._resource(resource) if resource else path or f"{self.results}/exported/{model}"

    def model_folder(self, model: str, dataset: str) -> str:
        """Return the folder of the model that is run on the dataset."""
        if self.is_trained(model):
            return f"{self.results}/models/{model}/{dataset}"
        if self.all_models[model].get("gguf"):
            return f"{self.results}/models/{self._first_with_weights_of(model)}/gguf.converted"
        return self.model_source(model)

    def made_models(self) -> dict[str, int]:
        """Return the folders of models that the study makes, with the megabytes each may need."""
        made = {}
        for model, dataset in (*self.all_runs(), *self.rater_runs(), *self.judge_runs()):
            folder = self.model_folder(model, dataset)
            if folder != self.model_source(model):
                times = SPACE_TRAINED if self.is_trained(model) else SPACE_CONVERTED
                made[folder] = times * self.megabytes(model)
        return made

    def suite(self, model: str, dataset: str) -> str:
        """Return the path of the suite that the model is run on: the dataset's, or a part of it.

        For a metric, it is that of the prompts whose answers are rated.
        """
        if dataset in self.metrics:
            return self.suite(model, RELATIONS)
        limited = self.suite_limits(model, dataset)
        return f"{self.results}/suites/{f'{model}/' if limited else ''}{dataset}.parquet"

    def suite_limits(self, model: str, dataset: str) -> dict[str, int | None] | None:
        """Return the limits of the part of the suite that the model is run on, or None for all.

        Probes and relations are never limited.
        """
        if dataset not in self.datasets:
            return None
        return find_part(self.limits, model=model, dataset=dataset)

    def prediction_inputs(self, model: str, dataset: str) -> dict[str, str]:
        """Return the inputs of a run of the model on the dataset, other than corpus and suite."""
        needs = self.all_models[model].needs()
        inputs = {"model": self.model_folder(model, dataset)}
        if "prompt" in needs:
            inputs["prompt"] = self.prompt(dataset, model)
        if "calibration" in needs:
            inputs["offsets"] = f"{self.results}/models/{model}/{dataset}.offsets.json"
        return inputs

    def export_inputs(self, dataset: str) -> dict[str, str]:
        """Return the inputs of an export other than corpus and suite: the prompt, if any."""
        return {"prompt": self.prompt(dataset)} if self.asked[dataset].prompt else {}

    def answers(self, model: str, dataset: str) -> str:
        """Return the path of the answers for verdicts: predictions, or judged answers."""
        folder = "judged" if (model, dataset) in self.judged_runs() else "predictions"
        return f"{self.results}/{folder}/{model}/{dataset}.parquet"

    def prompt(self, dataset: str, model: str | None = None) -> str:
        """Return the path of the dataset's prompt, or of that with which the model is asked."""
        prompts = self.prompts(dataset)
        return prompts[self.copy_number(model) % len(prompts) if model else 0]

    def prompts(self, dataset: str) -> list[str]:
        """Return the paths of the dataset's prompts; the first one may be missing."""
        asked = self.asked[dataset]
        more = asked.more_prompts if isinstance(asked, Dataset) else ()
        return [locate(str(asked.prompt)), *map(locate, more)]

    def examples(self, dataset: str) -> dict[str, list[str]]:
        """Return the labels of the prompts' examples; raise `InputError` if prompts disagree."""
        if self.all_datasets[dataset].prompt is None:
            return {}
        known: dict[str, list[str]] = {}
        for path in self.prompts(dataset):
            for name, labels in read_sheet(path, PromptSheet).examples.items():
                before = known.setdefault(name, labels)
                if sorted(before) != sorted(labels):
                    raise InputError(
                        where=f"{path}, key 'examples.{name}'",
                        found=f"the labels {labels}",
                        expected=f"{before}, as in another prompt of '{dataset}'",
                        fix="Correct one of the two.",
                    )
        return known

    def curations(self) -> dict[str, list[str]]:
        """Return the paths of the sheets of word pairs, one per attribute, by folder.

        A folder that no operator uses has none.
        """
        return {
            folder: [locate(f"config/{folder}/{name}.yaml") for name in self.curated(folder)]
            if self.pairs_are_of(folder)
            else []
            for folder in (TERMS, DESCRIPTORS)
        }

    def persons(self) -> str | None:
        """Return the path of the sheet of nouns for persons, if the study describes any."""
        return locate("config/persons.yaml") if self.pairs_are_of(DESCRIPTORS) else None

    def curated(self, folder: str) -> list[str]:
        """Return the attributes whose pairs are made from the sheets in a folder of config/."""
        config = self.config
        merged = config.merged if folder == TERMS else []
        sensitive = [] if config.pairs else [*config.attributes, *merged]
        # The user's own groups may be of an attribute that has no sheet.
        own = {sheet.attribute for sheet in self.own_groups.values()}
        sensitive = [
            name
            for name in sensitive
            if name not in own or Path(locate(f"config/{folder}/{name}.yaml")).exists()
        ]
        return [*sensitive, *([CONTROL] if config.controls else [])]

    def group_posts(self) -> str:
        """Return the path of the counts of SBIC's posts, made by the study if SBIC is present."""
        made = f"{self.results}/dictionary/group_posts.csv"
        return made if self.config.sbic else locate("data/sbic/group_posts.csv")

    def sbic_sources(self) -> list[str]:
        """Return the files of SBIC that are counted, or the folder of its resource.

        Raises `InputError` for a folder without such files, and if SBIC is not given.
        """
        expected = "a folder with SBIC's aggregated CSV files, or sbic_v2"
        source = required(self.config.sbic, "sbic=sbic_v2", no="files to count", expected=expected)
        if source in self.registry:
            return [self._resource(source)]
        return [str(file) for file in split_files(Path(source))]

    def compared_files(self) -> list[str]:
        """Return the files of other studies for the table `methods`."""
        folders = (self.config.compared or {}).values()
        return [file for folder in folders for file in self.files_of(folder)]

    def gate_inputs(self) -> dict[str, list[str]]:
        """Return the inputs of the gate: verdicts of candidate and baseline, and controls.

        Raises `InputError` if the study has no gate.
        """
        gate, datasets = self.gate, self.gated_datasets()
        results = str(Path(gate.baseline_folder or self.config.folder, "results"))
        places = {
            "candidate": f"{self.results}/verdicts/{gate.candidate}",
            "baseline": f"{results}/verdicts/{gate.baseline}",
            **({"controls": f"{self.results}/controls"} if self.config.controls else {}),
        }
        return {
            name: [f"{folder}/{dataset}.parquet" for dataset in datasets]
            for name, folder in places.items()
        }

    def probe_module(self, probe: str) -> str:
        """Return the path of a probe's module in workflow/scripts."""
        return f"hinter/probes/{probe}.py"

    def files_of(self, folder: str) -> list[str]:
        """Return the files to read from a study in `folder` like this one."""
        files = compared_files(folder, datasets=self.datasets, runs=self.runs()).values()
        return list(chain.from_iterable(files))

    def megabytes(self, model: str) -> int:
        """Return the megabytes of the downloaded model."""
        resource = self.resource_of(model)
        if resource:
            return self.registry[resource].megabytes
        files = Path(self.model_source(model)).rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file()) // 1_000_000

    def _first_with_weights_of(self, model: str) -> str:
        """Return the first model with the same GGUF file, which is converted only once."""
        files = {
            name: (sheet.get("gguf"), self.model_source(name))
            for name, sheet in self.all_models.items()
        }
        return next(name for name, file in files.items() if file == files[model])

    def resource_of(self, model: str) -> str | None:
        """Return the resource with the model, or with an endpoint's tokenizer, if there is one."""
        return self.all_models[model].source(self.registry).resource

    def _resource(self, name: str) -> str:
        return str(Path(self.config.resources, name))
