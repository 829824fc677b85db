"""The entities of a crate: authors, resources with their digests, models and texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from ..provenance import sha256_of

T = TypeVar("T")


def listed(values: Sequence[T]) -> T | list[T]:
    """Return the values, or a single value by itself, as JSON-LD writes it without a list."""
    return values[0] if len(values) == 1 else list(values)


def describe(crate: ROCrate, identifier: str, kind: str, **properties: Any) -> ContextEntity:
    """Return a new entity of a crate, with this `kind` as its `@type`."""
    properties = {"@type": kind, **properties}
    return crate.add(ContextEntity(crate, identifier, properties=properties))


def add_authors(
    crate: ROCrate, authors: Sequence[Mapping[str, str]], *, of: str
) -> ContextEntity | list[ContextEntity]:
    """Return the entities of the `authors`, people or organisations, of the work named `of`."""
    return listed(
        [
            describe(crate, f"#{of}-author-{number}", **_properties(author))
            for number, author in enumerate(authors, start=1)
        ]
    )


def add_paper(crate: ROCrate, citation: Mapping[str, Any]) -> ContextEntity:
    """Return the entity of the article that users of the software are asked to cite."""
    paper = describe(
        crate,
        "#paper",
        "ScholarlyArticle",
        name=citation["title"],
        datePublished=str(citation["year"]),
        description=citation["notes"],
    )
    paper["author"] = add_authors(crate, citation["authors"], of="paper")
    return paper


def _properties(author: Mapping[str, str]) -> dict[str, str]:
    if "name" in author:
        return {"kind": "Organization", "name": author["name"]}
    given, family = author["given-names"], author["family-names"]
    name = f"{given} {family}"
    return {"kind": "Person", "name": name, "givenName": given, "familyName": family}


def add_resource(crate: ROCrate, name: str, entry: Mapping[str, Any]) -> ContextEntity:
    """Return the entity of a resource of the registry, with the sha256 of each of its files.

    It is described but not part of the crate, as it was fetched.
    """
    resource = describe(
        crate,
        f"#resource/{name}",
        "CreativeWork",
        name=name,
        description=entry["about"],
        version=entry["version"],
        license=entry["licence"],
    )
    urls = [source["url"] for source in entry["sources"] if "url" in source]
    if urls:
        resource["url"] = listed(urls)
    resource["hasPart"] = listed(
        [
            # Some files have no published digest.
            describe(
                crate,
                f"#resource/{name}/{file}",
                "CreativeWork",
                name=file,
                **({"sha256": listed(digests)} if digests else {}),
            )
            for file, digests in entry["files"].items()
        ]
    )
    return resource


def add_named(
    crate: ROCrate,
    name: str,
    *,
    kind: str,
    about: str,
    resource: str | None = None,
    file: str | None = None,
) -> ContextEntity:
    """Return the entity of a model, dataset or probe of the study.

    It is made from a `resource`, or from a `file` of the user. Only the name and the sha256 of
    the file are given, as its path would reveal something about the user's machine.
    """
    named = describe(
        crate, f"#{kind}/{name}", "CreativeWork", name=f"{kind} {name}", description=about
    )
    if resource:
        named["isBasedOn"] = crate.get(f"#resource/{resource}")
    elif file:
        named["alternateName"] = Path(file).name
        named["sha256"] = sha256_of(file)
    return named
