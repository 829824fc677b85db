"""The registry of external resources."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, RootModel, model_validator

from .datasets import NAME, SIGNS
from .types import Count, ListTag, NullTag, Sha256, Sheet, TextTag, by_type, fault, text

ResourceName = Annotated[str, text(NAME, name="name", about=f"a resource's name of {SIGNS}")]
# Files are moved to these paths in the folder of the resource.
PART = r"[^/{}\x00-\x1f]*[^/.{}\x00-\x1f][^/{}\x00-\x1f]*"
INNER_PATH = f"{PART}(/{PART})*"
InnerPath = Annotated[str, text(f"^{INNER_PATH}$", name="path", about="a path inside the resource")]
Digests = Annotated[
    Annotated[None, NullTag]
    | Annotated[Sha256, TextTag]
    | Annotated[list[Sha256], Field(min_length=1), ListTag],
    by_type,
]
ArchiveMegabytes = Annotated[
    Count | None,
    Field(description="the size of the archive itself, if it is larger than the resource"),
]


class Https(Sheet):
    """A file at an address."""

    kind: Literal["https"]
    """url"""
    url: str


class Archive(Sheet):
    """An archive at an address."""

    kind: Literal["archive"]
    """url, and optionally prefix, sha256, megabytes"""
    url: str
    prefix: InnerPath | None = None
    """the folder in the archive below which the files lie"""
    megabytes: ArchiveMegabytes = None
    sha256: Sha256 | None = None
    """sha256 of the archive itself; if given, all its files below the prefix are used, instead of
    the resource's files"""


class Hub(Sheet):
    """A repository of the model hub."""

    kind: Literal["hub"]
    """repository, revision, and optionally type"""
    repository: str
    revision: str
    type: Literal["model", "dataset"] | None = None


class Maven(Sheet):
    """An artefact of a Maven repository, with its dependencies."""

    kind: Literal["maven"]
    """artefact, repository"""
    artefact: str = Field(pattern="^[^:]+:[^:]+:[^:]+$")
    """group, name and version; the files are its jar and those of all dependencies"""
    repository: str


class Wheel(Sheet):
    """A package of the package index."""

    kind: Literal["wheel"]
    """package, version, and optionally prefix, megabytes"""
    package: str
    version: str
    prefix: InnerPath | None = None
    """the folder in the archive below which the files lie"""
    megabytes: ArchiveMegabytes = None


Source = Annotated[Https | Archive | Hub | Maven | Wheel, Field(discriminator="kind")]


class Resource(Sheet):
    """An external resource, and the sources of its files."""

    about: str
    """what the resource is and who made it"""
    version: str
    """the pinned version"""
    licence: str
    """the licence (an SPDX identifier if there is one)"""
    redistribute: bool = False
    """whether the licence allows `snakemake export` to redistribute its texts; weights are never
    exported"""
    megabytes: Count
    """approximate disk space in millions of bytes; a source that takes more than twice as much
    is refused"""
    files: dict[InnerPath, Digests] | None = Field(default=None, min_length=1)
    """sha256 of each file, or a list of accepted ones; null if none is published and only the
    pinned revision of the source identifies the file"""
    lock: str | None = None
    """instead of files, if there are many: a file with the sha256 and path of each, in the format
    of sha256sum; its own path starts at the registry's folder"""
    sources: list[Source] = Field(min_length=1)
    """where the files come from, tried in order"""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"required": ["lock"]},
            "then": {"properties": {"files": False}},
            "else": {"required": ["files"]},
        }
    )

    @model_validator(mode="after")
    def _check_files(self) -> Self:
        if self.lock is not None and self.files is not None:
            expected = "no files if there is a lock"
            raise fault(key="files", found="files along with a lock", expected=expected)
        if self.lock is None and self.files is None:
            raise fault(found="neither 'files' nor 'lock'", expected="one of them")
        return self


class Registry(RootModel[dict[ResourceName, Resource]]):
    """The registry of external resources."""
