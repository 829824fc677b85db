"""The front matter of a card, with which hubs find, describe and load an exported dataset.

Its format is that of the Hugging Face Hub (https://huggingface.co/docs/hub/datasets-cards).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa

from ..yaml_files import data_of
from .parts import PARTS, Part

_DATA = data_of(__file__)
SIZES: Mapping[str, float] = _DATA["sizes"]
SPLIT = "train"
"""The split that loaders assign to files without one."""
HUB_LICENCES = frozenset(_DATA["licences"])
"""The SPDX identifiers, in lower case, that the hub accepts; it refuses a card with others."""


class Size(NamedTuple):
    """The number of rows of a part, their bytes in memory, and the bytes of its files."""

    rows: int
    memory: int
    files: int


def front_matter(
    sizes: Mapping[str, Size],
    *,
    sources: Mapping[str, Mapping[str, Any]],
    citation: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the front matter of the card of a dataset with parts of these `sizes`.

    `sources` has the licence of the texts of each dataset, and whether they may be redistributed.
    `citation` is the content of CITATION.cff.
    """
    rows = sum(size.rows for size in sizes.values())
    return {
        "pretty_name": citation["title"],
        **_licences(sources, own=citation["license"]),
        "language": ["en"],
        "task_categories": ["text-classification"],
        "tags": [word.replace(" ", "-") for word in citation["keywords"]],
        "size_categories": [next(name for name, limit in SIZES.items() if rows < limit)],
        "configs": [{"config_name": part.name, "data_files": part.files} for part in PARTS],
        "dataset_info": [_info(part, sizes[part.name]) for part in PARTS],
    }


def _licences(sources: Mapping[str, Mapping[str, Any]], *, own: str) -> dict[str, Any]:
    """Return the licences of the dataset's content, under the keys that the hub has for them."""
    texts = [source["licence"] for source in sources.values() if source["redistribute"]]
    named = list(dict.fromkeys([own, *texts]))
    names = [name.lower() for name in named]
    if set(names) <= HUB_LICENCES:
        return {"license": names[0] if len(names) == 1 else names}
    return {"license": "other", "license_name": "several", "license_details": "; ".join(named)}


def _info(part: Part, size: Size) -> dict[str, Any]:
    return {
        "config_name": part.name,
        "features": [_feature(field) for field in part.schema],
        "splits": [{"name": SPLIT, "num_bytes": size.memory, "num_examples": size.rows}],
        "download_size": size.files,
        "dataset_size": size.memory,
    }


def _feature(field: pa.Field) -> dict[str, Any]:
    """Return a column with the name of its type in cards."""
    if pa.types.is_list(field.type):
        inner = field.type.value_type
        if pa.types.is_struct(inner):
            return {"name": field.name, "list": [_feature(part) for part in inner.fields]}
        return {"name": field.name, "list": str(inner)}
    return {"name": field.name, "dtype": {"float": "float32"}.get(str(field.type), str(field.type))}
