"""A proxy before an OpenAI-compatible server that does what endpoints do on bad days."""

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Call:
    """One call as the proxy sees it: the handler, the request's body, its place among all calls."""

    def __init__(self, handler: "_Handler", body: bytes, *, order: int) -> None:
        self.handler, self.body, self.order = handler, body, order

    def send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.handler.send_response(status)
        content = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        for name, value in {**content, **(headers or {})}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(body)


Fault = Callable[[Call], None]


def status(code: int, *, message: str = "not now", **headers: str) -> Fault:
    body = json.dumps({"error": {"message": message, "code": str(code)}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda call: call.send(code, body, named)


def body(content: bytes, *, code: int = 200) -> Fault:
    return lambda call: call.send(code, content)


def completion(**choice: Any) -> Fault:
    return body(json.dumps({"choices": [choice]}).encode())


def cut(call: Call) -> None:
    """Promise more than is sent."""
    call.send(200, b'{"choices": [', {"Content-Length": "500"})
    call.handler.close_connection = True


def slow(call: Call) -> None:
    """Answer nothing until the client has gone."""
    call.handler.connection.recv(1)
    call.handler.close_connection = True


FAULTS: dict[str, Fault] = {
    "limit": status(429, Retry_After="0"),
    "limit without a word": status(429),
    "internal": status(500),
    "gateway": status(502),
    "unavailable": status(503, Retry_After="0"),
    "overloaded": status(529),
    "slow": slow,
    "cut": cut,
    "not JSON": body(b'{"choices": ['),
    "no choices": body(b'{"choices": []}'),
    "no content": completion(message={"content": None}, finish_reason=None),
    "not UTF-8": body(b'{"choices": [{"message": {"content": "\xff"}}]}'),
}


NOT_FOUND = status(404)
# Sooner than a client gives up.
CALLS_TO_AN_ANSWER = 5


class FaultyProxy(ThreadingHTTPServer):
    """A proxy on a free loopback port before the server at `upstream`, a host and port.

    A share of the completions meets one of `faults`, which take turns. Whether a call meets one
    hangs on `seed`, the request and how often it came, never on the order of requests. Unless
    `share` is 1, every fifth call of a request is answered. Without `upstream` the list of models
    is `models`, and `share` is 1.
    """

    daemon_threads = False

    def __init__(
        self,
        upstream: str | None = None,
        *,
        faults: Mapping[str, Fault],
        share: float = 1.0,
        models: Fault = NOT_FOUND,
        seed: int = 1,
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream, self.models = upstream, models
        self.faults, self.share, self.seed = faults, share, seed
        self.met: Counter[str] = Counter()
        self.calls: Counter[bytes] = Counter()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def begin(self, handler: "_Handler", request: bytes) -> tuple[Call, str | None]:
        """Return the call and the name of the fault that it meets."""
        with self._lock:
            self.calls[request] += 1
            call = Call(handler, request, order=self.calls.total())
            if self._meets_fault(request):
                fault = list(self.faults)[self.met.total() % len(self.faults)]
                self.met[fault] += 1
                return call, fault
            return call, None

    def _meets_fault(self, request: bytes) -> bool:
        came = self.calls[request]
        if self.share < 1 and came % CALLS_TO_AN_ANSWER == 0:
            return False
        draw = random.Random(f"{self.seed} {came} {request.decode()}").random()
        return draw < self.share

    def handle_error(self, *_: Any) -> None:
        """Clients that go are part of the plan."""


@contextmanager
def running(proxy: FaultyProxy) -> Iterator[FaultyProxy]:
    """Run `proxy` in a thread."""
    with proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FaultyProxy
    protocol_version = "HTTP/1.1"
    timeout = 60
    # Content that follows its headers would wait 40 ms for the acknowledgement of these.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        call = Call(self, b"", order=0)
        if self.server.upstream:
            self._pass_on(call, upstream=self.server.upstream)
        else:
            self.server.models(call)

    def do_POST(self) -> None:
        request = self.rfile.read(int(self.headers["Content-Length"]))
        call, fault = self.server.begin(self, request)
        if fault:
            self.server.faults[fault](call)
        elif self.server.upstream:
            self._pass_on(call, upstream=self.server.upstream)

    def _pass_on(self, call: Call, *, upstream: str) -> None:
        passed_on = ("Authorization", "Content-Type")
        headers = {name: self.headers[name] for name in passed_on if name in self.headers}
        with closing(HTTPConnection(upstream)) as connection:
            connection.request(self.command, self.path, body=call.body or None, headers=headers)
            answer = connection.getresponse()
            call.send(answer.status, answer.read())

    def log_message(self, *_: Any) -> None:
        """Write nothing to the terminal."""
