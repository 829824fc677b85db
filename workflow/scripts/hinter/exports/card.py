"""The card of an exported dataset, with what people should know before they use it.

Its front matter, with which hubs find, describe and load the dataset, has the format of the Hugging
Face Hub (https://huggingface.co/docs/hub/datasets-cards).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa
import yaml
from jinja2 import Environment, StrictUndefined

from ..yaml_files import data_of
from .parts import PARTS, Part
from .subjects import model_info

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


class Studied(NamedTuple):
    """The study behind exported data, as described in its card and in records.

    `sources` says where the texts of each dataset come from and whether they may be redistributed,
    and `origins` describes each model. `settings` are those of the study that are listed, and
    `citation` is the content of CITATION.cff.
    """

    sources: Mapping[str, Mapping[str, Any]]
    origins: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, str]
    citation: Mapping[str, Any]


def card_of(sizes: Mapping[str, Size], *, studied: Studied, template: str) -> str:
    """Return the card of a dataset with parts of these `sizes`, from its Jinja `template`."""
    jinja = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    jinja.filters |= {"cell": _cell, "place": _place}
    return jinja.from_string(template).render(
        front=yaml.safe_dump(_front_matter(sizes, studied=studied), sort_keys=False, width=100),
        parts=PARTS,
        sizes=sizes,
        models=[
            (name, origin["sheet"]["about"], _weights(name, origin))
            for name, origin in studied.origins.items()
        ],
        closed=[name for name, source in studied.sources.items() if not source["redistribute"]],
        paper=studied.citation["preferred-citation"],
        **studied._asdict(),
    )


def _weights(name: str, origin: Mapping[str, Any]) -> str:
    info = model_info(name, origin=origin, libraries={})
    return str(info["additional_details"].get("base_model", info["id"]))


def _place(source: Mapping[str, Any]) -> str:
    """Return where the texts are fetched from, which a file of the user does not have."""
    if source["urls"]:
        return " ".join(source["urls"])
    if source["repository"]:
        return str(source["repository"])
    return f"package {source['package']}" if source["package"] else "a file of the study's"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _front_matter(sizes: Mapping[str, Size], *, studied: Studied) -> dict[str, Any]:
    rows = sum(size.rows for size in sizes.values())
    return {
        "pretty_name": studied.citation["title"],
        **_licences(studied.sources, own=studied.citation["license"]),
        "language": ["en"],
        "task_categories": ["text-classification"],
        "tags": [word.replace(" ", "-") for word in studied.citation["keywords"]],
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
