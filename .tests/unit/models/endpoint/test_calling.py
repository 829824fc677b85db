"""What a call costs, how long and how large it may be, and what is said of calls that fail."""

import gzip
import json
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from faults import FAULTS, Call, Fault, FaultyProxy, body, completion, running, status
from hinter.errors import InputError
from hinter.models.endpoint import settings
from hinter.models.endpoint.budget import Ledger, Prices, Spending
from hinter.models.endpoint.calling import MAX_ATTEMPTS
from hinter.models.endpoint.client import Endpoint
from hinter.models.endpoint.preflight import check_endpoint
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.endpoint.token_counters import open_token_counter
from hinter.models.model import ParsedAnswer, Status
from serving import free_port

KEY, KEY_VARIABLE = "sk-neverShowThis/ToAnyone", "ENDPOINT_KEY"
PRICES = Prices(input_per_million=0.5, output_per_million=1.5)
CONTEXT_TOKENS, ANSWER_TOKENS, SLACK = 400, 4, 64
LEAST_ASKED = 12
"""A quarter of the tokens that are counted of each text with its chat."""
TEXTS = [f"I like film number {number}." for number in range(40)]
YES = {"message": {"content": "yes"}, "finish_reason": "stop"}


class WordsParser:
    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        return ParsedAnswer(Status.UNPARSED, answer=answer)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch, no_waits: None) -> None:
    """Give the key, and wait for nothing."""
    monkeypatch.setenv(KEY_VARIABLE, KEY)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite", 1)


@pytest.fixture
def opened(resources: Path, ledger: Ledger) -> Callable[..., Endpoint]:
    """Return a function that opens an endpoint, which pays from the ledger."""
    counter = open_token_counter(resources / "cl100k_base")

    def opened(url: str, **changed: Any) -> Endpoint:
        settings: dict[str, Any] = {
            "base_url": url,
            "model": "m",
            "key_variable": KEY_VARIABLE,
            "context_tokens": CONTEXT_TOKENS,
            "max_answer_tokens": ANSWER_TOKENS,
            "concurrency": 1,
            "timeout_seconds": 20,
        }
        return Endpoint(
            EndpointSettings(**{**settings, **changed}),
            messages=lambda text: [{"role": "user", "content": text}],
            parser=WordsParser(),
            counter=counter,
            spending=Spending(ledger, PRICES),
        )

    return opened


def _worst(endpoint: Endpoint) -> int:
    """Return the price that is reserved for a call about the first text."""
    (tokens,) = endpoint.input_tokens(TEXTS[:1])
    return PRICES.cost(input_tokens=tokens, output_tokens=ANSWER_TOKENS)


def _asked(endpoint: Endpoint, count: int = 1) -> list[str]:
    found = dict(pair for part in endpoint.responses(TEXTS[:count]) for pair in part)
    return [found[position] for position in range(count)]


def _refused(endpoint: Endpoint) -> str:
    with pytest.raises(InputError) as caught:
        _asked(endpoint)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def _first(fault: Fault) -> dict[str, Fault]:
    """One fault, and then an answer without a count of tokens to each call."""
    return {"first": lambda call: (fault if call.order == 1 else completion(**YES))(call)}


# Usage is believed where it can be true.


def _with_usage(usage: Any) -> Fault:
    return body(json.dumps({"choices": [YES], "usage": usage}).encode())


def _usage(asked: Any, said: Any) -> dict[str, Any]:
    return {"prompt_tokens": asked, "completion_tokens": said}


@pytest.mark.parametrize("asked", [LEAST_ASKED, 30, 2 * CONTEXT_TOKENS])
@pytest.mark.parametrize("said", [1, ANSWER_TOKENS, ANSWER_TOKENS + SLACK])
def test_a_usage_that_can_be_true_is_paid(
    asked: int, said: int, opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults={"answer": _with_usage(_usage(asked, said))})) as proxy:
        (response,) = _asked(opened(proxy.url))
    assert ledger.sums() == (PRICES.cost(input_tokens=asked, output_tokens=said), 0)
    assert json.loads(response)["tokens"] == [asked, said]


@pytest.mark.parametrize(
    "usage",
    [
        *(_usage(-asked, said) for asked, said in [(30, 1), (10**9, -1), (10**30, 0)]),
        *(_usage(30, said) for said in [-1, 0, ANSWER_TOKENS + SLACK + 1, 10**9, 10**30, 10**400]),
        *(_usage(asked, 1) for asked in [0, 1, LEAST_ASKED - 1]),
        *(_usage(asked, 1) for asked in [2 * CONTEXT_TOKENS + 1, 10**9, 10**30]),
        *(_usage(asked, 1) for asked in [True, "30", 30.0, None, [30], {}, float("nan")]),
        *(_usage(30, said) for said in [False, "1", 1.0, None, [1], {}, float("inf")]),
        *([30, 1], "30 and 1", 31, True, [], "", 0, None, {"total_tokens": 31}),
    ],
    ids=lambda usage: repr(usage)[:60],
)
def test_a_usage_that_cannot_be_true_leaves_the_reservation_and_the_answer(
    usage: Any, opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults={"answer": _with_usage(usage)})) as proxy:
        endpoint = opened(proxy.url)
        (response,) = _asked(endpoint)
        assert proxy.calls.total() == 1
    assert json.loads(response) == {"answer": "yes", "finish": "stop", "tokens": [None, None]}
    assert ledger.sums() == (0, _worst(endpoint))


@pytest.mark.parametrize(("said", "believed"), [(4, False), (5, True)])
def test_an_answer_of_words_has_a_quarter_as_many_tokens(
    said: int, believed: bool, opened: Callable[..., Endpoint]
) -> None:
    choice = {"message": {"content": "so " * 20}, "finish_reason": "stop"}
    answer = body(json.dumps({"choices": [choice], "usage": _usage(30, said)}).encode())
    with running(FaultyProxy(faults={"answer": answer})) as proxy:
        (response,) = _asked(opened(proxy.url))
    assert json.loads(response)["tokens"] == ([30, said] if believed else [None, None])


def test_a_count_that_cannot_be_true_is_told_of_once(
    opened: Callable[..., Endpoint], caplog: pytest.LogCaptureFixture
) -> None:
    """An endpoint that heeds no limit may bill more than the budget counts."""
    with running(FaultyProxy(faults={"answer": _with_usage(_usage(30, 3000))})) as proxy:
        _asked(opened(proxy.url), 3)
    (record,) = caplog.records
    assert "m: its counts of tokens cannot be true." in record.getMessage()


def test_an_answer_nested_too_deeply_is_a_fault(
    opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    nested = b"[" * 200_000 + b"]" * 200_000
    bodies = [b'{"choices": %s, "usage": 1}' % nested, b'{"usage": %s, "choices": 1}' % nested]
    for content in [*bodies, nested]:
        with running(FaultyProxy(faults=_first(body(content)))) as proxy:
            endpoint = opened(proxy.url)
            assert json.loads(_asked(endpoint)[0])["answer"] == "yes"
            assert proxy.calls.total() == 2
    assert ledger.sums() == (0, 6 * _worst(endpoint))
    with (
        running(FaultyProxy(faults={}, models=body(nested))) as proxy,
        pytest.raises(InputError, match="expected a list of models"),
    ):
        check_endpoint(opened(proxy.url)._settings)


@pytest.mark.parametrize("usage", [_usage(-(10**6), -1), _usage(1, 0), _usage(1, 1), _usage(30, 0)])
def test_false_counts_do_not_open_the_cap(
    usage: Any, opened: Callable[..., Endpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative counts, and those that are too low, must not pay for further calls."""
    with running(FaultyProxy(faults={"answer": _with_usage(usage)})) as proxy:
        endpoint = opened(proxy.url)
        capped = Ledger(tmp_path / "capped.sqlite", 3.5 * _worst(endpoint) / 1e9)
        monkeypatch.setattr(endpoint, "_spending", Spending(capped, PRICES))
        with pytest.raises(InputError, match="reserved by calls that are pending or were cut off"):
            _asked(endpoint, 10)
        assert proxy.calls.total() == 3


# Reservations of calls that have ended.


@pytest.mark.parametrize("code", [425, 409, 429, 503, 529])
def test_a_refused_call_is_released_when_a_later_one_is_answered(
    code: int, opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults=_first(status(code)))) as proxy:
        endpoint = opened(proxy.url)
        _asked(endpoint)
        assert proxy.calls.total() == 2
    assert ledger.sums() == (0, _worst(endpoint))


@pytest.mark.parametrize("code", [401, 402, 403, 404, 413, 422])
def test_a_call_that_is_refused_for_good_is_released(
    code: int, opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults={"refused": status(code)})) as proxy:
        _refused(opened(proxy.url))
    assert ledger.sums() == (0, 0)


@pytest.mark.parametrize("code", [400, 408, 500, 502, 504, 524])
def test_a_call_that_was_processed_may_be_billed(
    code: int, opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults={"error": status(code)})) as proxy:
        endpoint = opened(proxy.url)
        _refused(endpoint)
        spent, reserved = ledger.sums()
        # After these, harmless questions are asked, which are shorter.
        greetings = 3 if code in {400, 500, 502} else 0
        asked = proxy.calls.total() - greetings
        assert spent == 0
        more = reserved - asked * _worst(endpoint)
        assert 0 <= more < 3 * _worst(endpoint)
        assert (more > 0) == (greetings > 0)


def test_a_filtered_prompt_may_be_billed(opened: Callable[..., Endpoint], ledger: Ledger) -> None:
    filtered = body(b'{"error": {"message": "no", "code": "content_filter"}}', code=400)
    with running(FaultyProxy(faults={"filtered": filtered})) as proxy:
        endpoint = opened(proxy.url)
        assert endpoint.read(_asked(endpoint)[0]).status is Status.REFUSED
    assert ledger.sums() == (0, _worst(endpoint))


def test_calls_that_were_never_sent_are_released(
    opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    assert "a broken connection (ConnectError)" in _refused(
        opened(f"http://127.0.0.1:{free_port()}/v1")
    )
    assert ledger.sums() == (0, 0)
    # One that accepts no connection: its queue is full.
    with closing(socket.socket()) as full, closing(socket.socket()) as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting.connect(full.getsockname())
        _refused(opened(f"http://127.0.0.1:{full.getsockname()[1]}/v1", timeout_seconds=0.3))
    assert ledger.sums() == (0, 0)


@pytest.mark.parametrize("fault", ["cut", "not JSON", "not UTF-8", "no choices", "no content"])
def test_what_was_sent_and_got_no_answer_may_be_billed(
    fault: str, opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults=_first(FAULTS[fault]))) as proxy:
        endpoint = opened(proxy.url)
        _asked(endpoint)
    assert ledger.sums() == (0, 2 * _worst(endpoint))


def test_an_answer_without_choices_costs_what_is_counted(
    opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    empty = body(json.dumps({"choices": [], "usage": _usage(30, 0)}).encode())
    with running(FaultyProxy(faults=_first(empty))) as proxy:
        endpoint = opened(proxy.url)
        _asked(endpoint)
        assert proxy.calls.total() == 1
    assert ledger.sums() == (PRICES.cost(input_tokens=30, output_tokens=0), 0)


def test_an_answer_is_kept_when_the_ledger_cannot_be_written(
    opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    def damage(call: Call) -> None:
        ledger.path.write_text("no ledger")
        _with_usage(_usage(30, 1))(call)

    with running(FaultyProxy(faults={"answer": damage})) as proxy:
        responses = opened(proxy.url).responses(TEXTS[:2])
        ((position, response),) = next(responses)
        assert (position, json.loads(response)["answer"]) == (0, "yes")
        with pytest.raises(InputError, match=r"budget \(.*ledger.sqlite\)"):
            next(responses)
        assert proxy.calls.total() == 1


# Deadlines and sizes.


def _drip(call: Call) -> None:
    """Send the answer a byte at a time, for ten seconds."""
    content = json.dumps({"choices": [YES]}).encode() + b" " * 200
    call.handler.send_response(200)
    call.handler.send_header("Content-Length", str(len(content)))
    call.handler.end_headers()
    for byte in content:
        call.handler.wfile.write(bytes([byte]))
        time.sleep(10 / len(content))


def test_a_server_that_drips_bytes_holds_no_call(
    opened: Callable[..., Endpoint], ledger: Ledger
) -> None:
    with running(FaultyProxy(faults=_first(_drip), models=_drip)) as proxy:
        endpoint, begun = opened(proxy.url, timeout_seconds=1), time.monotonic()
        assert json.loads(_asked(endpoint)[0])["answer"] == "yes"
        assert 1 <= time.monotonic() - begun < 5
        assert ledger.sums() == (0, 2 * _worst(endpoint))
        begun = time.monotonic()
        with pytest.raises(InputError, match=r"found no connection \(ReadTimeout\)"):
            check_endpoint(endpoint._settings)
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize("code", [200, 500])
@pytest.mark.parametrize("packed", [True, False])
def test_an_answer_is_read_up_to_a_limit(
    code: int, packed: bool, opened: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred megabytes are given up early, also where they are a tenth of one when packed."""
    monkeypatch.setattr(settings, "MAX_BODY_BYTES", 10**6)
    content = gzip.compress(bytes(10**8)) if packed else bytes(10**8)

    def bomb(call: Call) -> None:
        call.send(code, content, {"Content-Encoding": "gzip"} if packed else None)

    sizes: list[int] = []
    read = httpx2.Response.aiter_bytes

    async def counted(response: httpx2.Response) -> AsyncIterator[bytes]:
        async for part in read(response):
            sizes.append(len(part))
            yield part

    monkeypatch.setattr(httpx2.Response, "aiter_bytes", counted)
    with running(FaultyProxy(faults=_first(bomb))) as proxy:
        assert json.loads(_asked(opened(proxy.url))[0])["answer"] == "yes"
        assert proxy.calls.total() == 2
    assert sum(sizes) <= 10**6 + 2 * 2**20


def test_an_answer_that_is_packed_is_read(opened: Callable[..., Endpoint]) -> None:
    packed = gzip.compress(json.dumps({"choices": [YES]}).encode())
    answer: Fault = lambda call: call.send(200, packed, {"Content-Encoding": "gzip"})  # noqa: E731
    with running(FaultyProxy(faults={"answer": answer})) as proxy:
        assert json.loads(_asked(opened(proxy.url))[0])["answer"] == "yes"


# Slow servers.


class TwoSlots(FaultyProxy):
    """A server that works on two calls at once, a tenth of a second each; all others wait."""

    def __init__(self) -> None:
        super().__init__(faults={"answer": self._work})
        self._slots = threading.Semaphore(2)

    def _work(self, call: Call) -> None:
        with self._slots:
            time.sleep(0.1)
            completion(**YES)(call)


def test_fewer_calls_are_made_at_once_where_a_server_is_slow(
    opened: Callable[..., Endpoint], caplog: pytest.LogCaptureFixture
) -> None:
    """With 32 calls at once each would wait 1.6 s; no call may take more than 0.6 s."""
    caplog.set_level(logging.INFO)
    with running(TwoSlots()) as proxy:
        endpoint = opened(proxy.url, concurrency=32, timeout_seconds=0.6)
        assert len(_asked(endpoint, len(TEXTS))) == len(TEXTS)
    told = [record.getMessage() for record in caplog.records]
    halved = [line for line in told if "calls at once" in line]
    assert halved[0].endswith("m: 16 calls at once, 32 before")
    assert any(line.endswith("no answer within 0.6 s; asked again in 0 s") for line in told)
    assert "hinter.models" not in caplog.text


def test_a_server_too_slow_is_told_what_to_do_about(opened: Callable[..., Endpoint]) -> None:
    with running(FaultyProxy(faults={"slow": FAULTS["slow"]})) as proxy:
        told = _refused(opened(proxy.url, timeout_seconds=0.1))
    assert f"found no answer within 0.1 s, and no answer in {MAX_ATTEMPTS} attempts" in told
    assert "Lower `concurrency` or raise `timeout_seconds`. All answers are kept" in told


# What is said.


def test_an_answer_without_words_is_kept_and_told_of(
    opened: Callable[..., Endpoint], ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """A model that reasons may take all its tokens before the first word."""
    cut = {"message": {"content": None}, "finish_reason": "length"}
    answer = body(json.dumps({"choices": [cut], "usage": _usage(30, ANSWER_TOKENS)}).encode())
    with running(FaultyProxy(faults={"cut": answer})) as proxy:
        endpoint = opened(proxy.url)
        responses = _asked(endpoint, 3)
        assert proxy.calls.total() == 3
    assert [endpoint.read(response) for response in responses] == [
        ParsedAnswer(Status.UNPARSED, answer="")
    ] * 3
    assert ledger.sums() == (3 * PRICES.cost(input_tokens=30, output_tokens=ANSWER_TOKENS), 0)
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert [line.partition(", model m: ")[2] for line in said] == [
        f"{count} answers used up all their tokens before the first word: raise "
        "`max_answer_tokens` in the prompt file"
        for count in (1, 3)
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"detail": "no such field"}', "HTTP 422: no such field;"),
        (b'{"detail": [{"msg": "too\\nlong"}]}', r'HTTP 422: {"detail": [{"msg": "too\nlong"}]};'),
        (b'{"error": "not you"}', "HTTP 422: not you;"),
        (b'{"message": "nor you"}', "HTTP 422: nor you;"),
        (b"plain words", "HTTP 422: plain words;"),
        (b"", "HTTP 422;"),
    ],
)
def test_what_an_endpoint_says_of_an_error_is_shown(
    content: bytes, told: str, opened: Callable[..., Endpoint]
) -> None:
    with running(FaultyProxy(faults={"error": body(content, code=422)})) as proxy:
        assert f"found {told} expected" in _refused(opened(proxy.url))


@pytest.mark.parametrize("field", ["content", "refusal", "finish"])
def test_a_key_in_an_answer_is_not_kept(field: str, opened: Callable[..., Endpoint]) -> None:
    said = f"your key is {KEY}."
    message = {"content": "yes", field: said} if field != "finish" else {"content": "yes"}
    finish = said if field == "finish" else "stop"
    # As some servers write a slash.
    content = json.dumps({"choices": [{"message": message, "finish_reason": finish}]})
    answer = body(content.replace("/", r"\/").encode())
    with running(FaultyProxy(faults={"echo": answer})) as proxy:
        (response,) = _asked(opened(proxy.url))
    assert KEY not in response
    assert "your key is (the key)." in response


def test_a_word_that_stands_for_no_key_changes_no_answer(
    opened: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "yes")
    with running(FaultyProxy(faults={"answer": completion(**YES)})) as proxy:
        assert json.loads(_asked(opened(proxy.url))[0])["answer"] == "yes"


@pytest.mark.parametrize("password", ["hunter2", "12/hunter2", "hunter2/w", "a@hunter2"])
def test_a_password_in_the_address_is_refused_and_not_shown(
    password: str, opened: Callable[..., Endpoint], caplog: pytest.LogCaptureFixture
) -> None:
    endpoint = opened(f"http://me:{password}@127.0.0.1:9/v1")
    with pytest.raises(InputError) as checked:
        check_endpoint(endpoint._settings)
    for told in (str(checked.value), _refused(endpoint), caplog.text):
        assert "hunter2" not in told
    assert "endpoint http://(hidden)@127.0.0.1:9/v1, model m: found a user or a password" in str(
        checked.value
    )


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    yield
    assert "asking" not in {thread.name for thread in threading.enumerate()}
