"""Read the entries that a configuration names from its sheets."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TypeVar

from ..compared import PAPER_DATASETS
from ..config import (
    AnyModel,
    Config,
    Dataset,
    Datasets,
    Gate,
    GroupsSheet,
    Judge,
    Models,
    Prices,
    ProbeSheet,
    Registry,
    Relations,
    read_sheet,
)
from ..errors import InputError
from ..locations import locate
from ..operators import OPERATORS
from .checks import REGISTRY, check_known

T = TypeVar("T")

RELATIONS = "relations"
"""The name of rewritten prompts, used like that of a dataset. The names of the metrics of their
answers begin with it."""


class Sheets:
    """The configuration with the entries of its datasets, models, probes, raters and prices.

    `models` and `datasets` are those under test. `all_models` and `all_datasets` include those that
    rate answers (see `metrics`) or judge them. `asked` is everything that has a corpus. Raises
    `InputError` for a name that is not in its sheet.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.lenient = False
        self.faults: dict[str, InputError] = {}
        self.registry = read_sheet(locate(REGISTRY), Registry).root
        self.prices = read_sheet(locate(config.prices_sheet), Prices).model_dump()
        self.parser = config.invariant.parser
        self.known_datasets = read_sheet(locate(config.datasets_sheet), Datasets).root
        self.known_models = read_sheet(locate(config.models_sheet), Models).root
        self.own_groups = {path: read_sheet(path, GroupsSheet) for path in config.own_groups}
        self.datasets = _chosen(
            config.datasets, among=self.known_datasets, key="datasets", sheet=config.datasets_sheet
        )
        self.probes = {
            name: read_sheet(locate(probe_sheet(name)), ProbeSheet) for name in config.probes
        }
        chosen = _chosen(
            config.models, among=self.known_models, key="models", sheet=config.models_sheet
        )
        self.copies = {name: _copies_of(name, sheet) for name, sheet in chosen.items()}
        self._check_copies()
        self.models = {
            again: chosen[name] for name, named in self.copies.items() for again in named
        }
        self.limits = [limit.model_dump() for limit in config.limits]
        for limit in self.limits:
            copies = (self.copies.get(name, [name]) for name in limit["models"])
            limit["models"] = [*chain.from_iterable(copies)]
        self.all_models: dict[str, AnyModel] = {**self.models}
        self.all_datasets = {**self.datasets}
        self._read_raters()
        self._read_judge()
        self.asked: dict[str, Dataset | ProbeSheet | Relations] = {
            **self.from_files(),
            **({RELATIONS: config.relations} if self.metrics else {}),
        }

    @contextmanager
    def noting(self, model: str) -> Iterator[None]:
        """Collect an `InputError` as the fault of a model if the study is `lenient`."""
        try:
            yield
        except InputError as error:
            if not self.lenient:
                raise
            self.faults.setdefault(model, error)

    def _check_copies(self) -> None:
        """Raise `InputError` for a model in the sheet with a name like that of another's copy."""
        for name in self.known_models:
            first, _, again = name.rpartition(".")
            if first in self.copies and again.rstrip("0123456789") in ("seed", "prompt"):
                raise InputError(
                    where=f"{self.config.models_sheet}, '{name}'",
                    found=f"a name like those of copies of '{first}' with other seeds or prompts",
                    expected="another name",
                    fix="Rename this model.",
                )

    def copy_number(self, model: str) -> int:
        """Return the place of the model among its copies; that of a model without any is 0."""
        return next((named.index(model) for named in self.copies.values() if model in named), 0)

    def from_files(self) -> dict[str, Dataset | ProbeSheet]:
        """Return the datasets and probes whose texts or rows are read from files."""
        return {**self.all_datasets, **self.probes}

    @property
    def texts_are_own(self) -> bool:
        """Return whether all datasets are in files of the user, and none is one of the paper."""
        known = [name in PAPER_DATASETS or sheet.resource for name, sheet in self.datasets.items()]
        return bool(known) and not any(known)

    def mutates_selectively(self, operator: str) -> bool:
        """Return whether rules decide where an operator edits, or what changes with a term."""
        return bool(self.config.mutation.occurrences) or operator != "literal"

    def pairs_are_of(self, folder: str) -> bool:
        """Return whether an operator's pairs are made from the sheets in a folder of config/."""
        return any(OPERATORS[name].sheets == folder for name in self.config.mutation.operators)

    @property
    def starts_languagetool(self) -> bool:
        """Return whether jobs start a LanguageTool, as the user has no server."""
        return self.config.grammar.enabled and self.config.grammar.server is None

    @property
    def judge(self) -> Judge:
        """The judge of answers; raises `InputError` if there is none."""
        expected = "the model that judges answers"
        return required(self.config.judge, "judge={model: gpt-4}", no="judge", expected=expected)

    @property
    def gate(self) -> Gate:
        """The candidate and its baseline; raises `InputError` if there are none."""
        example, expected = "gate={candidate: new, baseline: old}", "a candidate and its baseline"
        return required(self.config.gate, example, no="candidate", expected=expected)

    def _read_raters(self) -> None:
        """Read the raters of answers by the name of their metric, and their sheets."""
        raters = self.config.relations.raters
        self.metrics = {f"{RELATIONS}_{metric}": rater for metric, rater in raters.items()}
        encoders = {
            name: sheet for name, sheet in self.known_models.items() if sheet.kind == "encoder"
        }
        for metric, rater in raters.items():
            where = f"configuration, key 'relations.raters.{metric}"
            sheet = f"{self.config.models_sheet} as an encoder"
            check_known(rater.model, among=encoders, where=f"{where}.model'", sheet=sheet)
            sheet = self.config.datasets_sheet
            known = self.known_datasets
            check_known(rater.dataset, among=known, where=f"{where}.dataset'", sheet=sheet)
            self.all_models[rater.model] = encoders[rater.model]
            self.all_datasets[rater.dataset] = known[rater.dataset]

    def _read_judge(self) -> None:
        """Read the sheet of the model that judges answers, if there is one."""
        judge = self.config.judge
        if judge is None:
            return
        judges = {name: sheet for name, sheet in self.known_models.items() if sheet.in_words}
        where = "configuration, key 'judge.model'"
        sheet = f"{self.config.models_sheet} as a model that answers in words"
        check_known(judge.model, among=judges, where=where, sheet=sheet)
        self.all_models[judge.model] = judges[judge.model]


def required(value: T | None, example: str, *, no: str, expected: str) -> T:
    """Return the value of a setting that a target needs, or raise `InputError` if it is null.

    The `example` sets it on a command line.
    """
    if value is None:
        key = example.partition("=")[0]
        raise InputError(
            where=f"configuration, key '{key}'",
            found=f"no {no}",
            expected=expected,
            fix=f"Name it: --config '{example}'.",
        )
    return value


def _copies_of(name: str, sheet: AnyModel) -> list[str]:
    """Return the name of the model for each seed of its fine-tuning, or each prompt."""
    tuning = sheet.get("fine_tuning")
    what, times = ("seed", tuning.seeds) if tuning else ("prompt", sheet.get("prompts", 1))
    return [name, *(f"{name}.{what}{number}" for number in range(2, times + 1))]


def probe_sheet(probe: str) -> str:
    """Return the path of the probe's sheet."""
    return f"config/probes/{probe}.yaml"


def probes_with_sheets() -> list[str]:
    """Return the names of all probes that have a sheet."""
    return sorted(path.stem for path in Path(locate("config/probes")).glob("*.yaml"))


def _chosen(names: list[str], *, among: Mapping[str, T], key: str, sheet: str) -> dict[str, T]:
    for name in names:
        check_known(name, among=among, where=f"configuration, key '{key}'", sheet=sheet)
    return {name: among[name] for name in names}
