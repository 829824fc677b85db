"""What servers say in place of an answer, and answers themselves, in any form whatever."""

import json
from typing import Any

import pytest
from hinter.models.endpoint.bodies import Fault
from hinter.models.endpoint.completions import Tokens, answer_of, response_of, tokens_of
from hinter.models.endpoint.dialect import Dialect
from hinter.models.endpoint.http_errors import refusal_in, refusal_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

NAMES = ["error", "message", "code", "type", "param", "detail", "loc", "msg", "choices", "content"]
NAMES += ["finish_reason", "text", "reasoning_content", "metadata", "raw", "usage", "prompt_tokens"]
NAMES += ["completion_tokens", "completion_tokens_details", "reasoning_tokens", "total_tokens"]
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["seed", "", "x"])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
        | inner.map(lambda value: {"choices": [{"message": value}]})
    ),
    max_leaves=15,
)
BODY: dict[str, Any] = {"messages": [{"role": "system", "content": "Say."}], "seed": 1}


def _hidden(text: str) -> str:
    return text


@settings(deadline=None, derandomize=True, max_examples=400)
@given(JSON, st.sampled_from([200, 400, 403, 404, 422, 429, 500]))
@example([], 400)
@example({"error": {"code": 10**400}}, 400)
def test_an_error_of_any_form_is_a_refusal(document: Any, status: int) -> None:
    refusal = refusal_of(status, json.dumps(document), hide=_hidden)
    assert str(refusal).startswith(f"HTTP {status}")
    assert isinstance(refusal.passes, bool)
    assert Dialect().named(refusal, body=BODY, but=()) in {None, "seed", "system", "chat"}


@settings(deadline=None, derandomize=True, max_examples=400)
@given(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5))
def test_an_answer_of_any_form_is_read_or_a_fault(document: dict[str, Any]) -> None:
    if refusal_in(document, hide=_hidden) is None:
        try:
            answer_of(document)
            response = response_of(
                document,
                tokens=tokens_of(document, asked=9, at_most=Tokens(99, 99)),
                positions=[],
                begin_inside=True,
                is_unseen=False,
                hide=_hidden,
            )
        except Fault:
            return
        assert isinstance(json.loads(response)["answer"], str)


@pytest.mark.parametrize("text", ["", "<html>", "null", "[]", '"seed"', "[[[", "{", "0"])
def test_an_error_that_is_no_json_is_shown_as_it_is(text: str) -> None:
    words = {'"seed"': "seed"}.get(text, text)
    assert refusal_of(400, text, hide=_hidden).words == words
