"""A stand-in for a paid model: an OpenAI-compatible server that knows no more than its prompt.

Its answer is that of one of the examples in the prompt, drawn by a digest of the question: always
the same for one text, and soon another for a mutant of it.
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOST = "127.0.0.1"
CHARS_PER_TOKEN = 5


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": self.server.model, "object": "model"}]})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._send(completion(request["messages"]))

    def log_message(self, *_: Any) -> None:
        """Leave the terminal to the study."""

    def _send(self, document: Mapping[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: str, *, port: int) -> None:
        super().__init__((HOST, port), _Handler)
        self.model = model


def completion(messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return the chat completion of the turns of a few-shot prompt (`role`, `content`)."""
    answers = [turn["content"] for turn in messages if turn["role"] == "assistant"]
    digest = hashlib.sha256(messages[-1]["content"].encode()).digest()
    answer = answers[digest[0] % len(answers)]
    asked = sum(len(turn["content"]) for turn in messages) // CHARS_PER_TOKEN
    return {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": answer},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": asked, "completion_tokens": len(answer.split())},
    }


@contextmanager
def standing_in(model: str, *, port: int) -> Iterator[None]:
    """Serve as the `model` on a port of this machine; raises `OSError` where it is taken."""
    with _Server(model, port=port) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
