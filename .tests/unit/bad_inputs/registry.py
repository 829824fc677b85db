"""Registries of external resources, their locks, and what cannot be fetched by them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from hinter.resources import read_registry

from .case import Case, Line, write

DIGEST = "0" * 64
ENTRY = {
    "about": "what it is",
    "version": "1.0",
    "licence": "MIT",
    "megabytes": 1,
    "files": {"a.txt": DIGEST},
    "sources": [{"kind": "https", "url": "https://example.org/a.txt"}],
}
IN_SCHEMA = "described in config/schemas/registry.schema.yaml"
LOCKED = "a sha256, two spaces and a path inside the resource, each path once"
MAKE_LOCK = "or run `make lock`"
INSIDE = "a path inside the resource"
OUTSIDE = {
    "above it": "../a.txt",
    "above a folder of it": "b/../../a.txt",
    "at the root": "/a.txt",
    "that is itself": ".",
    "that is empty": "",
    "of an empty folder": "b//a.txt",
    "with a line break": "a\nb.txt",
    "with a wildcard": "{a}.txt",
}


def _case(line: Line, *, name: str = "sample", **changes: Any) -> Case:
    def read(folder: Path) -> object:
        text = yaml.safe_dump({name: _without_none(ENTRY | changes)})
        return read_registry(write(folder / "registry.yaml", text))

    return Case(read, line)


def _without_none(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if value is not None}


def _lock(content: str | bytes, line: Line) -> Case:
    def read(folder: Path) -> object:
        write(folder / "jars.sha256", content)
        text = yaml.safe_dump({"sample": ENTRY | {"files": None, "lock": "jars.sha256"}})
        return read_registry(write(folder / "registry.yaml", text))

    return Case(read, line)


def _source(line: Line, **source: Any) -> Case:
    return _case(line, sources=[source])


CASES = {
    "a name with a separator": _case(
        Line("registry.yaml", "'a/b', which is not a valid name", "lower-case letters", IN_SCHEMA),
        name="a/b",
    ),
    "a name that leads out of the folder": _case(
        Line("registry.yaml", "'..', which is not a valid name", "lower-case letters", IN_SCHEMA),
        name="..",
    ),
    **{
        f"a file {where}": _case(
            Line("key 'sample.files'", "which is not a valid path", INSIDE, IN_SCHEMA),
            files={file: DIGEST},
        )
        for where, file in OUTSIDE.items()
    },
    "a prefix that leads out of an archive": _source(
        Line(
            "sources.0.prefix'",
            "'../b', which is not a valid path",
            "the folder in the archive",
            IN_SCHEMA,
        ),
        kind="archive",
        url="https://example.org/a.zip",
        prefix="../b",
    ),
    "a sha256 that is too short": _case(
        Line("key 'sample.files.a.txt'", "'00'", "text", IN_SCHEMA), files={"a.txt": "00"}
    ),
    "a sha256 that is a number": _case(
        Line("key 'sample.files.a.txt'", "0", "null or text or a list", IN_SCHEMA),
        files={"a.txt": 0},
    ),
    "no sha256 among the accepted": _case(
        Line("key 'sample.files.a.txt'", "[]", "a list of at least 1", IN_SCHEMA),
        files={"a.txt": []},
    ),
    "no file": _case(
        Line("key 'sample.files'", "{}", "a mapping of at least 1", IN_SCHEMA), files={}
    ),
    "neither files nor a lock": _case(
        Line("key 'sample'", "neither 'files' nor 'lock'", "one of them", IN_SCHEMA), files=None
    ),
    "files beside a lock": _case(
        Line("key 'sample.files'", "files along with a lock", "no files if there is", IN_SCHEMA),
        lock="a.sha256",
    ),
    "no source": _case(
        Line("key 'sample.sources'", "[]", "a list of at least 1", IN_SCHEMA), sources=[]
    ),
    "a source of an unknown kind": _source(
        Line("key 'sample.sources.0.kind'", "'ftp'", "one of https (", IN_SCHEMA), kind="ftp"
    ),
    "a source without its kind": _source(
        Line("key 'sample.sources.0'", "no key 'kind'", "'kind' as one of", IN_SCHEMA), url="x"
    ),
    "a source without its address": _source(
        Line("key 'sample.sources.0'", "no key 'url'", "the keys kind, url", IN_SCHEMA),
        kind="https",
    ),
    "a source with code of its own": _source(
        Line("sources.0'", "the unknown key 'trust_remote_code'", "only the keys", IN_SCHEMA),
        kind="hub",
        repository="a/b",
        revision="c",
        trust_remote_code=True,
    ),
    "an artefact without its version": _source(
        Line("key 'sample.sources.0.artefact'", "'org:it'", "text", IN_SCHEMA),
        kind="maven",
        artefact="org:it",
        repository="https://example.org",
    ),
    "no size": _case(Line("key 'sample.megabytes'", "0", "of at least 1", IN_SCHEMA), megabytes=0),
    "a version that YAML takes for a number": _case(
        Line("key 'sample.version'", "1.0", "text", "Put text in quotes"), version=1.0
    ),
    "a lock that is not there": _case(
        Line("none.sha256", "no such file", "the lock of a resource", MAKE_LOCK),
        files=None,
        lock="none.sha256",
    ),
    "a lock of nothing": _lock("", Line("jars.sha256, line 1", "nothing", LOCKED, MAKE_LOCK)),
    "a lock of another form": _lock(
        f"{DIGEST} a.jar\n", Line("jars.sha256, line 1", "a.jar", LOCKED, MAKE_LOCK)
    ),
    "a lock of a file above the resource": _lock(
        f"{DIGEST}  ../a.jar\n", Line("jars.sha256, line 1", "../a.jar", LOCKED, MAKE_LOCK)
    ),
    "a lock of a file twice": _lock(
        f"{DIGEST}  a.jar\n" * 2, Line("line 2", "a.jar a second time", LOCKED, MAKE_LOCK)
    ),
    "a lock that is not UTF-8": _lock(
        b"\xff\n", Line("jars.sha256, line 1", "the byte 0xff", "UTF-8 text", "Convert the file")
    ),
}
