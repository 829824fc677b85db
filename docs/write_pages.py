"""Write the pages of this folder that the code makes: the erratum, and the tables and figures.

`make docs` calls it, and a test compares the pages.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from hinter.declarations import PUBLISHED, Declared, declared, import_declaring
from hinter.tables.published.counts import read_published
from hinter.tables.published.erratum_page import erratum_page

ROOT = Path(__file__).resolve().parent.parent
# They make all tables and figures.
OF_ALL = {PUBLISHED: "test_published.py"}
OF_THE_STUDY = "test_degenerate_studies.py"
INTRODUCTION = """# Tables and figures

Each table and each figure is one module, named like its files (`results/tables/{name}.csv`, `.md`,
`.tex`, `.html`; `figures/{name}.pdf`, `.png`; those of the paper's published counts stand in
`results/published/` and `figures/published/`). It ends in its declaration, from which the rules,
the targets, the report and this page derive: a new module is a new table, which `snakemake -n`
shows at once. Modules are in `workflow/scripts/hinter/`, tests in `.tests/unit/`. `make docs`
writes this page.
"""


def pages() -> dict[Path, str]:
    """Return the pages by their path."""
    published = sorted(map(str, (ROOT / "data" / "published").glob("*.csv")))
    return {
        ROOT / "docs" / "erratum.md": erratum_page(read_published(published)),
        ROOT / "docs" / "tables.md": "\n".join(_tables_page()) + "\n",
    }


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
    return f"| {made.question} | {made.name} | {made.title} | `{module}` | {tests} |"


def _tests(made: Declared) -> list[str]:
    """Return the test files that import the module, or else the one that makes all of its kind."""
    module = made.module.removesuffix(".py").replace("/", ".")
    paths = sorted((ROOT / ".tests" / "unit").rglob("test_*.py"))
    importing = [path.name for path in paths if module in _imported(path)]
    return importing or [OF_ALL.get(made.section, OF_THE_STUDY)]


def _imported(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return {str(node.module) for node in imports} | {
        f"{node.module}.{alias.name}" for node in imports for alias in node.names
    }


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
