"""The card of an exported dataset: what people should know before they use it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from .front_matter import Size, front_matter
from .parts import PARTS
from .subjects import model_info

ABOUT = """A *mutant* is an original text in which words of sensitive attributes are replaced by
words of other groups. It is *biased* when a model's outcome differs from that of the original, and
its bias is *hidden* when none of its sub-mutants, with fewer replacements, is biased. A changed
outcome is a lead, not a proof of unfairness: compare rates with those of the controls, in which
neutral words stand in for sensitive ones.
"""
LOADING = """
    from datasets import load_dataset

    cases = load_dataset("path/of/this/folder/or/name/on/the/hub", "cases", split="train")
"""
REBUILDING = """
Texts that are not here can be rebuilt from the source and the recipes. In a copy of the software,
with the same entry of each dataset in `config/datasets.yaml`, this fetches the originals and gives
each the `original_id` that recipes name:

    snakemake --cores 1 -- {targets}

A text is its original with each of its `edits` in the place of the characters from start to end.
In Python, with `workflow/scripts` on its path:

    from pathlib import Path
    from hinter.exports import rebuilt_texts

    export, corpora = Path("path/of/this/folder"), Path("results/corpora")
    for dataset, input_id, text in rebuilt_texts(export, corpora=corpora):
        print(dataset, input_id, text)
"""


class Studied(NamedTuple):
    """What a card says of the study behind the data.

    `sources` says of each dataset where its texts come from and whether they may be passed on,
    `origins` of each model what it is; `settings` are those of the study that are told, and
    `citation` is what CITATION.cff holds.
    """

    sources: Mapping[str, Mapping[str, Any]]
    origins: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, str]
    citation: Mapping[str, Any]


def card_of(sizes: Mapping[str, Size], *, studied: Studied) -> str:
    """Return the card of a dataset with parts of these `sizes`."""
    front = front_matter(sizes, sources=studied.sources, citation=studied.citation)
    told = yaml.safe_dump(front, sort_keys=False, width=100)
    sections = (
        _opening(studied.citation),
        _parts(sizes),
        _study(studied),
        _columns(),
        _texts(studied),
        _citation(studied.citation),
    )
    body = "\n\n".join("\n".join(section) for section in sections)
    return f"---\n{told}---\n\n{body}\n"


def _opening(citation: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {citation['title']}\n"
    yield f"The data of a study, made with version {citation['version']} of this software.\n"
    yield ABOUT.rstrip()


def _parts(sizes: Mapping[str, Size]) -> Iterator[str]:
    yield "| part | rows | what |\n|---|---|---|"
    yield from (f"| `{part.name}` | {sizes[part.name].rows} | {part.about} |" for part in PARTS)
    yield LOADING.rstrip()


def _study(studied: Studied) -> Iterator[str]:
    yield "## What was studied\n\n| model | what | weights or name |\n|---|---|---|"
    for name, origin in studied.origins.items():
        info = model_info(name, origin=origin, libraries={})
        known = info["additional_details"].get("base_model", info["id"])
        yield f"| `{name}` | {_cell(origin['sheet']['about'])} | {_cell(known)} |"
    yield "\n| setting | value |\n|---|---|"
    yield from (f"| {name} | {_cell(value)} |" for name, value in studied.settings.items())


def _columns() -> Iterator[str]:
    yield "## Columns"
    for part in PARTS:
        yield f"\n### {part.name}\n\n| column | meaning |\n|---|---|"
        yield from (f"| `{name}` | {_cell(each.meaning)} |" for name, each in part.columns.items())


def _texts(studied: Studied) -> Iterator[str]:
    yield "## Texts and licences\n"
    yield (
        f"The data that the study made are under {studied.citation['license']}. Texts belong to "
        "their sources, and are here only where the licence lets them be passed on; mutants are "
        "changed from the source's texts.\n"
    )
    yield "| dataset | what | from | licence | texts |\n|---|---|---|---|---|"
    for name, source in studied.sources.items():
        cells = (
            f"`{name}`",
            _cell(source["about"]),
            _cell(_place(source)),
            _cell(source["licence"] or "unknown"),
            "in `suite`" if source["redistribute"] else "not here",
        )
        yield f"| {' | '.join(cells)} |"
    closed = [name for name, source in studied.sources.items() if not source["redistribute"]]
    if closed:
        targets = " ".join(f"results/corpora/{name}.parquet" for name in closed)
        yield REBUILDING.format(targets=targets).rstrip()


def _place(source: Mapping[str, Any]) -> str:
    """Return where the texts are fetched from; a file of the user's has no such place."""
    if source["urls"]:
        return " ".join(source["urls"])
    if source["repository"]:
        return str(source["repository"])
    return f"package {source['package']}" if source["package"] else "a file of the study's"


def _citation(citation: Mapping[str, Any]) -> Iterator[str]:
    paper = citation["preferred-citation"]
    authors = ", ".join(
        f"{author['given-names']} {author['family-names']}" for author in paper["authors"]
    )
    yield "## Citation\n"
    yield (
        f"See `CITATION.cff` in this folder, and cite the paper that the study reproduces: "
        f"{authors}: *{paper['title']}* ({paper['notes']}, {paper['year']})."
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
