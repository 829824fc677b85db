"""Records of Every Eval Ever: for each model and dataset one with results, one with instances.

They have the paths of its datastore: `data/{collection}/{developer}/{model}/{uuid}.json`, and
`{uuid}_samples.jsonl` next to it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pandas as pd
from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from ..errors import InputError
from ..responses import read_source
from .card import Studied
from .instances import Evaluated, instance_lines, open_run
from .measures import Measured, evaluation_of, measured, result
from .subjects import generation_config, model_folder, model_info

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


class Evaluation(NamedTuple):
    """The common part of all records of a study: the tables `accuracy` and `excess`, and more.

    `time` is that of the records.
    """

    studied: Studied
    schemas: RecordSchemas
    time: str
    accuracy: pd.DataFrame
    excess: pd.DataFrame
    seed: int


def write_evaluation(run: Evaluated, study: Evaluation, *, folder: Path) -> None:
    """Write the record and the instances of a run into `folder`, checked by their schemas."""
    connection = open_run(run, open_texts=study.studied.sources[run.dataset]["redistribute"])
    found = measured(
        connection,
        accuracy=_rows_of(study.accuracy, run),
        excess=_rows_of(study.excess, run),
        seed=study.seed,
    )
    record = _record(run, found, study)
    identifier = record["model_info"]["id"]
    lines = instance_lines(
        connection,
        found,
        shared={
            "schema_version": study.schemas.version,
            "evaluation_id": record["evaluation_id"],
            "model_id": identifier,
        },
        dataset=run.dataset,
    )
    content = json.dumps(record, sort_keys=True).encode()
    # It has the form of version 4, and depends on the content alone.
    uuid = UUID(bytes=hashlib.sha256(content).digest()[:16], version=4)
    place = f"data/{evaluation_of(run.dataset)}/{model_folder(identifier)}/{uuid}"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    detailed = _write_lines(lines, f"{place}_samples.jsonl", study.schemas, folder=folder)
    record |= {"detailed_evaluation_results": detailed} if detailed["total_rows"] else {}
    study.schemas.check(record, EVALUATION)
    encoded = json.dumps(record, indent=2, ensure_ascii=False)
    (folder / f"{place}.json").write_text(f"{encoded}\n", encoding="utf-8")


def _record(run: Evaluated, found: Sequence[Measured], study: Evaluation) -> dict[str, Any]:
    """Return the record of a run with what was `found`, without its instances."""
    studied = study.studied
    origin, citation = studied.origins[run.model], studied.citation
    source = read_source(run.predictions)
    info = model_info(run.model, origin=origin, libraries=source.libraries if source else {})
    shared = {
        "source_data": source_data(run.dataset, studied.sources[run.dataset]),
        "generation_config": generation_config(origin, prompt=run.prompt, study=studied.settings),
    }
    return {
        "schema_version": study.schemas.version,
        # Models of a study may have the weights in common.
        "evaluation_id": f"{evaluation_of(run.dataset)}/{info['id']}/{run.model}/{study.time}",
        "evaluation_timestamp": study.time,
        "retrieved_timestamp": study.time,
        # A study does not know who ran it.
        "source_metadata": {
            "source_name": citation["title"],
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
            "additional_details": {"paper": citation["preferred-citation"]["notes"]},
        },
        "eval_library": {"name": "hinter", "version": str(citation["version"])},
        "model_info": info,
        "evaluation_results": [result(one, dataset=run.dataset, run=shared) for one in found],
    }


def source_data(dataset: str, source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `source_data` of a dataset, with addresses if it has any.

    Of a file of the user, only the licence is given.
    """
    if source["urls"]:
        return {"dataset_name": dataset, "source_type": "url", "url": list(source["urls"])}
    if source["repository"]:
        hub = {"source_type": "hf_dataset", "hf_repo": source["repository"]}
        return {"dataset_name": dataset} | hub
    details = {"about": source["about"], "licence": source["licence"] or "unknown"}
    details |= {"package": source["package"]} if source["package"] else {}
    return {"dataset_name": dataset, "source_type": "other", "additional_details": details}


def _write_lines(
    lines: Iterable[Mapping[str, Any]], place: str, schemas: RecordSchemas, *, folder: Path
) -> dict[str, Any]:
    """Write the lines, unless there are none, and return their description in the record."""
    digest, count = hashlib.sha256(), 0
    path = folder / place
    with path.open("wb") as file:
        for line in lines:
            schemas.check(line, INSTANCE)
            encoded = f"{json.dumps(line, ensure_ascii=False)}\n".encode()
            digest.update(encoded)
            file.write(encoded)
            count += 1
    if not count:
        path.unlink()
    return {
        "format": "jsonl",
        "file_path": place,
        "hash_algorithm": "sha256",
        "checksum": digest.hexdigest(),
        "total_rows": count,
    }


def _rows_of(table: pd.DataFrame, run: Evaluated) -> pd.DataFrame:
    return table[(table["model"] == run.model) & (table["dataset"] == run.dataset)]


def record_time(ended: datetime, *, epoch: str | None) -> str:
    """Return the time of the records in whole seconds since 1970, UTC, always equal for a study.

    It is `epoch`, the value of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs), if that
    is set, and otherwise the time when the study `ended`. Raises `InputError` for a value that is
    not a whole number.
    """
    if epoch is None:
        return str(int(ended.timestamp()))
    if not (epoch.isascii() and epoch.isdigit()):
        raise InputError(
            where="environment variable SOURCE_DATE_EPOCH",
            found=repr(epoch),
            expected="whole seconds since 1970",
            fix="Correct it, or unset it: the records then have the time of the study.",
        )
    return epoch
