"""The tables and figures of the study, as their modules declare them.

Declarations are read from the source code, as importing all tables would delay planning by seconds.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
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
    `named_by`). It is made if all conditions of `only_if` are met (`Study.meets`). `about` is the
    text of the report in addition to the caption, a Jinja template that may use `config`.
    """

    title: str
    reads: tuple[str, ...] = ()
    question: str = ""
    settings: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    about: str = ""
    caption: str = ""
    """The caption of the table's own files, with settings in braces."""
    empty: str = "Nothing to show."
    """The reason to report if a table, and thus the figure plotted from it, is empty."""
    warned: bool = False
    """Whether it has rates of models, and thus includes the warnings about these models."""
    in_report: bool = True


@dataclass(frozen=True, kw_only=True)
class Declared(Declaration):
    """A declaration with its location: `name` is that of its files."""

    name: str
    section: str
    """The folder of its module."""
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

    A `TABLE` or `FIGURE` is named like its module; any other variable, in capitals, has the name of
    its files. Raises `InputError` for a declaration with a value that is not literal.
    """
    found = [
        Declared(
            name=name,
            section=path.parent.name,
            module=path.relative_to(scripts).as_posix(),
            **values,
        )
        for path in (scripts / "hinter" / room).glob("*/*.py")
        for name, values in _declarations(path, kind=room.removesuffix("s").capitalize())
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


def import_declared(module: str, name: str) -> Any:
    """Import the table or figure with this name from a module, given like `Declared.module`."""
    found = vars(import_module(module.removesuffix(".py").replace("/", ".")))
    return found.get("TABLE") or found.get("FIGURE") or found[name.upper()]


def named_by(
    parameters: Iterable[str], *, reads: Sequence[str] = (), settings: Sequence[str] = ()
) -> dict[str, Sequence[str]]:
    """Return what a table reads, and its settings, if they are not listed.

    It reads what the parameters of its function name, except the last parts of settings. The
    parameter `seed` is a setting.
    """
    names = tuple(parameters)
    settings = settings or tuple(name for name in names if name == "seed")
    last = {setting.rpartition(".")[2] for setting in settings}
    reads = reads or tuple(name for name in names if name not in last)
    return {"reads": reads, "settings": settings}


def _declarations(path: Path, *, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each `Table` or `Figure` of a module, and the values that it declares."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    functions = {node.name: node.args for node in body if isinstance(node, ast.FunctionDef)}
    for node in body:
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        if ast.unparse(node.value.func).endswith(kind):
            variable, values = ast.unparse(node.targets[0]), _literals(node.value, path)
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.value.keywords}
            if of := functions.get(given.get("compute", "")):
                listed = {key: values[key] for key in ("reads", "settings") if key in values}
                parameters = (each.arg for each in (*of.args, *of.kwonlyargs))
                values |= named_by(parameters, **listed)
            yield path.stem if variable == kind.upper() else variable.lower(), values


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
