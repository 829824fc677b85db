"""Check every record by the schemas of Every Eval Ever before it is written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from ..errors import InputError

EVALUATION, INSTANCE = "eval.schema.json", "instance_level_eval.schema.json"
NAMES = {EVALUATION: "evaluation_id", INSTANCE: "sample_id"}


class RecordSchemas:
    """The two schemas, in the `folder` of their resource.

    Source: https://github.com/evaleval/every_eval_ever. `version` is that of the schemas, which
    records state.
    """

    def __init__(self, folder: Path) -> None:
        schemas = {name: json.loads((folder / name).read_text(encoding="utf-8")) for name in NAMES}
        self.version: str = schemas[EVALUATION]["version"]
        self._validators = {name: Draft7Validator(schema) for name, schema in schemas.items()}

    def check(self, record: Mapping[str, Any], schema: str) -> None:
        """Raise `InputError` if a record, or the line of an instance, does not fit its schema."""
        fault = best_match(self._validators[schema].iter_errors(record))
        if fault is not None:
            key = ".".join(map(str, fault.absolute_path))
            raise InputError(
                where=f"record {record.get(NAMES[schema])}, key '{key}'",
                found=fault.message,
                expected=f"a record of {schema} {self.version} (Every Eval Ever)",
                fix="Correct the entries of the model and the dataset in their sheets.",
            )
