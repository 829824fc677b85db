"""The model hub: pinned files, and a token that nobody else is given."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import huggingface_hub.constants
import pytest
import yaml
from sources import ENTRY, OTHER, WHOLE, FileServer, content_of, entry_of, fetch, sha256_of

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[4]
SCRIPTS = ROOT / "workflow" / "scripts"
TOKEN = "hf_neverShowThisToAnyone"


@pytest.mark.parametrize(
    ("options", "place"), [({}, "/owner/repo"), ({"type": "dataset"}, "/datasets/owner/repo")]
)
def test_hub_is_asked_for_each_file_at_the_pinned_revision(
    options: dict[str, str], place: str, hub: FileServer, folder: Path
) -> None:
    wanted = {"config.json": OTHER, "onnx/model.bin": WHOLE}
    hub.files = {f"{place}/resolve/abc123/{name}": body for name, body in wanted.items()}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123", **options}
    fetch(folder, entry_of(wanted, source))
    assert content_of(folder) == wanted
    assert hub.asked() == list(hub.files)


@pytest.mark.parametrize("answer", ["served", "refused", "wrong"])
def test_token_goes_to_the_hub_and_into_no_log(
    answer: str, server: FileServer, tmp_path: Path, folder: Path
) -> None:
    place = "/owner/gated/resolve/abc123/model.bin"
    server.files[place] = OTHER if answer == "wrong" else WHOLE
    server.refused = {place} if answer == "refused" else set()
    source = {"kind": "hub", "repository": "owner/gated", "revision": "abc123"}
    files = {"model.bin": sha256_of(WHOLE)}
    entry = ENTRY | {"files": files, "sources": [source]}
    registry, log = tmp_path / "registry.yaml", tmp_path / "job.log"
    registry.write_text(yaml.safe_dump({"sample": entry}), encoding="utf-8")
    program = (
        "import sys, fetch_resource, hinter.job\n"
        "log, registry, folder = sys.argv[1:]\n"
        "with hinter.job.logged_to(log):\n"
        "    fetch_resource.main(registry=registry, name='sample', folder=folder)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, log, registry, folder],
        env=os.environ
        | {"HF_ENDPOINT": server.url(), "HF_TOKEN": TOKEN, "PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    written = log.read_text(encoding="utf-8")
    ((asked, headers),) = server.requests
    assert (asked, headers["Authorization"]) == (place, f"Bearer {TOKEN}")
    assert TOKEN not in written + done.stdout + done.stderr
    assert "owner/gated" in written
    assert (done.returncode, folder.is_dir()) == ((0, True) if answer == "served" else (1, False))


def test_hub_without_a_token_is_asked_without_one(
    hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(huggingface_hub.constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    hub.files["/owner/repo/resolve/abc123/model.bin"] = WHOLE
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    fetch(folder, entry_of({"model.bin": WHOLE}, source))
    ((_, headers),) = hub.requests
    assert "Authorization" not in headers


def test_token_does_not_follow_a_redirect_to_another_host(
    hub: FileServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    caplog.set_level(logging.DEBUG)
    place = "/owner/repo/resolve/abc123/model.bin"
    hub.redirects[place] = hub.url("/storage/model.bin", host="localhost")
    hub.files["/storage/model.bin"] = WHOLE
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    fetch(folder, entry_of({"model.bin": WHOLE}, source))
    (_, first), (_, second) = hub.requests
    assert first["Authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in str(second)
    assert TOKEN not in caplog.text
