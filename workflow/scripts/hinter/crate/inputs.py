"""What a run was given: resources with their digests, and the study's models and texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from .values import listed, sha256_of


def add_resource(crate: ROCrate, name: str, entry: Mapping[str, Any]) -> ContextEntity:
    """Return the entity of a resource of the registry, with the sha256 of each of its files.

    It is described and not a part of the crate, as it was fetched.
    """
    properties = {
        "@type": "CreativeWork",
        "name": name,
        "description": entry["about"],
        "version": entry["version"],
        "license": entry["licence"],
    }
    resource = crate.add(ContextEntity(crate, f"#resource/{name}", properties=properties))
    urls = [source["url"] for source in entry["sources"] if "url" in source]
    if urls:
        resource["url"] = listed(urls)
    resource["hasPart"] = listed(
        [
            crate.add(_file(crate, f"#resource/{name}/{file}", name=file, digests=digests))
            for file, digests in entry["files"].items()
        ]
    )
    return resource


def _file(crate: ROCrate, identifier: str, *, name: str, digests: Sequence[str]) -> ContextEntity:
    """Return the entity of a file of a resource; where no digest is published, it has none."""
    digest = {"sha256": listed(digests)} if digests else {}
    properties = {"@type": "CreativeWork", "name": name, **digest}
    return ContextEntity(crate, identifier, properties=properties)


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

    It is made of a `resource`, or of a `file` of the user's, of which no more than the name and the
    sha256 is told, as its place on a machine concerns nobody.
    """
    properties = {"@type": "CreativeWork", "name": f"{kind} {name}", "description": about}
    named = crate.add(ContextEntity(crate, f"#{kind}/{name}", properties=properties))
    if resource:
        named["isBasedOn"] = crate.get(f"#resource/{resource}")
    elif file:
        named["alternateName"] = Path(file).name
        named["sha256"] = sha256_of(file)
    return named
