"""Bodies of answers: what is packed is unpacked, and what is broken or no answer is a fault."""

import base64
import gzip
import json
from typing import Any

import pytest
from hinter.models.endpoint.bodies import MAX_BODY_BYTES, Fault, Page, document_of

ANSWER = {"choices": [{"message": {"content": "größer"}, "finish_reason": "stop"}]}
PLAIN = json.dumps(ANSWER, ensure_ascii=False).encode()


def _zipped(content: bytes) -> bytes:
    # With the current time in it, the names of tests would differ between workers.
    return gzip.compress(content, mtime=0)


def _stream(*events: Any) -> bytes:
    return b"".join(b"data: %s\n\n" % json.dumps(event).encode() for event in events)


def _delta(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"delta": delta, "finish_reason": finish}]}


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        b"\n \n" + PLAIN,
        PLAIN + b"\n\ndata: [DONE]\n\n",
        b"\xef\xbb\xbf" + PLAIN,
        b")]}'\n" + PLAIN,
        _zipped(PLAIN),
        base64.b64encode(PLAIN),
        json.dumps({"statusCode": 200, "body": PLAIN.decode()}).encode(),
        json.dumps({"errors": [], "result": ANSWER}).encode(),
        json.dumps({"output": ANSWER, "usage": {"input_tokens": 9}}).encode(),
        json.dumps(PLAIN.decode()).encode(),
        json.dumps([ANSWER]).encode(),
        PLAIN.decode().encode("utf-16"),
    ],
)
def test_what_is_packed_is_unpacked(content: bytes) -> None:
    assert document_of(content)["choices"] == ANSWER["choices"]


def test_a_stream_is_joined() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 9}}
    token = {"token": "a", "logprob": 0, "top_logprobs": []}
    scored = {"delta": {"content": "b"}, "logprobs": {"content": [token]}}
    content = b": ping\n\n" + _stream(
        _delta(role="assistant", content="", reasoning=None),
        _delta(reasoning_content="or"),
        _delta(content="a"),
        {"choices": [scored]},
        _delta("stop"),
        usage,
    )
    document = document_of(content + b"data: [DONE]\n\n")
    (choice,) = document["choices"]
    assert choice["finish_reason"] == "stop"
    assert choice["message"] == {"role": "assistant", "content": "ab", "reasoning_content": "or"}
    assert choice["logprobs"]["content"] == [token]
    assert document["usage"] == usage["usage"]


def test_of_several_choices_the_one_that_is_numbered_first_is_first() -> None:
    plain = {"index": 0, "message": {"content": "a"}}
    other = {"index": 1, "message": {"content": "b"}}
    whole = json.dumps({"choices": [other, plain]}).encode()
    assert document_of(whole)["choices"] == [plain, other]
    events = [{"index": index, "delta": {"content": said}} for index, said in enumerate("ab")]
    parts = [{"choices": [event]} for event in reversed(events)]
    (choice,) = document_of(_stream(*parts, {"choices": events[::-1]}))["choices"]
    assert choice["message"]["content"] == "aa"


def test_lines_of_a_stream_end_only_as_they_should() -> None:
    event = json.dumps(_delta("stop", content="a\u2028b"), ensure_ascii=False).encode()
    for end in (b"\n", b"\r\n", b"\r"):
        (choice,) = document_of(b"data:" + event + 2 * end)["choices"]
        assert choice["message"]["content"] == "a\u2028b"


def test_a_stream_without_an_end_broke_off() -> None:
    document = document_of(_stream(_delta(content="negative")))
    assert document["choices"][0]["finish_reason"] == "interrupted"
    assert document_of(_stream({"error": {"message": "no"}})) == {"error": {"message": "no"}}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not JSON"),
        (b"negative", "not JSON"),
        (b"data: {", "not JSON"),
        (b"data: 1", "without choices"),
        (b"[]", "without choices"),
        (PLAIN[:-9], "not JSON"),
        (_zipped(PLAIN)[:-20], "not JSON"),
        (b"\x1f\x8b" + PLAIN, "not UTF-8"),
        (_zipped(b" " * (MAX_BODY_BYTES + 9) + PLAIN), "not JSON"),
    ],
)
def test_what_is_broken_is_a_fault(content: bytes, told: str) -> None:
    with pytest.raises(Fault, match=told):
        document_of(content)


def test_a_page_is_told_by_its_words() -> None:
    page = b"<!DOCTYPE html><html><style>p{}</style><title>Sign &amp; go</title></html>"
    with pytest.raises(Page, match=r"a web page instead of an answer \(Sign & go\)"):
        document_of(page)
