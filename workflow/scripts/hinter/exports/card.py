"""The card of an exported dataset, with what people should know before they use it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml
from jinja2 import Environment, StrictUndefined

from .front_matter import Size, front_matter
from .parts import PARTS
from .subjects import model_info


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
    front = front_matter(sizes, sources=studied.sources, citation=studied.citation)
    jinja = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    jinja.filters |= {"cell": _cell, "place": _place}
    return jinja.from_string(template).render(
        front=yaml.safe_dump(front, sort_keys=False, width=100),
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
