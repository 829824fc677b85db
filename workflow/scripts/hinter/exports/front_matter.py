"""The front matter of a card, by which hubs find, describe and load an exported dataset.

Its form is that of the Hugging Face Hub (https://huggingface.co/docs/hub/datasets-cards).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa

from .parts import PARTS, Part

SIZES = {
    1_000: "n<1K",
    10_000: "1K<n<10K",
    100_000: "10K<n<100K",
    1_000_000: "100K<n<1M",
    10_000_000: "1M<n<10M",
    100_000_000: "10M<n<100M",
    1_000_000_000: "100M<n<1B",
}
LARGEST = "1B<n<10B"
SPLIT = "train"
"""The split that loaders give files which name none."""
HUB_LICENCES = frozenset(
    {
        *("afl-3.0", "agpl-3.0", "apache-2.0", "artistic-2.0", "bsd-2-clause", "bsd-3-clause"),
        *("bsd-3-clause-clear", "bsl-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0"),
        *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
        *("cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0"),
        *("cc-by-sa-3.0", "cc-by-sa-4.0", "cc0-1.0", "cdla-permissive-1.0"),
        *("cdla-permissive-2.0", "cdla-sharing-1.0", "ecl-2.0", "epl-1.0", "epl-2.0"),
        *("etalab-2.0", "eupl-1.1", "eupl-1.2", "isc", "lppl-1.3c", "mit", "mpl-2.0", "ms-pl"),
        *("ncsa", "ofl-1.1", "osl-3.0", "postgresql", "unlicense", "wtfpl", "zlib"),
    }
)
"""The SPDX identifiers, in small letters, that the hub accepts; it refuses a card with others.

Source: https://huggingface.co/docs/hub/repositories-licenses.
"""


class Size(NamedTuple):
    """Rows of a part, their bytes in memory, and the bytes of its files."""

    rows: int
    memory: int
    files: int

    def plus(self, other: "Size") -> "Size":
        """Return the size of both."""
        return Size(*(a + b for a, b in zip(self, other, strict=True)))


def front_matter(
    sizes: Mapping[str, Size],
    *,
    sources: Mapping[str, Mapping[str, Any]],
    citation: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the front matter of the card of a dataset with parts of these `sizes`.

    `sources` says of each dataset which licence its texts have, and whether they may be passed on;
    `citation` is what CITATION.cff holds.
    """
    return {
        "pretty_name": citation["title"],
        **_licences(sources, own=citation["license"]),
        "language": ["en"],
        "task_categories": ["text-classification"],
        "tags": [word.replace(" ", "-") for word in citation["keywords"]],
        "size_categories": [_category(sum(size.rows for size in sizes.values()))],
        "configs": [{"config_name": part.name, "data_files": part.files} for part in PARTS],
        "dataset_info": [_info(part, sizes[part.name]) for part in PARTS],
    }


def _licences(sources: Mapping[str, Mapping[str, Any]], *, own: str) -> dict[str, Any]:
    """Return the licences of what is in the dataset, under the keys that the hub has for them."""
    texts = [source["licence"] for source in sources.values() if source["redistribute"]]
    named = list(dict.fromkeys([own, *texts]))
    names = [name.lower() for name in named]
    if set(names) <= HUB_LICENCES:
        return {"license": names[0] if len(names) == 1 else names}
    return {"license": "other", "license_name": "several", "license_details": "; ".join(named)}


def _category(rows: int) -> str:
    return next((name for limit, name in SIZES.items() if rows < limit), LARGEST)


def _info(part: Part, size: Size) -> dict[str, Any]:
    return {
        "config_name": part.name,
        "features": [_feature(field) for field in part.schema],
        "splits": [{"name": SPLIT, "num_bytes": size.memory, "num_examples": size.rows}],
        "download_size": size.files,
        "dataset_size": size.memory,
    }


def _feature(field: pa.Field) -> dict[str, Any]:
    """Return a column in the words that cards have for its type."""
    if pa.types.is_list(field.type):
        inner = field.type.value_type
        if pa.types.is_struct(inner):
            return {"name": field.name, "list": [_feature(part) for part in inner.fields]}
        return {"name": field.name, "list": str(inner)}
    return {"name": field.name, "dtype": {"float": "float32"}.get(str(field.type), str(field.type))}
