"""Write what the code makes of this folder: the erratum, tables, figures, rules, and the rooms.

`make docs` calls it, and a test compares the pages.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import hinter
from erratum_page import erratum_page
from hinter.declarations import PUBLISHED, Declared, declared, import_declaring
from hinter.mutation import MENTION_RULES, NOTED, REASONS, RULES
from hinter.tables.published.counts import read_published

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / ".tests" / "unit"
# They make all tables and figures.
OF_ALL = {PUBLISHED: "tables/published/test_printed_numbers.py"}
OF_THE_STUDY = "tables/test_degenerate_studies.py"
INTRODUCTION = """# Tables and figures

Each table and each figure is one module, named like its files (`results/tables/{name}.csv`, `.md`,
`.tex`, `.html`; `figures/{name}.pdf`, `.png`; those of the paper's published counts stand in
`results/published/` and `figures/published/`, that of people's answers in `results/assessment/`,
those of the targets `ladder` and `relations` in `results/ladder/` and `results/relations/`).
It ends in its declaration, from which the rules, the targets, the report and this page derive: a
new module is a new table, which `snakemake -n` shows at once. Modules are in
`workflow/scripts/hinter/`, tests in `.tests/unit/`. `make docs` writes this page.
"""
RULES_INTRODUCTION = """# Why an occurrence or a mention is left alone

A term may stand for something else than a person, and a mention may be of nobody in particular.
Rules leave these alone; they are asked in this order, and the first that applies is named.
`mutation.occurrences` lists those that a study asks of occurrences of terms (`literal` and
`coherent` substitution), `mutation.mentions` those that it asks of [mentions](describing.md).

`results/occurrences/{dataset}.parquet` names the rule for each occurrence or mention of each text,
the table `occurrences` counts them, and `snakemake try` tells the reasons for a text of yours
([config/README.md](../config/README.md), "One text, or a few"). `make docs` writes this page.

| rule | asked of | leaves alone where |
|---|---|---|"""


def pages() -> dict[Path, str]:
    """Return the pages by their path."""
    published = sorted(map(str, (ROOT / "data" / "published").glob("*.csv")))
    return {
        ROOT / "docs" / "architecture.md": _architecture_page(),
        ROOT / "docs" / "erratum.md": erratum_page(read_published(published)),
        ROOT / "docs" / "rules.md": "\n".join(_rules_page()) + "\n",
        ROOT / "docs" / "tables.md": "\n".join(_tables_page()) + "\n",
    }


def _architecture_page() -> str:
    """Return the page with its picture and list of the rooms as they are."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    start, end = "<!-- rooms -->\n", "<!-- end of rooms -->"
    before, _, rest = page.partition(start)
    return before + start + "\n".join(_rooms()) + "\n" + end + rest.partition(end)[2]


def _rooms() -> Iterator[str]:
    rooms = dict(re.findall(r"^    (\w+)  +(\S.*)", hinter.__doc__ or "", flags=re.MULTILINE))
    imports = {room: _imports(room) & rooms.keys() for room in rooms}
    yield "```mermaid"
    yield "flowchart LR"
    yield from (f"    {room}" for room in rooms)
    for room in rooms:
        # What a room reaches by another one needs no arrow of its own.
        reached = {further for near in imports[room] for further in _reached(near, imports)}
        yield from (f"    {near} --> {room}" for near in rooms if near in imports[room] - reached)
    yield "```"
    yield ""
    yield "| room | what it holds |"
    yield "|---|---|"
    yield from (f"| `{room}` | {what} |" for room, what in rooms.items())


def _reached(room: str, imports: dict[str, set[str]]) -> set[str]:
    return imports[room].union(*(_reached(near, imports) for near in imports[room]))


def _imports(room: str) -> set[str]:
    """Return the names that the modules of a room import from the library beside it."""
    library = Path(str(hinter.__file__)).parent
    return {
        node.module.split(".")[0]
        for path in (library / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.level == len(path.relative_to(library).parts)
    }


def _rules_page() -> Iterator[str]:
    yield RULES_INTRODUCTION
    for rule in {**RULES, **MENTION_RULES}:
        asked = (("occurrences", RULES), ("mentions", MENTION_RULES))
        yield _rule(rule, ", ".join(what for what, rules in asked if rule in rules))
    yield from (_rule(rule, "whatever a study asks") for rule in NOTED)


def _rule(rule: str, asked: str) -> str:
    return f"| `{rule}` | {asked} | {' '.join(REASONS[rule].split())} |"


def _tables_page() -> Iterator[str]:
    yield INTRODUCTION
    tables, figures = declared("tables"), declared("figures")
    for heading, found in (("Tables", tables), ("Figures", figures)):
        yield f"## {heading}\n"
        yield "| question | name | what | module | tests |"
        yield "|---|---|---|---|---|"
        yield from map(_line, found)
        yield ""
    yield "## Columns\n"
    yield "Shares and rates are proportions, from 0 to 1, with six decimals."
    for table in tables:
        yield f"\n### {table.label}\n"
        yield "| column | meaning |"
        yield "|---|---|"
        columns = import_declaring(table.module).TABLE.columns
        yield from (f"| {name} | {meaning} |" for name, meaning in columns.items())


def _line(made: Declared) -> str:
    module = made.module.removeprefix("hinter/")
    tests = ", ".join(f"`{name}`" for name in _tests(made))
    return f"| {made.category} | {made.name} | {made.title} | `{module}` | {tests} |"


def _tests(made: Declared) -> list[str]:
    """Return the test file of the module, or those that import it, or that which makes all."""
    module = PurePosixPath(made.module).relative_to("hinter")
    own = module.with_name(f"test_{module.name}")
    if (TESTS / own).is_file():
        return [str(own)]
    name = made.module.removesuffix(".py").replace("/", ".")
    importing = [path for path in sorted(TESTS.rglob("test_*.py")) if name in _imported(path)]
    found = [path.relative_to(TESTS).as_posix() for path in importing]
    return found or [OF_ALL.get(made.section, OF_THE_STUDY)]


def _imported(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return {str(node.module) for node in imports} | {
        f"{node.module}.{alias.name}" for node in imports for alias in node.names
    }


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
