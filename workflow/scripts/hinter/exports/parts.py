"""The parts of an exported dataset: the files of each, their columns and what these mean."""

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa

from ..mutation import EDITS
from ..yaml_files import data_of

TYPES = {
    "edits": EDITS,
    "int8": pa.int8(),
    "int32": pa.int32(),
    "number": pa.float32(),
    "scores": pa.list_(pa.struct([("label", pa.string()), ("score", pa.float32())])),
    "text": pa.string(),
    "texts": pa.list_(pa.string()),
    "truth": pa.bool_(),
}


class Column(NamedTuple):
    """The name of the type of a column, and its description."""

    type: str
    meaning: str


class Part(NamedTuple):
    """A part, which loaders know as a configuration: Parquet files in the folder of its name."""

    name: str
    about: str
    columns: Mapping[str, Column]

    @property
    def files(self) -> str:
        """The pattern of its files: by model and dataset, or by dataset."""
        return f"{self.name}/{'*/' if 'model' in self.columns else ''}*.parquet"

    @property
    def schema(self) -> pa.Schema:
        """The schema of its files."""
        return pa.schema([(name, TYPES[column.type]) for name, column in self.columns.items()])


PARTS = tuple(
    Part(
        name,
        part["about"],
        {key: Column(*column) for group in part["columns"] for key, column in group.items()},
    )
    for name, part in data_of(__file__)["parts"].items()
)
SUITE, CASES, VERDICTS, PAIRS = PARTS
