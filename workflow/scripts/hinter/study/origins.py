"""Where the models and texts of a study come from."""

from collections.abc import Mapping
from typing import Any

from ..config import Archive, Dataset, Https, Hub, Resource, Wheel
from ..locations import locate
from .files import Files


def models_and_texts(study: Files) -> list[dict[str, str | None]]:
    """Return the models, datasets and probes of the study.

    Each has its `kind`, `name`, `about`, and the `resource` or the `file` that it is read from.
    """
    models = [
        {"kind": "model", "name": name, "about": sheet.about, "resource": study.resource_of(name)}
        for name, sheet in study.all_models.items()
    ]
    texts = [
        {
            "kind": "probe" if name in study.probes else "dataset",
            "name": name,
            "about": sheet.about,
            "resource": sheet.resource,
            "file": None if sheet.resource else locate(sheet.file),
        }
        for name, sheet in study.from_files().items()
    ]
    return [*models, *texts]


def dataset_origins(study: Files) -> dict[str, dict[str, Any]]:
    """Return where the texts of each dataset come from, and whether they may be redistributed.

    Each has its `about`, `licence` (None if it is unknown), `redistribute`, `multi_label`, and the
    `urls`, hub `repository` or `package` that it is fetched from. A file of the user has none of
    the latter.
    """
    return {name: _origin(sheet, study.registry) for name, sheet in study.datasets.items()}


def model_origins(study: Files) -> dict[str, dict[str, Any]]:
    """Return for each model under test its sheet and the name of its weights on the hub."""
    return {
        name: {
            "sheet": sheet.model_dump(),
            "repository": _fetched(sheet.get("resource"), study.registry)["repository"],
        }
        for name, sheet in study.models.items()
    }


def _origin(sheet: Dataset, registry: Mapping[str, Resource]) -> dict[str, Any]:
    described = sheet if sheet.resource is None else registry[sheet.resource]
    return {
        "about": sheet.about,
        "licence": described.licence,
        "redistribute": described.redistribute,
        "multi_label": sheet.multi_label,
        **_fetched(sheet.resource, registry),
    }


def _fetched(resource: str | None, registry: Mapping[str, Resource]) -> dict[str, Any]:
    """Return the sources of a resource: `urls`, and the first `repository` and package.

    The mirrors of a package index only count if there is nothing else.
    """
    sources = registry[resource].sources if resource else []
    repositories = [source.repository for source in sources if isinstance(source, Hub)]
    packages = [
        f"{source.package} {source.version}" for source in sources if isinstance(source, Wheel)
    ]
    return {
        "urls": [source.url for source in sources if isinstance(source, Archive | Https)],
        "repository": next(iter(repositories), None),
        "package": next(iter(packages), None),
    }
