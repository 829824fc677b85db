"""Check every record by the schemas of Every Eval Ever before it is written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from ..errors import InputError

EVALUATION, INSTANCE = "eval.schema.json", "instance_level_eval.schema.json"


class RecordSchemas:
    """The two schemas, in the `folder` of their resource.

    Source: https://github.com/evaleval/every_eval_ever. `version` is that of the schemas, which
    records state.
    """

    def __init__(self, folder: Path) -> None:
        schemas = {
            name: json.loads((folder / name).read_text(encoding="utf-8"))
            for name in (EVALUATION, INSTANCE)
        }
        self.version: str = schemas[EVALUATION]["version"]
        self._validators = {name: Draft7Validator(schema) for name, schema in schemas.items()}

    def check_evaluation(self, record: Mapping[str, Any]) -> None:
        """Raise `InputError` if the record of an evaluation does not fit its schema."""
        self._check(record, EVALUATION, name=record.get("evaluation_id"))

    def check_instance(self, line: Mapping[str, Any]) -> None:
        """Raise `InputError` if the line of an instance does not fit its schema."""
        self._check(line, INSTANCE, name=line.get("sample_id"))

    def _check(self, record: Mapping[str, Any], schema: str, *, name: Any) -> None:
        fault = best_match(self._validators[schema].iter_errors(record))
        if fault is not None:
            key = ".".join(map(str, fault.absolute_path))
            raise InputError(
                where=f"record {name}, key '{key}'",
                found=fault.message,
                expected=f"a record of {schema} {self.version} (Every Eval Ever)",
                fix="Correct the entries of the model and the dataset in their sheets.",
            )
