"""Sources are tried in order, and nothing unverified is ever kept."""

import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import huggingface_hub.constants
import pytest
import yaml
from hinter.resources import fetching, read_registry
from hinter.resources.fetching import KINDS
from sources import (
    DRIPS,
    ENTRY,
    FAR_TOO_MUCH,
    OTHER,
    WHOLE,
    FileServer,
    content_of,
    entry_of,
    failure_of,
    fetch,
    https_source,
    maven_source,
    names_in,
    sha256_of,
    use_only_index,
    zipped,
)

pytestmark = pytest.mark.long


def test_second_source_is_used_where_the_first_has_nothing(
    server: FileServer, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.files["/second"] = WHOLE
    sources = [https_source(server.url(path)) for path in ("/first", "/second", "/third")]
    with caplog.at_level(logging.INFO):
        fetch(folder, entry_of({"a.txt": WHOLE}, *sources))
    assert content_of(folder) == {"a.txt": WHOLE}
    assert server.asked() == ["/first", "/second"]
    assert f"resource sample came from https {server.url('/second')}" in caplog.text
    assert names_in(folder) == ["sample"]


def test_source_with_other_bytes_is_passed_over(server: FileServer, folder: Path) -> None:
    server.files = {"/first": OTHER, "/second": WHOLE}
    sources = [https_source(server.url(path)) for path in server.files]
    fetch(folder, entry_of({"a.txt": WHOLE}, *sources))
    assert content_of(folder) == {"a.txt": WHOLE}
    assert names_in(folder) == ["sample"]


def test_one_wrong_file_of_several_refuses_the_source(hub: FileServer, folder: Path) -> None:
    place = "/owner/repo/resolve/abc123"
    hub.files = {f"{place}/a.txt": WHOLE, f"{place}/b.txt": OTHER}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    message = failure_of(folder, entry_of({"a.txt": WHOLE, "b.txt": WHOLE}, source))
    assert (
        f"wrong sha256 of b.txt: found {sha256_of(OTHER)}, expected {sha256_of(WHOLE)}" in message
    )
    assert names_in(folder) == []


def test_wrong_bytes_everywhere_are_one_clear_line(server: FileServer, folder: Path) -> None:
    server.files = {"/first": OTHER, "/second": b"neither"}
    sources = [https_source(server.url(path)) for path in server.files]
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, *sources))
    for path, content in server.files.items():
        assert (
            f"https {server.url(path)}: wrong sha256 of a.txt: found {sha256_of(content)}, "
            f"expected {sha256_of(WHOLE)}"
        ) in message
    assert "expected one source that provides a.txt with the registry's sha256" in message
    assert "run `snakemake resources`" in message
    assert names_in(folder) == []


@pytest.mark.parametrize("sent", [WHOLE, OTHER])
def test_any_listed_sha256_is_accepted(sent: bytes, server: FileServer, folder: Path) -> None:
    server.files["/a"] = sent
    entry = entry_of({"a.txt": WHOLE}, https_source(server.url("/a")))
    entry["files"]["a.txt"].append(sha256_of(OTHER))
    fetch(folder, entry)
    assert content_of(folder) == {"a.txt": sent}


def test_sha256_beside_the_list_is_refused(server: FileServer, folder: Path) -> None:
    server.files["/a"] = b"neither"
    entry = entry_of({"a.txt": WHOLE}, https_source(server.url("/a")))
    entry["files"]["a.txt"].append(sha256_of(OTHER))
    assert f"expected {sha256_of(WHOLE)} or {sha256_of(OTHER)}" in failure_of(folder, entry)
    assert names_in(folder) == []


def test_file_without_a_sha256_is_taken_as_it_comes_and_must_come(
    hub: FileServer, tmp_path: Path, folder: Path
) -> None:
    files = {"vocab.json": None, "model.bin": sha256_of(WHOLE)}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "a" * 40}
    entry = ENTRY | {"files": files, "sources": [source]}
    (tmp_path / "registry.yaml").write_text(yaml.safe_dump({"sample": entry}), encoding="utf-8")
    read = read_registry(tmp_path / "registry.yaml")["sample"]
    place = f"/owner/repo/resolve/{'a' * 40}"
    hub.files = {f"{place}/model.bin": WHOLE}
    assert "vocab.json" in failure_of(folder, read)
    assert not folder.exists()
    hub.files[f"{place}/vocab.json"] = OTHER
    fetch(folder, read)
    assert content_of(folder) == {"vocab.json": OTHER, "model.bin": WHOLE}
    # Where there is no network any more.
    hub.files = {}
    fetch(folder, read)
    (folder / "vocab.json").unlink()
    assert "vocab.json" in failure_of(folder, read)


def test_answer_that_breaks_off_is_not_taken_even_if_its_half_is_expected(
    server: FileServer, folder: Path
) -> None:
    server.files["/a"] = WHOLE
    server.broken_off = {"/a"}
    half = WHOLE[: len(WHOLE) // 2]
    message = failure_of(folder, entry_of({"a.txt": half}, https_source(server.url("/a"))))
    assert f"{len(half)} bytes read" in message
    assert names_in(folder) == []


@pytest.mark.parametrize("kind", ["https", "archive", "hub", "maven"])
def test_answer_that_breaks_off_leads_to_the_next_source(
    kind: str, hub: FileServer, folder: Path
) -> None:
    place = "/owner/repo/resolve/abc123/a.txt"
    hub.files = {"/a": WHOLE, "/a.zip": zipped({"a.txt": WHOLE}), place: WHOLE, "/a.txt": WHOLE}
    hub.files["/whole"] = WHOLE
    hub.broken_off = set(hub.files) - {"/whole"}
    first = {
        "https": https_source(hub.url("/a")),
        "archive": {"kind": "archive", "url": hub.url("/a.zip")},
        "hub": {"kind": "hub", "repository": "owner/repo", "revision": "abc123"},
        "maven": maven_source(hub.url()),
    }[kind]
    fetch(folder, entry_of({"a.txt": WHOLE}, first, https_source(hub.url("/whole"))))
    assert content_of(folder) == {"a.txt": WHOLE}
    # One file in many may fail by chance, and is asked for three times.
    assert len(hub.requests) == (4 if kind == "maven" else 2)
    assert names_in(folder) == ["sample"]


# What is there already.


def test_complete_folder_is_left_alone(server: FileServer, folder: Path) -> None:
    server.files["/a"] = WHOLE
    entry = entry_of({"a.txt": WHOLE}, https_source(server.url("/a")))
    fetch(folder, entry)
    before = [path.stat().st_mtime_ns for path in (folder, folder / "a.txt")]
    server.requests.clear()
    fetch(folder, entry)
    assert [path.stat().st_mtime_ns for path in (folder, folder / "a.txt")] == before
    assert server.requests == []


def test_files_put_there_by_hand_need_no_network(closed_port: int, folder: Path) -> None:
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").write_bytes(WHOLE)
    url = f"http://127.0.0.1:{closed_port}/a"
    fetch(folder, entry_of({"sub/a.txt": WHOLE}, https_source(url)))
    assert content_of(folder) == {"sub/a.txt": WHOLE}


@pytest.mark.parametrize("damaged", [None, b"", WHOLE[:-1]])
def test_damaged_folder_is_fetched_anew(
    damaged: bytes | None, server: FileServer, folder: Path
) -> None:
    server.files["/a"] = WHOLE
    folder.mkdir(parents=True)
    if damaged is not None:
        (folder / "a.txt").write_bytes(damaged)
    fetch(folder, entry_of({"a.txt": WHOLE}, https_source(server.url("/a"))))
    assert content_of(folder) == {"a.txt": WHOLE}
    assert names_in(folder) == ["sample"]


def test_failed_fetch_leaves_an_incomplete_folder_as_it_was(
    server: FileServer, folder: Path
) -> None:
    folder.mkdir(parents=True)
    (folder / "a.txt").write_bytes(WHOLE)
    failure_of(
        folder, entry_of({"a.txt": WHOLE, "b.txt": OTHER}, https_source(server.url("/none")))
    )
    assert content_of(folder) == {"a.txt": WHOLE}
    assert names_in(folder) == ["sample"]


def test_interrupted_fetch_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Mapping[str, str], names: Sequence[str], partial: Path) -> None:
        (partial / names[0]).write_bytes(WHOLE)
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(30)

    monkeypatch.setitem(KINDS, "https", interrupted)
    # What runs in the background of a shell is deaf to it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            fetch(folder, entry_of({"a.txt": WHOLE}, https_source("https://none")))
    finally:
        signal.signal(signal.SIGINT, before)
    assert names_in(folder) == []


def test_what_another_study_has_fetched_meanwhile_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(_: Mapping[str, str], names: Sequence[str], partial: Path) -> None:
        for place in (partial, folder):
            place.mkdir(exist_ok=True)
            (place / names[0]).write_bytes(WHOLE)
        os.utime(folder / names[0], (1, 1))

    monkeypatch.setitem(KINDS, "https", late)
    fetch(folder, entry_of({"a.txt": WHOLE}, https_source("https://none")))
    assert (folder / "a.txt").stat().st_mtime == 1
    assert names_in(folder) == ["sample"]


def test_failure_of_several_lines_is_told_in_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise ValueError("one\n  two\n")

    monkeypatch.setitem(KINDS, "https", failing)
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, https_source("https://none")))
    assert "https https://none: ValueError: one two; expected" in message


def test_no_network_is_one_clear_line_that_names_every_source(
    closed_port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = f"http://127.0.0.1:{closed_port}"
    template = base + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    sources = [
        https_source(f"{base}/a"),
        {"kind": "archive", "url": f"{base}/a.zip"},
        {"kind": "hub", "repository": "owner/repo", "revision": "abc123"},
        maven_source(base),
    ]
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, *sources))
    for described in (
        f"https {base}/a:",
        f"archive {base}/a.zip:",
        "hub owner/repo abc123:",
        "maven org.it:it:1.0",
    ):
        assert described in message
    assert message.count("Connection refused") == len(sources)
    assert "Connect to the network (gated repositories need HF_TOKEN" in message
    assert "and run `snakemake resources`" in message
    assert names_in(folder) == []


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
    hub.pause_seconds = fetching.GLANCE_SECONDS / 20
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
    monkeypatch.setattr(fetching, "SECONDS", 4.0)
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
    monkeypatch.setattr(fetching, "SECONDS", 1.0)
    monkeypatch.setattr(fetching, "READ_BYTES_PER_SECOND", 1e6)

    def fetch(seconds: float) -> None:
        (tmp_path / "a").write_bytes(bytes(3_000_000))
        time.sleep(seconds)

    for seconds, failure in [(2, None), (30, "less than 100 kB arrived in 4 seconds")]:
        told = fetching.within_bounds(
            partial(fetch, seconds), folder=tmp_path, most_bytes=10_000_000
        )
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
