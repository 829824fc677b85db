"""Scores of labels from endpoints: where an answer names a label, and what else could be there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from answering import EXAMPLES, LABELS
from faults import Call, FaultyProxy, body, completion, running
from hinter.corpora import Prompt
from hinter.models import Ledger, ParsedAnswer, Prices, Spending, Status, Task
from hinter.models.endpoint.calling import Caller
from hinter.models.endpoint.client import Endpoint, open_endpoint
from hinter.models.endpoint.label_positions import LabelPositions, scores_at
from hypothesis import given, settings
from hypothesis import strategies as st
from serving import serving
from tenacity import wait_none

KEY, KEY_VARIABLE = "sk-neverShowThisToAnyone", "ENDPOINT_KEY"
LEGAL = ("Federal Taxation", "Federalism", "Due Process", "Unions")
PROMPT = Prompt(
    version=1,
    instruction="Say whether each review is positive or negative, in one word.",
    question="Review: {text}",
    none="None",
    max_answer_tokens=4,
    examples={},
    labels=LABELS,
)
TEXTS = [
    f"I {verb} this {thing}." for thing in ("film", "book") for verb in ("love", "hate", "know")
]

Tokens = Sequence[tuple[str, Mapping[str, float]]]


def _document(tokens: Tokens) -> dict[str, Any]:
    """Return a completion of these tokens, each with the likeliest ones at its place."""
    content = [
        {
            "token": token,
            "logprob": likeliest.get(token, -30.0),
            "top_logprobs": [
                {"token": text, "logprob": value} for text, value in likeliest.items()
            ],
        }
        for token, likeliest in tokens
    ]
    answer = "".join(token for token, _ in tokens)
    return {
        "choices": [
            {
                "message": {"content": answer},
                "finish_reason": "stop",
                "logprobs": {"content": content},
            }
        ]
    }


SURE = {"positive": -0.1, "negative": -2.5, "Positive": -3.0, "p": -5.0}
BOTH = {"negative": -2.5, "positive": -0.1}
OTHER = {"The": -0.1, "positive": -4.0, "negative": -5.0}
CASES: list[tuple[Sequence[str], Tokens, list[tuple[str, dict[str, float]]]]] = [
    (LABELS, [("positive", SURE)], [("positive", BOTH)]),
    (LABELS, [(" Positive", {f" {key}": SURE[key] for key in SURE})], [("positive", BOTH)]),
    # Words and marks before the label.
    (
        LABELS,
        [("The", OTHER), (" review", {" review": -0.1}), ("**", {"**": 0.0}), ("positive", SURE)],
        [("positive", BOTH)],
    ),
    (
        LABELS,
        [('"neg', {'"neg': -0.5, '"pos': -1.0}), ("ative", {"ative": 0.0})],
        [("negative", {"negative": -0.5, "positive": -1.0})],
    ),
    # Two places, of which the reader tells which counts.
    (
        LABELS,
        [
            ("Not", {}),
            (" negative", {" negative": -0.2, " positive": -2.0}),
            (", but", {}),
            (" positive", {" positive": -0.3, " negative": -9.0}),
        ],
        [
            ("negative", {"negative": -0.2, "positive": -2.0}),
            ("positive", {"negative": -9.0, "positive": -0.3}),
        ],
    ),
    # No other label is among the likeliest tokens, or none that can come.
    (LABELS, [("positive", {"positive": -0.1, "good": -2.0})], []),
    (LABELS, [("positive", {"positive": 0.0, "negative": -9999.0})], []),
    # What labels share tells nothing about each of them.
    (LEGAL, [("Federal", {"Federal": -0.2, "Unions": -2.0}), ("ism", {"ism": 0.0})], []),
    (
        LEGAL,
        [("Unions", {"Unions": -0.2, "Federal": -2.0, "Due": -3.0, "Federalism": -7.0})],
        [("Unions", {"Due Process": -3.0, "Unions": -0.2})],
    ),
    # No label, or only its beginning.
    (LABELS, [("positively", {"positively": -0.1, "negative": -3.0})], []),
    (LABELS, [("bad", {"bad": -0.1, "negative": -3.0, "positive": -4.0})], []),
    (LABELS, [], []),
]


@pytest.mark.parametrize(("labels", "tokens", "positions"), CASES)
def test_a_place_is_where_an_answer_names_a_label(
    labels: Sequence[str], tokens: Tokens, positions: list[Any]
) -> None:
    assert LabelPositions(labels).find(_document(tokens)) == positions


def test_scores_are_log_odds_at_the_first_place_of_the_outcome() -> None:
    positions = [
        ("negative", {"negative": -0.2, "positive": -2.015}),
        ("positive", {"negative": -9.015, "positive": -0.3}),
        ("positive", {"negative": -1.0, "positive": -1.0}),
    ]
    assert scores_at(positions, ("positive",)) == {"negative": -8.8, "positive": 8.71}
    assert scores_at(positions, ("negative",)) == {"negative": 1.81, "positive": -1.82}
    for outcome in (None, (), ("other",), LABELS):
        assert scores_at(positions, outcome) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["positive", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "token", "logprob", "top_logprobs", "tokens"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(JSON)
def test_log_probabilities_in_another_form_are_none(given_instead: Any) -> None:
    """As some endpoints send them: nothing is raised, as the answer itself is sound."""
    document = {"choices": [{"message": {"content": "positive"}, "logprobs": given_instead}]}
    assert LabelPositions(LABELS).find(document) == []


# A real server.


@pytest.fixture(scope="module")
def server(whole_gguf: Path) -> Iterator[str]:
    with serving(whole_gguf, context_tokens=320, key=KEY) as address:
        yield address


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the waiting out of the retries, and give the key."""
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    for method in (Caller._until_sound, Caller.ask_once):
        monkeypatch.setattr(method.retry, "wait", wait_none())


def _endpoint(
    url: str,
    resources: Path,
    *,
    prompt: Prompt = PROMPT,
    multi_label: bool = False,
    spending: Spending | None = None,
) -> Endpoint:
    return open_endpoint(
        resources / "cl100k_base",
        sheet={
            "base_url": url,
            "model": "smollm2",
            "key_variable": KEY_VARIABLE,
            "context_tokens": 200 + prompt.max_answer_tokens,
            "concurrency": 1,
        },
        task=Task(prompt, EXAMPLES, multi_label),
        seed=1,
        spending=spending,
    )


def _asked(endpoint: Endpoint, texts: Sequence[str] = TEXTS) -> list[ParsedAnswer]:
    found = dict(pair for part in endpoint.responses(texts) for pair in part)
    return [endpoint.read(found[position]) for position in range(len(texts))]


@pytest.fixture(scope="module")
def expected(server: str, resources: Path) -> list[ParsedAnswer]:
    """Return what the model answers with log-probabilities of every answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, KEY)
        return _asked(_endpoint(f"http://{server}/v1", resources))


def _pass_on(call: Call, request: Mapping[str, Any]) -> None:
    call.body = json.dumps(request).encode()
    call.handler._pass_on(call, upstream=str(call.handler.server.upstream))


def _without_logprobs(call: Call) -> None:
    request = json.loads(call.body)
    _pass_on(call, {key: request[key] for key in request if "logprobs" not in key})


@pytest.mark.long
def test_asking_for_log_probabilities_changes_no_answer_and_outcomes_have_the_best_score(
    server: str, resources: Path, expected: list[ParsedAnswer]
) -> None:
    plain = _endpoint(f"http://{server}/v1", resources, multi_label=True)
    parsed_answers, others = expected, _asked(plain)
    assert [parsed.answer for parsed in parsed_answers] == [parsed.answer for parsed in others]
    assert {parsed.scores for parsed in others} == {None}
    named = [parsed for parsed in parsed_answers if parsed.status == Status.OK]
    assert len({parsed.outcome for parsed in named}) > 1
    for parsed in named:
        assert parsed.scores is not None
        assert tuple(parsed.scores) == LABELS
        assert parsed.outcome == (max(parsed.scores, key=parsed.scores.__getitem__),)
    assert {parsed.scores for parsed in parsed_answers if parsed.status != Status.OK} <= {None}


@pytest.mark.long
def test_an_endpoint_may_give_log_probabilities_for_some_answers_only(
    server: str, resources: Path, expected: list[ParsedAnswer]
) -> None:
    with running(FaultyProxy(server, faults={"bare": _without_logprobs}, share=0.5)) as proxy:
        found = _asked(_endpoint(proxy.url, resources))
        assert 0 < proxy.met["bare"] < len(TEXTS)
    bare = [parsed._replace(scores=None) for parsed in expected]
    assert [parsed._replace(scores=None) for parsed in found] == bare
    given = [parsed for parsed in found if parsed.scores]
    assert 0 < len(given) < len([parsed for parsed in expected if parsed.scores])
    assert all(parsed in expected for parsed in given)


REFUSAL = b'{"error": {"message": "top_logprobs must be at most %d", "code": "400"}}'


@pytest.mark.long
@pytest.mark.parametrize("most", [5, 0])
def test_an_endpoint_that_refuses_log_probabilities_is_asked_for_fewer(
    most: int, server: str, resources: Path, tmp_path: Path, expected: list[ParsedAnswer]
) -> None:
    def refuse(call: Call) -> None:
        request = json.loads(call.body)
        if request.get("top_logprobs", 0) > most:
            body(REFUSAL % most, code=400)(call)
        else:
            _pass_on(call, request)

    ledger = Ledger(tmp_path / "ledger.sqlite", 1)
    spending = Spending(ledger, Prices(input_per_million=0.5, output_per_million=1.5))
    with running(FaultyProxy(server, faults={"fewer": refuse})) as proxy:
        found = _asked(_endpoint(proxy.url, resources, spending=spending), TEXTS[:3])
        assert proxy.calls.total() == 3 + (1 if most else 2)
    assert [parsed.answer for parsed in found] == [parsed.answer for parsed in expected[:3]]
    scored = [parsed for parsed in found if parsed.scores]
    assert bool(scored) is bool(most)
    spent, reserved = ledger.sums()
    assert spent > 0
    assert reserved == 0


@pytest.mark.long
def test_an_error_that_has_nothing_to_do_with_log_probabilities_is_told(resources: Path) -> None:
    echo = body(b'{"error": {"message": "no. You sent logprobs"}}', code=404)
    with running(FaultyProxy(faults={"told": echo})) as proxy:
        with pytest.raises(Exception, match="HTTP 404: no"):
            _asked(_endpoint(proxy.url, resources), TEXTS[:1])
        assert proxy.calls.total() == 3


def test_a_response_holds_log_probabilities_of_labels_and_of_nothing_else(resources: Path) -> None:
    """An endpoint may repeat the key, token by token."""
    document = _document([(KEY[:6], {KEY[:6]: -0.1}), (KEY[6:], {}), (" positive", SURE)])
    with running(FaultyProxy(faults={"told": completion(**document["choices"][0])})) as proxy:
        ((_, response),) = next(_endpoint(proxy.url, resources).responses(TEXTS[:1]))
    assert json.loads(response) == {
        "answer": "(the key) positive",
        "finish": "stop",
        "labels": [["positive", BOTH]],
        "tokens": [None, None],
    }


@pytest.mark.parametrize(("tokens", "asked"), [(1000, True), (1001, False)])
def test_log_probabilities_are_asked_for_where_an_answer_with_them_is_not_too_large(
    tokens: int, asked: bool, resources: Path
) -> None:
    requests: list[dict[str, Any]] = []

    def note(call: Call) -> None:
        requests.append(json.loads(call.body))
        completion(message={"content": "positive"}, finish_reason="stop")(call)

    longer = replace(PROMPT, max_answer_tokens=tokens)
    with running(FaultyProxy(faults={"noted": note})) as proxy:
        (parsed,) = _asked(_endpoint(proxy.url, resources, prompt=longer), TEXTS[:1])
    assert parsed == ParsedAnswer(Status.OK, ("positive",), "positive")
    assert ("logprobs" in requests[0]) is asked
