"""Write what the code makes of this folder: erratum, tables, figures, rules, settings, packages.

`make docs` calls it, and a test compares the pages.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hinter
import yaml
from erratum_page import erratum_page
from hinter.declarations import Declared, declared, import_table
from hinter.mutation import MENTION_RULES, NOTED, REASONS, RULES
from hinter.tables.published.counts import read_published

ROOT = Path(__file__).resolve().parent.parent
INTRODUCTION = """# Tables and figures

Each table and each figure is declared in a module, by the name of its files:
`results/tables/{name}.csv`, `.md`, `.tex` and `.html`, or `figures/{name}.pdf` and `.png`. Those of
the paper's published counts are in `results/published/` and `figures/published/`, those of people's
answers in `results/assessment/`, those of the targets `ablation` and `relations` in
`results/ablation/` and `results/relations/`.

The rules, the targets, the report and this page are made from these declarations: a new one is a
new table, and `snakemake -n` shows it at once. Modules are in
`workflow/scripts/hinter/`, tests in files of the same names in `.tests/unit/`, or in those of their
question. `make docs` writes this page.
"""
RULES_INTRODUCTION = """# Why an occurrence or a mention is left alone

A term may mean something else than a person, and a mention may be of nobody in particular. Rules
leave these alone. They are applied in this order, and the first that matches is named.
`mutation.occurrences` lists the rules that a study applies to occurrences of terms (`literal` and
`coherent` substitution), `mutation.mentions` those that it applies to [mentions](describing.md).

`results/occurrences/{dataset}.parquet` names the rule for each occurrence or mention of each text,
the table `occurrences` counts them, and [`snakemake try`](try_a_text.md) gives the reasons for a
text of yours. `make docs` writes this page.

| rule | applied to | leaves alone where |
|---|---|---|"""
SETTINGS_INTRODUCTION = """# Settings

Every key of every sheet, with its default. [studies.md](studies.md) says how to set them. `make
docs` writes this page from `config/schemas/`, by which editors check the sheets.
"""
SHEETS = {
    "config": ("Studies", "config/config.yaml"),
    "datasets": ("Datasets", "config/datasets.yaml"),
    "models": ("Models", "config/models.yaml"),
    "prices": ("Prices", "config/prices.yaml"),
    "prompt": ("Prompts", "config/prompts/{dataset}.yaml"),
    "judge": ("Judges", "config/prompts/judge.yaml"),
    "descriptor": ("Descriptors", "config/descriptors/{attribute}.yaml"),
    "persons": ("Persons", "config/persons.yaml"),
    "dictionary": ("Terms", "config/dictionary/{attribute}.yaml"),
    "groups": ("Groups of your own", "a sheet that `own_groups` names"),
    "occurrences": ("Occurrences", "config/occurrences.yaml"),
    "probe": ("Probes", "config/probes/{probe}.yaml"),
    "relations": ("Relations", "config/relations/prompts.yaml"),
}
"""Heading and file of each sheet, by the name of its schema."""


def pages() -> dict[Path, str]:
    """Return the pages by their path."""
    published = sorted(map(str, (ROOT / "data" / "published").glob("*.csv")))
    return {
        ROOT / "docs" / "architecture.md": _architecture_page(),
        ROOT / "docs" / "erratum.md": erratum_page(read_published(published)),
        ROOT / "docs" / "rules.md": "\n".join(_rules_page()) + "\n",
        ROOT / "docs" / "settings.md": "\n".join(_settings_page()) + "\n",
        ROOT / "docs" / "tables.md": "\n".join(_tables_page()) + "\n",
    }


def _architecture_page() -> str:
    """Return the page with its list of the packages as they are."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    start, end = "<!-- packages -->\n", "<!-- end of packages -->"
    before, _, rest = page.partition(start)
    packages = re.findall(r"^    (\w+)  +(\S.*)", hinter.__doc__ or "", flags=re.MULTILINE)
    lines = ["| package | what it holds |", "|---|---|"]
    lines += [f"| `{package}` | {what} |" for package, what in packages]
    return before + start + "\n".join(lines) + "\n\n" + end + rest.partition(end)[2]


def _rules_page() -> Iterator[str]:
    yield RULES_INTRODUCTION
    for rule in {**RULES, **MENTION_RULES}:
        asked = (("occurrences", RULES), ("mentions", MENTION_RULES))
        yield _rule(rule, ", ".join(what for what, rules in asked if rule in rules))
    yield from (_rule(rule, "whatever a study asks") for rule in NOTED)


def _rule(rule: str, asked: str) -> str:
    return f"| `{rule}` | {asked} | {' '.join(REASONS[rule].split())} |"


def _settings_page() -> Iterator[str]:
    yield SETTINGS_INTRODUCTION
    for name, (heading, path) in SHEETS.items():
        schema = ROOT / "config" / "schemas" / f"{name}.schema.yaml"
        # A key that kinds of models share is in one line.
        keys = dict.fromkeys(_keys(yaml.safe_load(schema.read_text(encoding="utf-8")), prefix=""))
        yield f"## {heading}\n"
        yield f"`{path}`\n"
        yield "| key | meaning |"
        yield "|---|---|"
        yield from keys
        yield ""


def _keys(schema: dict[str, Any], *, prefix: str) -> Iterator[str]:
    """Yield a line for each key below a schema, with those of its kinds and entries."""
    for name, value in schema.get("properties", {}).items():
        meaning = value.get("description") or f"`{value.get('const', '')}`"
        if name in schema.get("required", ()):
            meaning += " (required)"
        elif "default" in value:
            meaning += f" (default: `{json.dumps(value['default'])}`)"
        yield f"| `{prefix}{name}` | {_cell(meaning)} |"
        yield from _keys(value, prefix=f"{prefix}{name}.")
    for kind in [*schema.get("anyOf", ()), *schema.get("oneOf", ()), schema.get("items")]:
        if isinstance(kind, dict):
            yield from _keys(kind, prefix=prefix)
    if isinstance(entries := schema.get("additionalProperties"), dict):
        yield from _keys(entries, prefix=f"{prefix}{{name}}.")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _tables_page() -> Iterator[str]:
    yield INTRODUCTION
    tables, figures = declared("tables"), declared("figures")
    for heading, found in (("Tables", tables), ("Figures", figures)):
        yield f"## {heading}\n"
        yield "| question | name | what | module |"
        yield "|---|---|---|---|"
        yield from map(_line, found)
        yield ""
    yield "## Columns\n"
    yield "Shares and rates are proportions, from 0 to 1, with six decimals."
    for table in tables:
        yield f"\n### {table.label}\n"
        yield "| column | meaning |"
        yield "|---|---|"
        columns = import_table(table.module, table.name).columns
        yield from (f"| {name} | {meaning} |" for name, meaning in columns.items())


def _line(made: Declared) -> str:
    module = made.module.removeprefix("hinter/")
    return f"| {made.category} | {made.name} | {made.title} | `{module}` |"


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
