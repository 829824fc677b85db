"""Requests: bounded in time and size, and no answer believed that LanguageTool would not give."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from hinter.grammar import request

pytestmark = pytest.mark.long


@contextmanager
def _sending(parts: Iterator[bytes]) -> Iterator[str]:
    """Run a server that answers with all of `parts`, and yield its address."""

    class Sender(SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                for part in parts:
                    self.wfile.write(part)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Sender) as opened:
        Thread(target=opened.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{opened.server_port}"
        opened.shutdown()


def _dripped() -> Iterator[bytes]:
    """Send a byte now and then, for 15 seconds."""
    for _ in range(150):
        time.sleep(0.1)
        yield b" "


def test_a_server_that_drips_bytes_holds_no_request() -> None:
    begun = time.monotonic()
    with _sending(_dripped()) as url, pytest.raises(request.NoAnswerError, match="takes too long"):
        request.ask_server(url, "So.", left_out=[], seconds=1)
    assert 1 <= time.monotonic() - begun < 5


def test_an_answer_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "MOST_BYTES", 10**6)
    sent: list[int] = []

    def parts() -> Iterator[bytes]:
        for _ in range(1000):
            sent.append(10**5)
            yield bytes(10**5)

    with (
        _sending(parts()) as url,
        pytest.raises(request.NoAnswerError, match="more than 1000000 bytes"),
    ):
        request.ask_server(url, "So.", left_out=[], seconds=60)
    assert sum(sent) < 5 * 10**7


@pytest.mark.parametrize("said", [b"", b"no JSON", b"[]", b"[" * 200_000, b"\xff", b"null"])
def test_what_no_languagetool_says_is_no_answer(said: bytes) -> None:
    with _sending(iter([said])) as url, pytest.raises(request.NoAnswerError):
        request.ask_server(url, "So.", left_out=[], seconds=60)
