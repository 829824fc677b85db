"""Who wrote the software and the paper that it reproduces, as CITATION.cff says."""

from collections.abc import Mapping, Sequence
from typing import Any

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from .values import listed


def add_authors(
    crate: ROCrate, authors: Sequence[Mapping[str, str]], *, of: str
) -> ContextEntity | list[ContextEntity]:
    """Return the entities of the `authors` of a work `of` this name: people, or organisations."""
    return listed(
        [
            crate.add(
                ContextEntity(crate, f"#{of}-author-{number}", properties=_properties(author))
            )
            for number, author in enumerate(authors, start=1)
        ]
    )


def add_paper(crate: ROCrate, citation: Mapping[str, Any]) -> ContextEntity:
    """Return the entity of the article that users of the software are asked to cite."""
    properties = {
        "@type": "ScholarlyArticle",
        "name": citation["title"],
        "datePublished": str(citation["year"]),
        "description": citation["notes"],
    }
    paper = crate.add(ContextEntity(crate, "#paper", properties=properties))
    paper["author"] = add_authors(crate, citation["authors"], of="paper")
    return paper


def _properties(author: Mapping[str, str]) -> dict[str, str]:
    if "name" in author:
        return {"@type": "Organization", "name": author["name"]}
    given, family = author["given-names"], author["family-names"]
    name = f"{given} {family}"
    return {"@type": "Person", "name": name, "givenName": given, "familyName": family}
