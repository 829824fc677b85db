"""The card of an exported dataset: its front matter for programs, and what people should know.

The form is that of the Hugging Face Hub (https://huggingface.co/docs/hub/datasets-cards).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pyarrow as pa
import yaml

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
ABOUT = """A *mutant* is an original text in which words of sensitive attributes are replaced by
words of other groups. It is *biased* when a model's outcome differs from that of the original, and
its bias is *hidden* when none of its sub-mutants, with fewer replacements, is biased. A changed
outcome is a lead, not a proof of unfairness: compare rates with those of the controls, which are
harmless edits.
"""
REBUILDING = """
Texts that are not here can be rebuilt from the source and the recipes. In a copy of the software,
with the same entry of each dataset in `config/datasets.yaml`, this fetches the originals and gives
each the `original_id` that recipes name:

    snakemake --cores 1 -- {targets}

Then, in Python, with `workflow/scripts` on its path:

    from pathlib import Path
    from hinter.exports import rebuilt_texts

    export, corpora = Path("path/of/this/folder"), Path("results/corpora")
    for dataset, input_id, text in rebuilt_texts(export, corpora=corpora):
        print(dataset, input_id, text)
"""
IDENTIFIER = r"[A-Za-z0-9][A-Za-z0-9.+-]*"


class Size(NamedTuple):
    """Rows of a part, their bytes in memory, and the bytes of its files."""

    rows: int
    memory: int
    files: int

    def plus(self, other: "Size") -> "Size":
        """Return the size of both."""
        return Size(*(a + b for a, b in zip(self, other, strict=True)))


def card_of(
    sizes: Mapping[str, Size],
    *,
    sources: Mapping[str, Mapping[str, Any]],
    citation: Mapping[str, Any],
) -> str:
    """Return the card of a dataset with parts of these `sizes`.

    `sources` says of each dataset where its texts come from, and whether they may be passed on.
    """
    front = yaml.safe_dump(
        _front_matter(sizes, sources=sources, citation=citation), sort_keys=False, width=100
    )
    body = "\n".join(_body(sizes, sources=sources, citation=citation))
    return f"---\n{front}---\n\n{body}\n"


def _front_matter(
    sizes: Mapping[str, Size],
    *,
    sources: Mapping[str, Mapping[str, Any]],
    citation: Mapping[str, Any],
) -> dict[str, Any]:
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
    if all(re.fullmatch(IDENTIFIER, name) for name in named):
        names = [name.lower() for name in named]
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


def _body(
    sizes: Mapping[str, Size],
    *,
    sources: Mapping[str, Mapping[str, Any]],
    citation: Mapping[str, Any],
) -> Iterator[str]:
    yield f"# {citation['title']}\n"
    yield ABOUT
    yield "| part | rows | what |\n|---|---|---|"
    yield from (f"| `{part.name}` | {sizes[part.name].rows} | {part.about} |" for part in PARTS)
    yield "\n    from datasets import load_dataset"
    yield '    cases = load_dataset("path/of/this/folder", "cases", split="train")\n'
    yield "## Columns"
    for part in PARTS:
        yield f"\n### {part.name}\n\n| column | meaning |\n|---|---|"
        yield from (f"| `{name}` | {_cell(each.meaning)} |" for name, each in part.columns.items())
    yield "\n## Texts and licences\n"
    yield (
        f"The data that the study made are under {citation['license']}. Texts belong to their "
        "sources, and are here only where the licence lets them be passed on:\n"
    )
    yield "| dataset | what | licence | texts |\n|---|---|---|---|"
    for name, source in sources.items():
        held = "in `suite`" if source["redistribute"] else "not here"
        licence = source["licence"] or "unknown"
        yield f"| `{name}` | {_cell(source['about'])} | {_cell(licence)} | {held} |"
    closed = [name for name, source in sources.items() if not source["redistribute"]]
    if closed:
        targets = " ".join(f"results/corpora/{name}.parquet" for name in closed)
        yield REBUILDING.format(targets=targets).rstrip()
    yield "\n## Citation\n"
    paper = citation["preferred-citation"]
    yield (
        f"See `CITATION.cff` in this folder, and cite the paper that the study reproduces: "
        f"{paper['title']} ({paper['notes']}, {paper['year']})."
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
