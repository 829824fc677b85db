"""Bounds in bytes and in time, for sources of every kind."""

import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from hinter.resources import bounds
from hinter.resources.fetching import KINDS
from sources import (
    DRIPS,
    FAR_TOO_MUCH,
    WHOLE,
    FileServer,
    entry_of,
    failure_of,
    https_source,
    maven_source,
    names_in,
    use_only_index,
)

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "workflow" / "scripts"


def _of_every_kind(server: FileServer, content: bytes) -> dict[str, dict[str, str]]:
    """Have `content` served as each kind of source, whose one file is a.txt, and return them."""
    wheel = "sample_part-1.0-py3-none-any.whl"
    paths = ["/a.txt", "/owner/repo/resolve/abc123/a.txt", "/a.zip", f"/{wheel}"]
    server.files = dict.fromkeys(paths, content)
    server.files["/simple/sample-part/"] = f'<a href="/{wheel}">{wheel}</a>'.encode()
    return {
        "https": https_source(server.url("/a.txt")),
        "archive": {"kind": "archive", "url": server.url("/a.zip")},
        "hub": {"kind": "hub", "repository": "owner/repo", "revision": "abc123"},
        "maven": maven_source(server.url()),
        "wheel": {"kind": "wheel", "package": "sample-part", "version": "1.0"},
    }


@pytest.mark.parametrize("kind", KINDS)
def test_source_that_sends_far_more_than_the_registry_says_is_cut_off(
    kind: str, hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(hub.url("/simple"), monkeypatch=monkeypatch)
    source = _of_every_kind(hub, FAR_TOO_MUCH)[kind]
    # No source is done before anybody looks.
    hub.pause_seconds = bounds.GLANCE_SECONDS / 20
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert re.search(
        r": it takes more than (2|6) MB \(see `megabytes` in the registry\); ", message
    )
    assert names_in(folder) == []


# Each of them is waited for.
@pytest.mark.parametrize(
    "kind",
    [
        kind if kind in ("https", "hub") else pytest.param(kind, marks=pytest.mark.release)
        for kind in KINDS
    ],
)
def test_source_that_hardly_sends_anything_is_given_up(
    kind: str, hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(hub.url("/simple"), monkeypatch=monkeypatch)
    monkeypatch.setattr(bounds, "SECONDS", 4.0)
    source = _of_every_kind(hub, WHOLE)[kind]
    hub.slow = {path for path in hub.files if path.endswith(("a.txt", ".zip", ".whl"))}
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert ": less than 100 kB arrived in 4 seconds; " in message
    assert hub.dripped < DRIPS
    assert names_in(folder) == []


def test_a_source_has_time_to_read_again_what_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of large files the sha256 takes long on a slow disk, and nothing comes meanwhile."""
    monkeypatch.setattr(bounds, "SECONDS", 1.0)
    monkeypatch.setattr(bounds, "READ_BYTES_PER_SECOND", 1e6)

    def fetch(seconds: float) -> None:
        (tmp_path / "a").write_bytes(bytes(3_000_000))
        time.sleep(seconds)

    for seconds, failure in [(2, None), (30, "less than 100 kB arrived in 4 seconds")]:
        told = bounds.within_bounds(partial(fetch, seconds), folder=tmp_path, most_bytes=10_000_000)
        assert told == failure


@pytest.mark.parametrize("kind", ["https", "wheel"])
def test_a_fetch_that_is_killed_asks_for_nothing_more(
    kind: str, server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(server.url("/simple"), monkeypatch=monkeypatch)
    source = _of_every_kind(server, WHOLE)[kind]
    server.slow = {path for path in server.files if path.endswith(("a.txt", ".whl"))}
    entry = entry_of({"a.txt": WHOLE}, source)
    program = (
        "import sys\nfrom pathlib import Path\nfrom hinter.resources import fetch_resource\n"
        f"fetch_resource(name='sample', entry={entry!r}, folder=Path({str(folder)!r}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=SCRIPTS) as process:
        while not server.dripped:
            time.sleep(0.05)
        process.kill()
    time.sleep(2)
    dripped = server.dripped
    time.sleep(1)
    assert dripped == server.dripped < DRIPS
