"""A server of chat completions that takes its time."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from inference_models import LABELS

DELAY_S = 0.3


class _SlowServer(ThreadingHTTPServer):
    """Answers each chat after `DELAY_S` with the label that its last message's digest chooses."""

    daemon_threads = True
    request_queue_size = 128


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = request["messages"][-1]["content"]
        message = {"role": "assistant", "content": LABELS[blake2b(asked.encode()).digest()[0] % 2]}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = json.dumps({"choices": [choice], "usage": usage}).encode()
        time.sleep(DELAY_S)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def slow_server() -> Iterator[str]:
    """Yield the address of the server while it runs."""
    with _SlowServer(("127.0.0.1", 0), _Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
