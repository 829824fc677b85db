"""A real server behind faults: every answer once, nothing lost, errors in one line, no key."""

import asyncio
import json
import logging
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from faults import FAULTS, Call, Fault, FaultyProxy, body, completion, running, status
from hinter.errors import InputError
from hinter.models.answers import AnswerParser
from hinter.models.endpoint import pausing
from hinter.models.endpoint.budget import BudgetReached, Ledger, Prices, Spending
from hinter.models.endpoint.calling import MAX_ATTEMPTS, Caller
from hinter.models.endpoint.client import Endpoint
from hinter.models.endpoint.preflight import check_endpoint
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.endpoint.token_counters import TransformersCounter
from hinter.models.model import ParsedAnswer, Status
from serving import free_port, serving
from tenacity import wait_none
from transformers import AutoTokenizer

pytestmark = pytest.mark.long

KEY, KEY_VARIABLE = "sk-neverShowThisToAnyone", "ENDPOINT_KEY"
CONTEXT_TOKENS, ANSWER_TOKENS = 320, 4
PRICES = Prices(input_per_million=0.5, output_per_million=1.5)
THINGS = ["film", "book", "song", "meal", "game", "play", "town"]
TEXTS = [f"I {verb} this {thing}." for thing in THINGS for verb in ("love", "hate", "know", "saw")]


class WordsParser:
    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        return ParsedAnswer(Status.UNPARSED, answer=answer)


def _messages(text: str) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": "Say yes or no."},
        {"role": "user", "content": f"{text} Do I like it?"},
    ]


@pytest.fixture(scope="module")
def counter(shallow_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> TransformersCounter:
    folder = tmp_path_factory.mktemp("tokenizer")
    words = AutoTokenizer.from_pretrained(shallow_gguf.parent, gguf_file=shallow_gguf.name)
    words.save_pretrained(folder)
    return TransformersCounter(folder)


@pytest.fixture(scope="module")
def server(shallow_gguf: Path) -> Iterator[str]:
    """Host and port of an OpenAI-compatible server with a real model."""
    with serving(shallow_gguf, context_tokens=CONTEXT_TOKENS, key=KEY) as address:
        yield address


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the waiting out of the retries."""
    for method in (Caller._until_sound, Caller.ask_once):
        monkeypatch.setattr(method.retry, "wait", wait_none())


def _endpoint(
    url: str, counter: TransformersCounter, *, spending: Spending | None = None, **changed: Any
) -> Endpoint:
    settings: dict[str, Any] = {
        "base_url": url,
        "model": "smollm2",
        "key_variable": KEY_VARIABLE,
        "context_tokens": CONTEXT_TOKENS,
        "max_answer_tokens": ANSWER_TOKENS,
        "seed": 1,
        "concurrency": 4,
        "timeout_seconds": 20,
    }
    return Endpoint(
        EndpointSettings(**{**settings, **changed}),
        messages=_messages,
        parser=WordsParser(),
        counter=counter,
        spending=spending,
    )


def _asked(endpoint: Endpoint, texts: list[str]) -> dict[int, str]:
    """Return the responses by position; each must come once."""
    found: dict[int, str] = {}
    for part in endpoint.responses(texts):
        assert part and not found.keys() & dict(part).keys()
        found |= dict(part)
    return found


def _asked_until_error(endpoint: Endpoint, texts: list[str]) -> tuple[dict[int, str], InputError]:
    found: dict[int, str] = {}
    with pytest.raises(InputError) as caught:
        for part in endpoint.responses(texts):
            found |= dict(part)
    return found, caught.value


@pytest.fixture(scope="module")
def plain(server: str, counter: TransformersCounter) -> dict[int, str]:
    """The responses without a proxy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, KEY)
        return _asked(_endpoint(f"http://{server}/v1", counter), TEXTS)


def _asked_tokens(response: str) -> int:
    return int(json.loads(response)["tokens"][0])


def test_through_faults_every_answer_arrives_once_and_is_the_same(
    server: str, counter: TransformersCounter, plain: dict[int, str]
) -> None:
    with running(FaultyProxy(server, faults=FAULTS, share=0.3)) as proxy:
        assert _asked(_endpoint(proxy.url, counter, timeout_seconds=10), TEXTS) == plain
    assert set(plain) == set(range(len(TEXTS)))
    assert len(set(plain.values())) > 1
    assert set(proxy.met) == set(FAULTS)


def test_a_generator_closed_early_cancels_what_is_in_flight(
    server: str, counter: TransformersCounter
) -> None:
    with running(FaultyProxy(server, faults={"slow": FAULTS["slow"]}, share=0.5)) as proxy:
        responses = _endpoint(proxy.url, counter, timeout_seconds=600).responses(TEXTS)
        next(responses)
        responses.close()
        assert "asking" not in {thread.name for thread in threading.enumerate()}
    assert len(proxy.calls) < len(TEXTS)


def test_a_text_is_cut_where_the_context_ends(server: str, counter: TransformersCounter) -> None:
    endpoint = _endpoint(f"http://{server}/v1", counter)
    long = "Caf\N{LATIN SMALL LETTER E WITH ACUTE} \N{PARTY POPPER} at noon. " * 100
    short, cut = endpoint.windows([TEXTS[0], long])
    assert short.length == len(TEXTS[0])
    assert 0 < cut.length < len(long)
    first, again = _asked(endpoint, [long, long[: cut.length]]).values()
    assert first == again
    assert endpoint.windows([long[: cut.length]])[0].digest == cut.digest
    narrow = _endpoint(f"http://{server}/v1", counter, max_tokens=3)
    assert narrow.windows([TEXTS[0]])[0].length == len("I love this")


def test_a_prompt_that_fills_the_context_is_refused_before_any_call(
    counter: TransformersCounter,
) -> None:
    endpoint = _endpoint("http://127.0.0.1:9/v1", counter, context_tokens=60)
    with pytest.raises(InputError, match="context_tokens 60; expected more than"):
        endpoint.windows(["x"])


def test_a_context_overflow_ends_the_run_and_loses_no_answer(
    server: str, counter: TransformersCounter, plain: dict[int, str]
) -> None:
    endpoint = _endpoint(f"http://{server}/v1", counter, context_tokens=4096)
    texts = [*TEXTS[:6], "again and " * 400, *TEXTS[6:12]]
    found, error = _asked_until_error(endpoint, texts)
    assert found.items() >= {position: plain[position] for position in range(6)}.items()
    assert "exceeds the available context size" in str(error)
    assert "smollm2" in str(error) and "All answers are kept" in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "key", ["sk-wrongKeyThatNobodyMaySee", "sk-two words", "sk-ключ", "sk-x\n"]
)
def test_a_wrong_key_is_refused_and_never_shown(
    server: str,
    counter: TransformersCounter,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    caplog.set_level(logging.DEBUG)
    endpoint = _endpoint(f"http://{server}/v1", counter)
    with pytest.raises(InputError, match=f"HTTP 401|{KEY_VARIABLE}") as checked:
        check_endpoint(endpoint._settings)
    found, asked = _asked_until_error(endpoint, TEXTS)
    assert not found
    shown = [repr(endpoint), repr(vars(endpoint)), caplog.text, endpoint.fingerprint]
    for error in (checked.value, asked):
        shown += [repr(error), *traceback.format_exception(error)]
    assert key.strip() not in "".join(shown)


def test_a_key_that_the_endpoint_repeats_is_not_shown(counter: TransformersCounter) -> None:
    for code in (400, 401, 500):
        fault = status(code, message=f"what is {KEY}?", Retry_After="99999")
        with running(FaultyProxy(faults={"told": fault})) as proxy:
            _, error = _asked_until_error(_endpoint(proxy.url, counter), TEXTS)
        assert KEY not in "".join(traceback.format_exception(error))


def test_a_missing_key_is_named_by_its_variable(
    counter: TransformersCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    with pytest.raises(InputError, match=f"environment variable {KEY_VARIABLE}: found nothing"):
        check_endpoint(_endpoint("http://127.0.0.1:9/v1", counter)._settings)


def test_what_is_wrong_is_found_before_any_work(server: str, counter: TransformersCounter) -> None:
    check_endpoint(_endpoint(f"http://{server}/v1", counter)._settings)
    listed = body(b'{"data": [{"id": "smollm2"}]}')
    with (
        running(FaultyProxy(faults={"no": status(404)}, models=listed)) as proxy,
        pytest.raises(InputError, match=r"smollm2; .* smollm3 among.*\n.* 404: not now; .* serves"),
    ):
        check_endpoint(_endpoint(proxy.url, counter, model="smollm3")._settings)
    with pytest.raises(InputError, match="expected an endpoint that answers"):
        check_endpoint(_endpoint(f"http://127.0.0.1:{free_port()}/v1", counter)._settings)
    page = body(b"<html>Welcome</html>")
    with (
        running(FaultyProxy(faults={}, models=page)) as proxy,
        pytest.raises(InputError, match=r"expected a list of models.* ends in /v1"),
    ):
        check_endpoint(_endpoint(proxy.url, counter)._settings)


@pytest.mark.parametrize("fault", ["internal", "limit"])
def test_an_endpoint_that_lists_no_models_may_be_asked(
    counter: TransformersCounter, fault: str
) -> None:
    with running(FaultyProxy(faults={}, models=FAULTS[fault])) as proxy:
        check_endpoint(_endpoint(proxy.url, counter)._settings)
    with running(FaultyProxy(faults={})) as proxy:
        check_endpoint(_endpoint(proxy.url, counter)._settings)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (404, "HTTP 404: no such model; expected a model that it serves"),
        (400, "HTTP 400: no such model; expected a request that it accepts"),
        (401, "HTTP 401; expected a key that it accepts"),
        (500, None),
    ],
)
def test_an_endpoint_that_lists_no_models_is_asked_for_a_token(
    counter: TransformersCounter, code: int, said: str | None, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path / "budget.sqlite", 1)
    with running(FaultyProxy(faults={"no": status(code, message="no such model")})) as proxy:
        settings = _endpoint(proxy.url, counter)._settings
        if said is None:
            check_endpoint(settings, spending=Spending(ledger, PRICES))
        else:
            with pytest.raises(InputError, match=said):
                check_endpoint(settings, spending=Spending(ledger, PRICES))
        ((request, times), *barer) = proxy.calls.items()
    assert (json.loads(request)["max_tokens"], times) == (1, 1)
    # A part of the request may be what is wrong with it, and such refusals may be billed.
    assert bool(barer) == (code in {400, 500})
    asked = 1 + len(barer) if barer else 0
    assert ledger.sums() == (0, asked * PRICES.cost(input_tokens=32, output_tokens=1))


def test_without_budget_left_an_endpoint_is_not_asked(
    counter: TransformersCounter, tmp_path: Path
) -> None:
    spending = Spending(Ledger(tmp_path / "budget.sqlite", 0), PRICES)
    with running(FaultyProxy(faults={"no": status(404)})) as proxy:
        check_endpoint(_endpoint(proxy.url, counter)._settings, spending=spending)
    assert not proxy.calls


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("fault", "last"),
    [
        ("internal", "HTTP 500: not now"),
        ("overloaded", "HTTP 529: not now"),
        ("cut", "a broken connection"),
        ("not JSON", "not JSON"),
        ("no choices", "without choices"),
        ("no content", r"without content \(finish reason None\)"),
        ("not UTF-8", "not UTF-8"),
    ],
)
def test_a_fault_that_stays_ends_the_run_and_says_what_came_last(
    counter: TransformersCounter, fault: str, last: str
) -> None:
    with running(FaultyProxy(faults={fault: FAULTS[fault]})) as proxy:
        _, error = _asked_until_error(_endpoint(proxy.url, counter), TEXTS[:1])
        # Harmless questions show that it fails at others, too.
        assert proxy.calls.total() == MAX_ATTEMPTS + 3 * (fault == "internal")
    with pytest.raises(InputError, match=f"{last}.* in {MAX_ATTEMPTS} attempts"):
        raise error


def test_half_a_character_does_not_lose_the_answer_before_it(counter: TransformersCounter) -> None:
    half = body(b'{"choices": [{"message": {"content": "positive \\ud83d"}}]}')
    with running(FaultyProxy(faults={"half a character": half})) as proxy:
        endpoint = _endpoint(proxy.url, counter)
        ((_, response),) = next(endpoint.responses(TEXTS[:1]))
        assert proxy.calls.total() == 1
    assert endpoint.read(response).answer == "positive \ufffd"


@pytest.mark.parametrize("code", [400, 403, 404, 422])
def test_a_permanent_error_is_asked_about_once(counter: TransformersCounter, code: int) -> None:
    """Where it may be about the text alone, another question shows that it is not."""
    with running(FaultyProxy(faults={"permanent": status(code)})) as proxy:
        _, error = _asked_until_error(_endpoint(proxy.url, counter, concurrency=1), TEXTS)
        assert proxy.calls.total() == (1 if code == 404 else 4)
    assert f"endpoint {proxy.url}, model smollm2: found HTTP {code}" in str(error)


def test_an_account_without_credit_is_no_limit_that_passes(counter: TransformersCounter) -> None:
    broke = body(b'{"error": {"message": "no credit", "code": "insufficient_quota"}}', code=429)
    with running(FaultyProxy(faults={"broke": broke})) as proxy:
        _, error = _asked_until_error(_endpoint(proxy.url, counter, concurrency=1), TEXTS)
    assert "expected an account with credit left" in str(error)


def test_a_filtered_answer_is_refused(counter: TransformersCounter) -> None:
    filtered: dict[str, Fault] = {
        "cut short": completion(message={"content": None}, finish_reason="content_filter"),
        "declined": completion(message={"content": None, "refusal": "No."}, finish_reason="stop"),
        "not asked": body(b'{"error": {"message": "no", "code": "content_filter"}}', code=400),
    }
    with running(FaultyProxy(faults=filtered)) as proxy:
        endpoint = _endpoint(proxy.url, counter)
        responses = _asked(endpoint, TEXTS)
    assert set(proxy.met) == set(filtered)
    assert {endpoint.read(response).status for response in responses.values()} == {Status.REFUSED}


def test_an_answer_in_words_is_read(
    server: str, counter: TransformersCounter, plain: dict[int, str]
) -> None:
    parsed = _endpoint(f"http://{server}/v1", counter).read(plain[0])
    assert parsed == ParsedAnswer(Status.UNPARSED, answer=parsed.answer)
    assert parsed.answer
    assert plain[0].endswith(f'"tokens":[{_asked_tokens(plain[0])},{ANSWER_TOKENS}]}}')


@pytest.mark.parametrize(
    ("finish", "outcome"), [("stop", ("Article 10", "Article 3")), ("length", ("Article 3",))]
)
def test_a_label_that_may_be_cut_is_left_out(
    counter: TransformersCounter, finish: str, outcome: tuple[str, ...]
) -> None:
    said = completion(message={"content": "Article 3, Article 10"}, finish_reason=finish)
    with running(FaultyProxy(faults={"said": said})) as proxy:
        endpoint = _endpoint(proxy.url, counter)
        endpoint._parser = AnswerParser(
            ["Article 3", "Article 10", "Article 1"], multi_label=True, none="None"
        )
        (response,) = _asked(endpoint, TEXTS[:1]).values()
    assert endpoint.read(response) == ParsedAnswer(Status.OK, outcome, "Article 3, Article 10")


def test_a_pause_that_one_call_is_told_of_is_kept_by_all(
    counter: TransformersCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four calls in flight the first is told to wait; the clock stands until all four wait."""
    now, waiting, all_there = [0.0], [0], threading.Barrier(4)
    answer = completion(message={"content": "yes"}, finish_reason="stop")
    wait = status(429, Retry_After="300")

    def first_waits(call: Call) -> None:
        if call.order <= 4:
            all_there.wait()
        (wait if call.order == 1 else answer)(call)

    async def sleep_until_all_do(_: float) -> None:
        waiting[0] += 1
        while waiting[0] < 4 and proxy.calls.total() < len(TEXTS):
            await asyncio.sleep(0.01)
        now[0] = 300.0

    monkeypatch.setattr(pausing, "monotonic", lambda: now[0])
    monkeypatch.setattr(pausing, "sleep", sleep_until_all_do)
    with running(FaultyProxy(faults={"first waits": first_waits})) as proxy:
        assert len(_asked(_endpoint(proxy.url, counter), TEXTS)) == len(TEXTS)
    assert waiting[0] == 4


def test_a_wait_beyond_patience_ends_the_run(counter: TransformersCounter) -> None:
    day = status(429, Retry_After="86400")
    with running(FaultyProxy(faults={"day": day})) as proxy:
        _, error = _asked_until_error(_endpoint(proxy.url, counter), TEXTS)
    assert "postponed for 1440 minutes" in str(error)


def test_the_fingerprint_is_of_all_that_decides_a_response(counter: TransformersCounter) -> None:
    def fingerprint(**changed: Any) -> str:
        return _endpoint(changed.pop("url", "http://one/v1"), counter, **changed).fingerprint

    same = {
        fingerprint(),
        fingerprint(url="http://one/v1/"),
        fingerprint(key_variable=None),
        fingerprint(concurrency=1),
        fingerprint(timeout_seconds=1),
    }
    others = {
        fingerprint(url="http://two/v1"),
        fingerprint(model="other"),
        fingerprint(temperature=0.5),
        fingerprint(seed=2),
        fingerprint(seed=None),
        fingerprint(max_answer_tokens=9),
    }
    # Under it, responses are kept.
    assert same == {"4d0aa47e39a50a65e3f626e0d5601c4a"}
    assert len(others | same) == 7


@pytest.mark.usefixtures("hurried")
def test_what_is_spent_is_what_the_endpoint_counted(
    server: str, counter: TransformersCounter, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path / "budget.sqlite", 1)
    refusals = {name: FAULTS[name] for name in ("limit", "unavailable", "overloaded")}
    with running(FaultyProxy(server, faults=refusals, share=0.3)) as proxy:
        endpoint = _endpoint(proxy.url, counter, spending=Spending(ledger, PRICES))
        responses = _asked(endpoint, TEXTS[:12])
    tokens = [(_asked_tokens(response), ANSWER_TOKENS) for response in responses.values()]
    real = sum(PRICES.cost(input_tokens=asked, output_tokens=said) for asked, said in tokens)
    assert ledger.sums() == (real, 0)


def test_the_budget_ends_the_run_and_a_higher_one_goes_on(
    server: str, counter: TransformersCounter, plain: dict[int, str], tmp_path: Path
) -> None:
    path = tmp_path / "budget.sqlite"
    cost = PRICES.cost(input_tokens=_asked_tokens(plain[0]), output_tokens=ANSWER_TOKENS)
    cap = round(10 * cost / 1e9, 9)
    capped = Spending(Ledger(path, cap), PRICES)
    found, error = _asked_until_error(
        _endpoint(f"http://{server}/v1", counter, spending=capped), TEXTS[:12]
    )
    assert isinstance(error, BudgetReached)
    assert 3 <= len(found) <= 10
    spent, reserved = Ledger(path, cap).sums()
    assert spent <= cap * 1e9
    assert reserved == 0
    rest = [text for position, text in enumerate(TEXTS[:12]) if position not in found]
    free = Spending(Ledger(path, None), PRICES)
    assert len(_asked(_endpoint(f"http://{server}/v1", counter, spending=free), rest)) == len(rest)


@pytest.mark.usefixtures("hurried")
def test_a_call_that_was_cut_off_stays_reserved(
    counter: TransformersCounter, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path / "budget.sqlite", 1)
    with running(FaultyProxy(faults={"cut": FAULTS["cut"]})) as proxy:
        endpoint = _endpoint(proxy.url, counter, spending=Spending(ledger, PRICES))
        _asked_until_error(endpoint, TEXTS[:1])
    spent, reserved = ledger.sums()
    assert spent == 0
    assert reserved > 0
    assert reserved % MAX_ATTEMPTS == 0
