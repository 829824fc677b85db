"""Exports as others read them: all their bytes, records with instances, and the parts by card."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow.parquet as pq
from huggingface_hub import DatasetCard
from jsonschema import Draft7Validator

LONG = 20
"""Characters of a sentence that no other text holds by chance."""


class Record(NamedTuple):
    """A record with its path below `data`'s folder, and its instances."""

    path: str
    document: dict[str, Any]
    lines: list[dict[str, Any]]

    def scores(self) -> dict[str, float]:
        return {
            result["evaluation_result_id"]: result["score_details"]["score"]
            for result in self.document["evaluation_results"]
        }


def read_records(folder: Path, *, schemas: Path) -> list[Record]:
    """Return the records of an export; each must be true to its schema and to its instances."""
    records = [_read(path, folder) for path in sorted(folder.rglob("*.json"))]
    assert records
    whole, line = (
        Draft7Validator(json.loads((schemas / name).read_text(encoding="utf-8")))
        for name in ("eval.schema.json", "instance_level_eval.schema.json")
    )
    for record in records:
        whole.validate(record.document)
        for instance in record.lines:
            line.validate(instance)
    return records


def _read(path: Path, folder: Path) -> Record:
    document = json.loads(path.read_text(encoding="utf-8"))
    detailed = document["detailed_evaluation_results"]
    content = (folder / detailed["file_path"]).read_bytes()
    lines = [json.loads(line) for line in content.splitlines()]
    assert detailed["checksum"] == hashlib.sha256(content).hexdigest()
    assert detailed["total_rows"] == len(lines)
    place = path.relative_to(folder).as_posix()
    assert detailed["file_path"] == place.replace(".json", "_samples.jsonl")
    # Where the datastore looks for a model.
    assert place.split("/")[2:4] == document["model_info"]["id"].split("/")
    for line in lines:
        assert line["evaluation_id"] == document["evaluation_id"]
        assert line["model_id"] == document["model_info"]["id"]
    return Record(place, document, lines)


def mean_scores(record: Record) -> dict[str, float]:
    """Return the mean score of the instances of each result that has any."""
    scores: dict[str, list[float]] = {}
    for line in record.lines:
        scores.setdefault(line["evaluation_result_id"], []).append(line["evaluation"]["score"])
    return {key: round(sum(values) / len(values), 6) for key, values in scores.items()}


def parts_by_card(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each part, as its card finds and describes them."""
    front = DatasetCard.load(folder / "README.md").data.to_dict()
    described = {info["config_name"]: info for info in front["dataset_info"]}
    found = {}
    for config in front["configs"]:
        name, pattern = config["config_name"], f"{folder}/{config['data_files']}"
        document = duckdb.sql(f"FROM read_parquet('{pattern}')").to_arrow_table()
        assert [_named(feature) for feature in described[name]["features"]] == [
            (field.name, _kind(field)) for field in document.schema
        ]
        (split,) = described[name]["splits"]
        assert split["num_examples"] == document.num_rows
        found[name] = document.to_pylist()
    held = {path.relative_to(folder).parts[0] for path in folder.rglob("*.parquet")}
    assert held == set(found)
    return found


def _named(feature: dict[str, Any]) -> tuple[str, str]:
    if "list" in feature:
        inner = feature["list"]
        kinds = inner if isinstance(inner, str) else "+".join(part["name"] for part in inner)
        return feature["name"], f"list {kinds}"
    return feature["name"], feature["dtype"]


def _kind(field: Any) -> str:
    if str(field.type).startswith("list"):
        inner = field.type.value_type
        names = str(inner) if not hasattr(inner, "fields") else None
        return f"list {names or '+'.join(part.name for part in inner.fields)}"
    return "float32" if str(field.type) == "float" else str(field.type)


def all_of(folder: Path) -> str:
    """Return all that the files of an export tell: their text, or the rows and metadata of Parquet.

    Compressed bytes are left out, in which any short name may occur by chance.
    """
    return "\n".join(_contents(folder))


def _contents(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            yield json.dumps(pq.read_table(path).to_pylist(), ensure_ascii=False)
            yield str(pq.read_schema(path).metadata)
        elif path.is_file():
            yield path.read_text(encoding="utf-8")


def sentences_in(folder: Path, texts: list[str]) -> list[str]:
    """Return the sentences of these texts that occur in any file of an export.

    Sentences are told apart as anybody would; there must be some that are long enough.
    """
    sentences = {
        sentence.strip() for text in texts for sentence in re.split(r"(?<=[.!?])\s+|\n+", text)
    }
    looked_for = [sentence for sentence in sorted(sentences) if len(sentence) >= LONG]
    assert looked_for
    held = all_of(folder)
    # As JSON has them, too.
    return [
        sentence
        for sentence in looked_for
        if sentence in held or json.dumps(sentence, ensure_ascii=False)[1:-1] in held
    ]


def digests_of(folder: Path) -> dict[str, str]:
    """Return the sha256 of each file of an export."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
