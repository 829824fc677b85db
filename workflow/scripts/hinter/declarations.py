"""The tables and figures of the study, as their modules declare them.

Declarations are read from the source code, as importing all tables would delay planning by seconds.
"""

import ast
from collections.abc import Collection, Iterator, Sequence
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
    between levels. It is made if all conditions of `only_if` are met (`Study.meets`). `about` is
    the text of the report in addition to the caption, a Jinja template that may use `config`.
    """

    title: str
    reads: tuple[str, ...]
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
    """A declaration with its location: `name` is that of its files.

    A table has the name of its module, and its section is the folder of the module. A figure is
    listed in the `FIGURES` of its module as `section/name`.
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

    A module without a `TABLE` or `FIGURES` only serves others. Raises `InputError` for a
    declaration with a value that is not literal.
    """
    found = [
        Declared(
            name=name,
            section=section,
            module=path.relative_to(scripts).as_posix(),
            **_literals(call, path),
        )
        for path in (scripts / "hinter" / room).rglob("*.py")
        for section, name, call in _calls(path)
    ]
    return sorted(found, key=lambda each: (each.section, each.name))


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


def import_declaring(module: str) -> Any:
    """Import a module given by its path in workflow/scripts, like `Declared.module`."""
    return import_module(module.removesuffix(".py").replace("/", "."))


def _calls(path: Path) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield section, name and call of the table of a module, or of each of its figures."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name("TABLE")], value=ast.Call() as call):
                yield path.parent.name, path.stem, call
            case ast.Assign(targets=[ast.Name("FIGURES")], value=ast.Dict(keys, values)):
                for key, value in zip(keys, values, strict=True):
                    assert isinstance(key, ast.Constant) and isinstance(value, ast.Call)
                    section, name = str(key.value).split("/")
                    yield section, name, value


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
