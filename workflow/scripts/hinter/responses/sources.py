"""The origin of the answers in a file of results: the model, and the libraries it ran with."""

import json
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

LIBRARIES = ("torch", "transformers")
"""The libraries that run local models; jobs of endpoints need none of them."""


class Source(NamedTuple):
    """The fingerprint of a model, and the versions of libraries by name."""

    fingerprint: str
    libraries: Mapping[str, str]


def source_metadata(fingerprint: str) -> dict[str, str]:
    """Return the metadata of a Parquet file with answers of the model with this fingerprint."""
    libraries = {name: version(name) for name in LIBRARIES if find_spec(name)}
    return {"fingerprint": fingerprint, "libraries": json.dumps(libraries)}


def read_source(path: Path) -> Source | None:
    """Return the origin of the answers in a Parquet file, or None if the file does not say."""
    metadata = pq.read_schema(path).metadata or {}
    if b"fingerprint" not in metadata:
        return None
    return Source(metadata[b"fingerprint"].decode(), json.loads(metadata[b"libraries"]))
