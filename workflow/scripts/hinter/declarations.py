"""The tables and figures of the study, as their modules declare them.

Declarations are read from the source code, as importing all tables would delay planning by seconds.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any

from .errors import InputError
from .provenance import SCRIPTS

PUBLISHED = "published"
"""The section of tables and figures made from the paper's published counts."""
ABLATION = "ablation"
"""The section of the table that only the target with this name makes."""
PROBES = "probes"
"""The section of the tables of probes, which only a study with probes makes."""
RELATIONS = "relations"
"""The section of the tables that only the target with this name makes."""
APART = (PUBLISHED, ABLATION, RELATIONS, "assessment")
"""The sections with a separate folder in results/."""
ANSWERS = frozenset(
    {
        *("cases", "follow_up_repeats", "follow_up_verdicts", "hits", "predictions"),
        *("rater_scores", "repeats", "variant_verdicts", "scores", "verdicts"),
    }
)
"""The inputs of tables for which models must be trained or asked."""
RATED = frozenset({"cases", "predictions", "repeats", "scores", "verdicts"})
"""The inputs of tables with rates of models."""
SETTINGS = ("judge", "limits", "mitigation", "outcome_statuses", "primary", "seed")
"""The settings that parameters of tables may name."""
CATEGORIES = {
    **{f"rq{number}": f"RQ{number}" for number in (1, 2, 3, 4)},
    **{"assessment": "RQ3", "ablation": "RQ3", "paper": "The paper"},
}
"""The categories of sections in the report; others have the names of their sections."""


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What planning and the report need to know about a table or figure, in literals only.

    `title` is its label in the report, and `question` its category there, if that is not its
    section's. It `reads` inputs (see workflow/rules/inputs.smk) and tables, by name; tables that
    the study does not make are left out. `settings` are keys of the configuration, with dots
    between levels. A table need not list what the parameters of its `compute` name (see
    `named_by`), nor a figure the table of its own name. It is made if all conditions of `only_if`
    are met (`Study.meets`). The first paragraph of its `text` is the caption of its own files, with
    settings in braces; the report adds the others, a Jinja template that may use `config`.
    """

    title: str
    reads: tuple[str, ...] = ()
    question: str = ""
    settings: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    text: str = ""
    empty: str = "Nothing to show."
    """The reason to report if a table, and thus the figure plotted from it, is empty."""
    warned: bool | None = None
    """Whether it includes the warnings about models: it does if it reads what they have answered,
    unless it says otherwise."""
    in_report: bool = True

    def __post_init__(self) -> None:
        """Decide by what is read whether there are warnings, if it is not declared."""
        if self.warned is None:
            object.__setattr__(self, "warned", not RATED.isdisjoint(self.reads))

    @property
    def caption(self) -> str:
        """The first paragraph of the text."""
        return " ".join(self.text.partition("\n\n")[0].split())

    @property
    def about(self) -> str:
        """The other paragraphs of the text."""
        return self.text.partition("\n\n")[2]


@dataclass(frozen=True, kw_only=True)
class Declared(Declaration):
    """A declaration with its location: `name` is that of its files.

    The section of a table is the folder of its module. A figure is listed in the `FIGURES` of its
    module as `section/name`.
    """

    name: str
    section: str
    module: str
    """The path of its module in workflow/scripts."""

    @property
    def category(self) -> str:
        """The heading in the report under which it is shown."""
        return self.question or CATEGORIES.get(self.section, self.section.capitalize())

    @property
    def published(self) -> bool:
        """Whether it is made from the paper's published counts."""
        return self.section == PUBLISHED

    @property
    def folder(self) -> str:
        """The folder in results/ of a table, or of the tables that a figure uses."""
        return self.section if self.section in APART else "tables"

    @property
    def label(self) -> str:
        """The name that pages use, unique among tables and among figures."""
        return f"published_{self.name}" if self.published else self.name


def declared(room: str, *, scripts: Path = SCRIPTS) -> list[Declared]:
    """Return the declarations in the modules of a package (`tables` or `figures`) by section.

    A `TABLE` is named like its module; any other variable of a table, in capitals, has the name of
    its files. Raises `InputError` for a declaration with a value that is not literal.
    """
    found = [
        Declared(name=name, section=section, module=path.relative_to(scripts).as_posix(), **values)
        for path in (scripts / "hinter" / room).rglob("*.py")
        for section, name, values in _declarations(path)
    ]
    return sorted(found, key=lambda made: (made.section, made.name))


def jobs_of(tables: Sequence[Declared], *, inputs: Collection[str]) -> dict[str, list[Declared]]:
    """Return the tables by the name of the job that makes them, each after those that it reads.

    A job makes those of a section which need no answer of a model, which need one, or which also
    include warnings, so none waits for more than the others. `inputs` are names of other inputs.
    """
    named = {table.name: table for table in tables}
    read = {name: [each for each in named[name].reads if each not in inputs] for name in named}
    answered: set[str] = set()
    jobs: dict[str, list[Declared]] = {}
    for name in filter(named.get, TopologicalSorter(read).static_order()):
        table = named[name]
        if table.warned or ANSWERS.intersection(table.reads) or answered.intersection(read[name]):
            answered.add(name)
        stage = "_rates" if table.warned else "_answers" if name in answered else ""
        jobs.setdefault(table.section + stage, []).append(table)
    return jobs


def import_table(module: str, name: str) -> Any:
    """Import the table with this name from a module, given like `Declared.module`."""
    found = _variables(module)
    return found.get("TABLE") or found[name.upper()]


def import_figure(module: str, *, section: str, name: str) -> Any:
    """Import a figure from a module, given like `Declared.module`."""
    figure = _variables(module)["FIGURES"][f"{section}/{name}"]
    return replace(figure, reads=figure.reads or (name,))


def _variables(module: str) -> dict[str, Any]:
    return vars(import_module(module.removesuffix(".py").replace("/", ".")))


def named_by(
    parameters: Iterable[str], *, reads: Sequence[str] = (), settings: Sequence[str] = ()
) -> dict[str, Sequence[str]]:
    """Return what a table reads, and its settings, if they are not listed.

    It reads what the parameters of its function name, except the last parts of settings.
    """
    names = tuple(parameters)
    settings = settings or tuple(name for name in names if name in SETTINGS)
    last = {setting.rpartition(".")[2] for setting in settings}
    reads = reads or tuple(name for name in names if name not in last)
    return {"reads": reads, "settings": settings}


def _declarations(path: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield section, name and values of each `Table` of a module, and of each of its `FIGURES`."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    functions = {node.name: node.args for node in body if isinstance(node, ast.FunctionDef)}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name("FIGURES")], value=ast.Dict(keys, values)):
                for key, value in zip(keys, values, strict=True):
                    assert isinstance(key, ast.Constant) and isinstance(value, ast.Call)
                    section, name = str(key.value).split("/")
                    yield section, name, {"reads": (name,), **_literals(value, path)}
            case ast.Assign(targets=[ast.Name(variable)], value=ast.Call(func=function) as call):
                if ast.unparse(function).endswith("Table"):
                    name = path.stem if variable == "TABLE" else variable.lower()
                    yield path.parent.name, name, _of_table(call, path, functions)


def _of_table(call: ast.Call, path: Path, functions: Mapping[str, ast.arguments]) -> dict[str, Any]:
    """Return the values that a table declares, with what the parameters of its function name."""
    values = _literals(call, path)
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    if of := functions.get(given.get("compute", "")):
        listed = {key: values[key] for key in ("reads", "settings") if key in values}
        parameters = (each.arg for each in (*of.args, *of.kwonlyargs))
        values |= named_by(parameters, **listed)
    return values


def _literals(call: ast.Call, path: Path) -> dict[str, Any]:
    names = {field.name for field in fields(Declaration)}
    values = {}
    for keyword in call.keywords:
        if keyword.arg in names:
            try:
                values[keyword.arg] = ast.literal_eval(keyword.value)
            except ValueError:
                raise InputError(
                    where=f"{path}, line {keyword.value.lineno}, key '{keyword.arg}'",
                    found=ast.unparse(keyword.value),
                    expected="a literal, which is read without running the module",
                    fix="Write out the value.",
                ) from None
    return values
