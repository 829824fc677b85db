"""Write the JSON schemas by which editors check sheets, from the models of the library.

Run from the project's folder with `PYTHONPATH=workflow/scripts`, as `make docs` does.
"""

from pathlib import Path

import yaml
from hinter.config import (
    Config,
    Datasets,
    DescriptorSheet,
    DictionarySheet,
    GroupsSheet,
    JudgeSheet,
    Models,
    OccurrencesSheet,
    PersonsSheet,
    Prices,
    ProbeSheet,
    PromptSheet,
    Registry,
    RelationsSheet,
    schema_of,
    schema_path,
)

HEAD = "# Written by `make docs` from workflow/scripts/hinter/config: change it there.\n"
SHEETS = (
    Config,
    Datasets,
    Models,
    Prices,
    PromptSheet,
    ProbeSheet,
    JudgeSheet,
    DescriptorSheet,
    DictionarySheet,
    GroupsSheet,
    OccurrencesSheet,
    PersonsSheet,
    RelationsSheet,
    Registry,
)
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def main() -> None:
    """Write the schema of every sheet."""
    for model in SHEETS:
        Path(schema_path(model)).write_text(schema_text(model), encoding="utf-8")


def schema_text(model: type) -> str:
    """Return the content of the schema file of a sheet."""
    schema = {"$schema": DIALECT, **schema_of(model)}
    return HEAD + yaml.safe_dump(schema, sort_keys=False, allow_unicode=True, width=100)


if __name__ == "__main__":
    main()
