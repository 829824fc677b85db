"""Servers that want to be asked otherwise: each row is one that somebody met, with its source."""

import base64
import gzip
import json
import logging
import ssl
import subprocess
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from faults import Call, FaultyProxy, body, running
from hinter.config import Models, read_sheet
from hinter.errors import InputError
from hinter.models import Learnt, Ledger, Prices, Task
from hinter.models.endpoint.calling import MAX_ATTEMPTS
from hinter.models.endpoint.client import Endpoint, open_endpoint
from hinter.models.endpoint.dialect import FAILING
from hinter.models.endpoint.evidence import FOREIGN, HARMLESS, SURE
from hinter.models.endpoint.http_errors import BLOCKED
from hinter.models.endpoint.preflight import check_endpoint
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.windows import digest_of_text
from hinter.predictions import Opened, again_once_learnt
from hinter.responses import ResponseStore
from servers import (
    KEY,
    KEY_VARIABLE,
    OUTCOMES,
    TEXTS,
    Body,
    Said,
    Server,
    as_bytes,
    asked_text,
    error_of,
    has,
    if_met,
    of_lagos,
    outcomes_of,
    prompt_of,
    right_answer,
    right_label,
)
from tries import alike

pytestmark = pytest.mark.usefixtures("hurried")


def _roles(sent: Body) -> list[str]:
    return [turn["role"] for turn in sent.get("messages", ())]


UNSUPPORTED = "Unsupported parameter: '{}' is not supported with this model."
EXTRA = {"type": "extra_forbidden", "msg": "Extra inputs are not permitted", "input": 1}

# Source, what the server refuses, what is learnt of it.
REFUSED: list[tuple[str, Callable[[Body], Said | None], list[str]]] = [
    (
        "anomalyco/opencode#37964",
        if_met(
            has("max_tokens"),
            error_of(
                400,
                f"{UNSUPPORTED.format('max_tokens')} Use 'max_completion_tokens' instead.",
                type="invalid_request_error",
                param="max_tokens",
                code="unsupported_parameter",
            ),
        ),
        ["max_tokens"],
    ),
    (
        "openhab/openhab-addons#21459",
        if_met(has("max_tokens"), error_of(422, "max_tokens: unknown field, use another one")),
        ["max_tokens"],
    ),
    (
        "sierra-research/tau2-bench#166",
        if_met(
            lambda sent: sent.get("temperature") not in (None, 1),
            error_of(
                400,
                "Unsupported value: 'temperature' does not support 0.0 with this model. Only the "
                "default (1) value is supported.",
                param="temperature",
                code="unsupported_value",
            ),
        ),
        ["temperature"],
    ),
    (
        "langwatch/langwatch#1975",
        if_met(has("temperature"), error_of(400, "`temperature` is deprecated for this model.")),
        ["temperature"],
    ),
    (
        "a status of 500 that names it",
        if_met(has("temperature"), error_of(500, "unsupported option: temperature")),
        ["temperature"],
    ),
    (
        "mistralai (extra inputs)",
        if_met(has("seed"), (422, {"detail": [{**EXTRA, "loc": ["body", "seed"]}]})),
        ["seed"],
    ),
    (
        "azure (unrecognized argument)",
        if_met(has("seed"), error_of(400, "Unrecognized request argument supplied: seed")),
        ["seed"],
    ),
    (
        "mscraftsman/generative-ai#135",
        if_met(has("logprobs"), error_of(400, "Logprobs is not enabled for this model")),
        ["logprobs", "logprobs"],
    ),
    (
        "Vela-Research/think-reason-learn#34",
        if_met(has("logprobs"), error_of(400, "This model does not support log probabilities")),
        ["logprobs", "logprobs"],
    ),
    (
        "omeryasirkucuk/amx#55",
        if_met(
            lambda sent: sent.get("top_logprobs", 0) > 5,
            error_of(400, "top_logprobs must be at most 5"),
        ),
        ["logprobs"],
    ),
    (
        "EleutherAI/lm-evaluation-harness#2069",
        if_met(lambda sent: "system" in _roles(sent), error_of(400, "System role not supported")),
        ["system"],
    ),
    (
        "the same of a template, with status 500",
        if_met(lambda sent: "system" in _roles(sent), error_of(500, "System role not supported")),
        ["system"],
    ),
    (
        "roles that must alternate",
        if_met(
            lambda sent: _roles(sent)[:1] == ["system"],
            error_of(400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        ),
        ["system"],
    ),
    (
        "openai (o1-mini)",
        if_met(
            lambda sent: "system" in _roles(sent),
            error_of(
                400,
                "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                param="messages[0].role",
            ),
        ),
        ["system"],
    ),
    (
        "gemma behind Gemini's address",
        if_met(
            lambda sent: "system" in _roles(sent),
            (400, [{"error": {"code": 400, "message": "Developer instruction is not enabled"}}]),
        ),
        ["system"],
    ),
    (
        "aws-samples/bedrock-access-gateway#167",
        if_met(
            lambda sent: any(not turn["content"] for turn in sent["messages"]),
            error_of(400, "messages: text content blocks must be non-empty"),
        ),
        [],
    ),
    (
        "a model that only goes on",
        if_met(
            has("messages"),
            error_of(
                404,
                "This is not a chat model and thus not supported in the v1/chat/completions "
                "endpoint. Did you mean to use v1/completions?",
            ),
        ),
        ["chat"],
    ),
    (
        "a base model without a template",
        if_met(has("messages"), error_of(400, "default chat template is no longer allowed")),
        ["chat"],
    ),
    (
        "a router that hides what is refused",
        if_met(
            has("seed"),
            error_of(
                400,
                "Provider returned error",
                metadata={"raw": '{"error": "seed: extra fields not permitted"}'},
            ),
        ),
        ["seed"],
    ),
    (
        "all at once, as of models that reason",
        lambda sent: next(
            (
                error_of(400, UNSUPPORTED.format(name), param=name)
                for name in ("max_tokens", "temperature", "logprobs", "seed")
                if name in sent
            ),
            None,
        ),
        ["max_tokens", "temperature", "logprobs", "logprobs", "seed"],
    ),
    (
        "another language",
        if_met(has("temperature"), error_of(400, "参数temperature不支持")),
        ["temperature"],
    ),
    (
        "an error of its own form",
        if_met(has("seed"), (400, {"errors": [{"reason": "unknown field `seed`"}]})),
        ["seed"],
    ),
    (
        "an error inside an answer",
        if_met(
            has("seed"),
            (200, {"error": {"message": "seed is not supported", "code": 400}, "choices": None}),
        ),
        ["seed"],
    ),
    (
        "BerriAI/litellm (parameters in a list)",
        if_met(
            has("seed"),
            error_of(
                400,
                "litellm.UnsupportedParamsError: bedrock does not support parameters: ['seed'], "
                "for model=anthropic.claude. To drop these, set `litellm.drop_params=True`.",
                type="None",
                param="None",
                code="400",
            ),
        ),
        ["seed"],
    ),
    (
        "fireworks (extra inputs)",
        if_met(
            has("seed"), error_of(400, "Extra inputs are not permitted, field: 'seed', value: 1")
        ),
        ["seed"],
    ),
    (
        "a message that is no text, as of mistral",
        if_met(
            has("seed"),
            (
                422,
                {
                    "object": "error",
                    "message": {"detail": [{**EXTRA, "loc": ["body", "seed"]}]},
                    "type": "invalid_request_error",
                },
            ),
        ),
        ["seed"],
    ),
    (
        "gemini (unknown names)",
        if_met(
            has("seed"),
            (
                400,
                [
                    {
                        "error": {
                            "code": 400,
                            "message": 'Invalid JSON payload received. Unknown name "seed": '
                            "Cannot find field.",
                            "status": "INVALID_ARGUMENT",
                        }
                    }
                ],
            ),
        ),
        ["seed"],
    ),
    (
        "nvidia (problem details)",
        if_met(
            has("seed"),
            (
                400,
                {
                    "type": "urn:inference-service:problem-details:bad-request",
                    "title": "Bad Request",
                    "status": 400,
                    "detail": "[{'type': 'extra_forbidden', 'loc': ('body', 'seed')}]",
                },
            ),
        ),
        ["seed"],
    ),
    (
        "huggingface/text-generation-inference (strictly positive)",
        if_met(
            lambda sent: sent.get("temperature") == 0,
            (
                422,
                {
                    "error": "Input validation error: `temperature` must be strictly positive",
                    "error_type": "validation",
                },
            ),
        ),
        ["temperature"],
    ),
    (
        "xai (names in camel case)",
        if_met(
            has("logprobs"),
            (
                400,
                {
                    "code": "Client specified an invalid argument",
                    "error": "Argument not supported on this model: logProbs",
                },
            ),
        ),
        ["logprobs", "logprobs"],
    ),
    (
        "vllm-project/vllm (fewer log-probabilities)",
        if_met(
            lambda sent: sent.get("top_logprobs", 0) > 5,
            error_of(400, "Requested sample logprobs of 20, which is greater than max allowed: 5"),
        ),
        ["logprobs"],
    ),
    (
        "anthropic (a role at its top)",
        if_met(
            lambda sent: "system" in _roles(sent),
            error_of(400, 'messages: Unexpected role "system". Use a top-level parameter.'),
        ),
        ["system"],
    ),
    (
        "ggml-org/llama.cpp (a template's own words)",
        if_met(
            lambda sent: "system" in _roles(sent),
            error_of(
                500,
                "Value is not callable: null at row 1: {{ raise_exception('Conversation roles must "
                "alternate user/assistant') }}",
            ),
        ),
        ["system"],
    ),
    (
        "a variant that is unknown, as of servers in Rust",
        if_met(
            lambda sent: "system" in _roles(sent),
            (422, "messages[0].role: unknown variant `system`, expected `user` or `assistant`"),
        ),
        ["system"],
    ),
    (
        "ollama (no chats)",
        if_met(has("messages"), error_of(400, '"base:1b" does not support chat')),
        ["chat"],
    ),
    (
        "databricks (an error_code)",
        if_met(
            has("max_tokens"),
            (400, {"error_code": "BAD_REQUEST", "message": "max_tokens: unknown field"}),
        ),
        ["max_tokens"],
    ),
    (
        "cohere (a decoder's words)",
        if_met(
            has("logprobs"), (400, {"id": "1", "message": 'json: unknown field "top_logprobs"'})
        ),
        ["logprobs", "logprobs"],
    ),
    (
        "cerebras (a path, at the top)",
        if_met(
            has("seed"),
            (
                400,
                {
                    "message": "body.seed: property 'body.seed' is unsupported",
                    "type": "invalid_request_error",
                    "param": "validation_error",
                    "code": "wrong_api_format",
                },
            ),
        ),
        ["seed"],
    ),
    (
        "bedrock (an extraneous key)",
        if_met(
            has("seed"),
            (
                400,
                {
                    "message": "Malformed input request: #: extraneous key [seed] is not "
                    "permitted, please reformat your input and try again."
                },
            ),
        ),
        ["seed"],
    ),
    (
        "databricks (JSON in a string)",
        if_met(
            has("logprobs"),
            (
                400,
                {
                    "error_code": "BAD_REQUEST",
                    "message": '{"error":{"message":"logprobs: Extra inputs are not permitted"}}',
                },
            ),
        ),
        ["logprobs", "logprobs"],
    ),
    (
        "watsonx (errors in a list)",
        if_met(
            has("max_tokens"),
            (
                400,
                {
                    "errors": [
                        {"code": "json_validation_error", "message": "max_tokens is not supported"}
                    ],
                    "trace": "9d1",
                    "status_code": 400,
                },
            ),
        ),
        ["max_tokens"],
    ),
]


def _warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]


@pytest.mark.parametrize(
    ("refused", "lessons"), [row[1:] for row in REFUSED], ids=[r[0] for r in REFUSED]
)
@alike("concurrency", [3], [1])
def test_what_a_server_refuses_by_name_is_learnt_once(
    refused: Callable[[Body], Said | None],
    lessons: list[str],
    concurrency: int,
    opened: Callable[..., Endpoint],
    tmp_path: Path,
) -> None:
    empty = {"instruction": ""} if not lessons else {}
    with running(FaultyProxy(faults={"server": Server([refused])})) as proxy:
        endpoint = opened(proxy.url, prompt=empty, concurrency=concurrency)
        before = endpoint.fingerprint
        assert outcomes_of(endpoint) == OUTCOMES
        changing = {"temperature", "seed", "system", "chat"}.intersection(lessons)
        assert (endpoint.fingerprint == before) == (not changing)
        assert proxy.calls.total() <= len(TEXTS) + concurrency * len(lessons)
        assert endpoint._dialect.lessons == lessons
    # Refused calls cost nothing, unless the server failed.
    assert Ledger(tmp_path / "ledger.sqlite", 1).sums()[0] == 0


# What is refused without a name.

# The part, whether a body has it, what is learnt.
PARTS: list[tuple[str, Callable[[Body], object], list[str]]] = [
    ("log-probabilities", has("logprobs"), ["logprobs", "logprobs"]),
    ("many log-probabilities", lambda sent: sent.get("top_logprobs", 0) > 5, ["logprobs"]),
    ("system turns", lambda sent: "system" in _roles(sent), ["system"]),
    ("temperature", has("temperature"), ["temperature"]),
    ("seed", has("seed"), ["seed"]),
    ("stop", has("stop"), ["stop"]),
    ("max_tokens", has("max_tokens"), ["max_tokens"]),
    (
        "two parts",
        lambda sent: "seed" in sent or "logprobs" in sent,
        ["logprobs", "logprobs", "seed"],
    ),
    (
        "either of two parts, which only together are too much",
        lambda sent: "seed" in sent and "logprobs" in sent,
        ["seed"],
    ),
]
SILENT: list[tuple[str, Said]] = [
    ("bad request", error_of(400, "Bad Request")),
    ("invalid request", (400, {"detail": "invalid request"})),
    ("unprocessable", error_of(422, "Unprocessable Entity")),
    ("nothing", (400, b"")),
    ("a page", (400, b"<html><head><title>400 Bad Request</title></head><body></body></html>")),
    ("a firewall's page", (403, b"<html><h1>Sorry, you have been blocked</h1></html>")),
    ("a failure", error_of(500, "Internal Server Error")),
    ("a gateway's failure", (502, b"<html><center><h1>502 Bad Gateway</h1></center></html>")),
    ("what is not implemented", (501, {"error": "not implemented"})),
    ("an error inside an answer", error_of(200, "Provider returned error")),
    (
        "lm studio (a template that fails)",
        (400, {"error": "Error rendering prompt: UndefinedValue"}),
    ),
    ("a value that is out of bounds", error_of(400, "argument 3 exceeds the maximum")),
    ("kong", (400, {"message": "Bad request", "request_id": "a1"})),
    (
        "text-generation-inference (by another name)",
        (422, {"error": "Input validation error: `top_n_tokens` must be <= 5"}),
    ),
    (
        "openrouter (no provider for the parameters)",
        error_of(404, "No endpoints found that can handle the requested parameters.", code=404),
    ),
    ("the new name alone", error_of(400, "The maximum length is given by max_completion_tokens.")),
]


@pytest.mark.parametrize(
    ("refused", "lessons"), [row[1:] for row in PARTS], ids=[row[0] for row in PARTS]
)
@pytest.mark.parametrize("said", [row[1] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_a_server_refuses_without_a_name_is_found_by_leaving_it_out(
    said: Said,
    refused: Callable[[Body], object],
    lessons: list[str],
    opened: Callable[..., Endpoint],
) -> None:
    with running(FaultyProxy(faults={"server": Server([if_met(refused, said)])})) as proxy:
        endpoint = opened(proxy.url, concurrency=3, parameters={"stop": ["\n\n"]})
        assert outcomes_of(endpoint) == OUTCOMES
        assert endpoint._dialect.lessons == lessons


def test_a_search_is_made_once_and_is_short(opened: Callable[..., Endpoint]) -> None:
    refused = if_met(has("seed"), error_of(400, "Bad Request"))
    with running(FaultyProxy(faults={"server": Server([refused])})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
        # The first text, a greeting, one in the barest form, one with each of 5 parts, 3 texts.
        assert proxy.calls.total() <= 2 + 1 + 5 + len(TEXTS)
        assert max(proxy.calls.values()) == 1


def test_a_prompt_that_is_blocked_is_told_from_a_part_that_is_refused(
    opened: Callable[..., Endpoint],
) -> None:
    both = if_met(lambda sent: "seed" in sent or of_lagos(sent), error_of(400, "Bad Request"))
    with running(FaultyProxy(faults={"server": Server([both])})) as proxy:
        assert outcomes_of(opened(proxy.url), TEXTS[1:]) == ["refused", "positive"]


@pytest.mark.parametrize("refused", [row[1] for row in PARTS[:-1]], ids=[r[0] for r in PARTS[:-1]])
def test_a_model_is_not_missing_that_refuses_a_part_without_a_name(
    refused: Callable[[Body], object],
) -> None:
    server = Server([if_met(refused, error_of(400, "Bad Request"))])
    with running(FaultyProxy(faults={"server": server}, models=body(b"[]"))) as proxy:
        check_endpoint(EndpointSettings(proxy.url, "m", context_tokens=400, seed=1))


@pytest.mark.parametrize("texts", [TEXTS[:2], TEXTS[1:]])
@pytest.mark.parametrize("status", [500, 502])
def test_a_prompt_at_which_a_server_fails_is_no_end(
    status: int, texts: list[str], opened: Callable[..., Endpoint]
) -> None:
    """epam/ai-dial-adapter-vertexai#149, xtekky/gpt4free#2341."""
    failing = if_met(of_lagos, error_of(status, "'NoneType' object has no attribute 'parts'"))
    with running(FaultyProxy(faults={"server": Server([failing])})) as proxy:
        found = dict(zip(texts, outcomes_of(opened(proxy.url), texts), strict=True))
        assert sorted(found.values()) == ["positive", "refused"]
        assert found[TEXTS[1]] == "refused"
        # A greeting shows that it answers others, and the last call wants no log-probabilities.
        assert proxy.calls.total() == 1 + MAX_ATTEMPTS + 2


FAILURES = [
    error_of(500, "Out of range float values are not JSON compliant"),
    error_of(200, "Provider returned error", code=502),
    error_of(200, "list index out of range"),
]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_at_all_log_probabilities_is_learnt_once_and_noted(
    failure: Said, opened: Callable[..., Endpoint], tmp_path: Path
) -> None:
    """sgl-project/sglang#5984; the form itself is accepted, as a greeting shows."""
    failing = if_met(lambda sent: "logprobs" in sent and "film" in asked_text(sent), failure)
    texts = ["A fine film.", "A dull film.", "A dull, long film."]
    with running(FaultyProxy(faults={"server": Server([failing])})) as proxy:
        assert outcomes_of(opened(proxy.url, notes=tmp_path), texts) == [*OUTCOMES[:2], "negative"]
        # All attempts at the first text, a greeting, and each text without log-probabilities.
        assert proxy.calls.total() == MAX_ATTEMPTS + 1 + len(texts)
        later = opened(proxy.url, notes=tmp_path)
        assert later._dialect.lessons == ["logprobs", "logprobs"]
        assert outcomes_of(later, texts) == [*OUTCOMES[:2], "negative"]
        assert proxy.calls.total() == MAX_ATTEMPTS + 1 + 2 * len(texts)


def test_a_failure_at_log_probabilities_of_some_prompts_keeps_those_of_others(
    opened: Callable[..., Endpoint], tmp_path: Path
) -> None:
    """madroidmaq/mlx-omni-server#56: a log-probability of minus infinity."""
    bodies: list[Body] = []
    failing = if_met(
        lambda sent: bodies.append(sent) or ("logprobs" in sent and of_lagos(sent)), FAILURES[0]
    )
    with running(FaultyProxy(faults={"server": Server([failing])})) as proxy:
        endpoint = opened(proxy.url, notes=tmp_path)
        assert outcomes_of(endpoint, TEXTS[:2]) == OUTCOMES[:2]
        assert endpoint._dialect.lessons == [FAILING]
        bodies.clear()
        later = opened(proxy.url, notes=tmp_path)
        assert later.fingerprint == endpoint.fingerprint
        assert outcomes_of(later, [TEXTS[1], TEXTS[0]]) == ["negative", "positive"]
    assert ["logprobs" in sent for sent in bodies] == [True, False, True]
    assert later._dialect.lessons == [FAILING]


# What is refused for one prompt.

FLAGGED = "Invalid prompt: your prompt was flagged as potentially violating our usage policy."
MODERATED: list[tuple[str, Said]] = [
    ("UKGovernmentBEIS/inspect_ai#5108", error_of(400, FLAGGED, code="invalid_prompt")),
    ("deepseek-ai/awesome-deepseek-integration#13", error_of(400, "Content Exists Risk")),
    ("zhipu", error_of(400, "系统检测到输入或生成内容可能包含不安全或敏感内容", code="1301")),
    ("alibaba", error_of(400, "Input data may be unfit.", code="data_inspection_failed")),
    ("azure", error_of(400, "The response was filtered", code="content_filter")),
    (
        "UKGovernmentBEIS/inspect_ai#2267",
        (403, {"code": "no permission", "error": "content is against the guidelines"}),
    ),
    ("no word that tells why", error_of(400, "Bad request")),
    ("unavailable for legal reasons", error_of(451, "no")),
    ("a word that is a parameter, too", error_of(400, "Our system has blocked this prompt.")),
    ("a failure that says why", error_of(500, "prompt blocked by guardrail")),
    ("an error inside an answer", error_of(200, "moderation: this input is flagged")),
    (
        "an empty answer that says why",
        (200, {"choices": [], "prompt_feedback": {"block_reason": "PROHIBITED_CONTENT"}}),
    ),
    (
        "a reason of its own",
        (200, {"choices": [{"message": {"content": None}, "finish_reason": "sensitive"}]}),
    ),
    ("gemini", (200, {"choices": [{"finish_reason": "content_filter: PROHIBITED_CONTENT"}]})),
    (
        "anomalyco/opencode#31744",
        (200, {"choices": [{"message": {"content": ""}, "finish_reason": "content-filter"}]}),
    ),
    (
        "reVrost/go-openrouter#43 (the reason of the model's provider)",
        (
            200,
            {
                "choices": [
                    {
                        "message": {"content": "I would rather not."},
                        "finish_reason": "stop",
                        "native_finish_reason": "refusal",
                    }
                ]
            },
        ),
    ),
    (
        "azure (an inner error)",
        error_of(
            400,
            "The response was filtered due to the prompt triggering the content management policy.",
            type=None,
            param="prompt",
            code="content_filter",
            innererror={"code": "ResponsibleAIPolicyViolation"},
        ),
    ),
    (
        "azure (a message without content)",
        (200, {"choices": [{"message": {"role": "assistant"}, "finish_reason": "content_filter"}]}),
    ),
    ("vertex", (200, {"choices": [{"message": {"content": None}, "finish_reason": "SAFETY"}]})),
    (
        "vertex (personal data)",
        (200, {"choices": [{"message": {"content": None}, "finish_reason": "SPII"}]}),
    ),
    (
        "vertex (recitation)",
        (200, {"choices": [{"message": {"content": None}, "finish_reason": "RECITATION"}]}),
    ),
    (
        "openrouter (moderation)",
        error_of(
            403,
            'This model requires moderation. Your input was flagged for "hate"',
            code=403,
            metadata={"reasons": ["hate"], "flagged_input": "a man from Lagos"},
        ),
    ),
    ("anthropic", error_of(400, "Output blocked by content filtering policy")),
    (
        "anthropic (a refusal)",
        (200, {"choices": [{"message": {"content": ""}, "finish_reason": "refusal"}]}),
    ),
    (
        "openai (a refusal without content)",
        (
            200,
            {
                "choices": [
                    {
                        "message": {"content": None, "refusal": "I can't assist with that."},
                        "finish_reason": "stop",
                    }
                ]
            },
        ),
    ),
    (
        "xai (a failed check)",
        (
            400,
            {
                "code": "Client specified an invalid argument",
                "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO",
            },
        ),
    ),
    (
        "minimax",
        (
            200,
            {
                "choices": None,
                "base_resp": {"status_code": 1026, "status_msg": "input new_sensitive"},
            },
        ),
    ),
    ("a firewall's page", (403, "<html><h1>Sorry, you have been blocked</h1></html>")),
    (
        "bedrock",
        (200, {"choices": [{"message": {"content": ""}, "finish_reason": "guardrail_intervened"}]}),
    ),
    ("litellm (a class of its own)", error_of(400, "litellm.ContentPolicyViolationError: no")),
    ("a status for what cannot be processed", (422, {"detail": "input violates our terms"})),
    (
        "cloudflare (a firewall of prompts)",
        (
            424,
            {
                "success": False,
                "result": [],
                "messages": [],
                "error": [{"code": 2016, "message": "Prompt blocked by security configurations"}],
            },
        ),
    ),
    (
        "portkey (checks that failed)",
        (
            446,
            {
                "error": {
                    "message": "The guardrail checks defined in the config failed.",
                    "type": "hooks_failed",
                    "param": None,
                    "code": None,
                },
                "hook_results": {"before_request_hooks": []},
            },
        ),
    ),
    (
        "cohere (a poisonous answer)",
        (200, {"choices": [{"message": {"content": ""}, "finish_reason": "ERROR_TOXIC"}]}),
    ),
    (
        "an error next to an empty choice",
        (
            200,
            {
                "error": {"code": 403, "message": "flagged by moderation"},
                "choices": [{"message": {"content": ""}, "finish_reason": "error"}],
            },
        ),
    ),
    (
        "an error before half an answer",
        (
            200,
            {
                "error": {"code": "content_filter", "message": "stopped"},
                "choices": [{"message": {"content": "positive"}, "finish_reason": "stop"}],
            },
        ),
    ),
    (
        "openai (a part that is a refusal)",
        (
            200,
            {
                "choices": [
                    {
                        "message": {"content": [{"type": "refusal", "refusal": "Negative, no."}]},
                        "finish_reason": "stop",
                    }
                ]
            },
        ),
    ),
    (
        "vertex (a list of blocked words)",
        (200, {"choices": [{"message": {"content": None}, "finish_reason": "BLOCKLIST"}]}),
    ),
    (
        "cloudflare (a firewall's page with styles first)",
        (
            403,
            b"<!DOCTYPE html><html><head><title>Attention Required!</title><style>"
            + b"body{margin:0} " * 30
            + b"</style></head><body><h1>Sorry, you have been blocked</h1></body></html>",
        ),
    ),
]


@pytest.mark.parametrize("said", [row[1] for row in MODERATED], ids=[row[0] for row in MODERATED])
@pytest.mark.parametrize("first", [False, True])
def test_a_prompt_that_is_blocked_is_an_outcome_and_no_end(
    said: Said, first: bool, opened: Callable[..., Endpoint]
) -> None:
    texts, outcomes = list(TEXTS), ["positive", "refused", "positive"]
    if first:
        texts[:2], outcomes[:2] = texts[1::-1], outcomes[1::-1]
    with running(FaultyProxy(faults={"server": Server([if_met(of_lagos, said)])})) as proxy:
        endpoint = opened(proxy.url)
        assert outcomes_of(endpoint, texts) == outcomes
        assert endpoint._dialect.lessons == []
        # A question that nobody refuses tells it from other errors; further attempts and questions
        # tell one without a reason from a router's provider that refuses what others accept.
        told = BLOCKED.search(json.dumps(said[1], ensure_ascii=False, default=str))
        assert proxy.calls.total() <= len(texts) + 1 + (0 if told else 2 * SURE - 1)


# Answers of models that reason.

INSIDE = "<think>\nAt first sight {}, hmm.\n</think>\n\n{}"
WRONG = {"positive": "negative", "negative": "positive"}


def _thinking(form: str) -> Callable[[Body], Said]:
    """Return an answer after a thought that names the other label."""

    def answer(sent: Body) -> Said:
        right = right_label(sent)
        return right_answer(sent, content=form.format(WRONG[right], right))

    return answer


def _apart(**more: str) -> Callable[[Body], Said]:
    return lambda sent: right_answer(
        sent, **{key: text.format(WRONG[right_label(sent)]) for key, text in more.items()}
    )


def _in_parts(sent: Body) -> Said:
    right = right_label(sent)
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": WRONG[right]}]}
    return right_answer(sent, content=[thought, {"type": "text", "text": right}])


THOUGHTS: list[tuple[str, Callable[[Body], Said]]] = [
    ("EvolvingLMMs-Lab/lmms-eval#1380", _thinking(INSIDE)),
    ("IBM/AssetOpsBench#418, begun by the template", _thinking("Looks {} to me.\n</think>\n{}")),
    ("verl-project/verl#6434", _thinking("<think>{}</think>{}")),
    ("vllm-project/vllm#17609", _apart(reasoning_content="It is {}.")),
    ("openrouter", _apart(reasoning="It is {}.")),
    ("mistral", _in_parts),
    ("groq", _apart(reasoning="It is {}.", channel="final")),
    ("ollama", _apart(thinking="It is {}.")),
    (
        "openrouter (details)",
        lambda sent: right_answer(
            sent, reasoning_details=[{"type": "reasoning.text", "text": WRONG[right_label(sent)]}]
        ),
    ),
    (
        "anthropic (blocks)",
        lambda sent: right_answer(
            sent,
            content=[
                {"type": "thinking", "thinking": WRONG[right_label(sent)], "signature": "s"},
                {"type": "text", "text": right_label(sent)},
            ],
        ),
    ),
    ("moonshotai", _thinking("◁think▷{}?◁/think▷{}")),
    ("a tag with attributes", _thinking('<think type="deep">{}?</think>{}')),
    ("sgl-project/sglang, a channel of gemma", _thinking("<|channel>thought\n{}<channel|>{}")),
    (
        "gpt-oss without a parser",
        _thinking(
            "<|channel|>analysis<|message|>{}?<|end|><|start|>assistant<|channel|>final<|message|>{}"
        ),
    ),
    (
        "databricks (a summary in a part)",
        lambda sent: right_answer(
            sent,
            content=[
                {
                    "type": "reasoning",
                    "summary": [{"type": "summary_text", "text": WRONG[right_label(sent)]}],
                },
                {"type": "text", "text": right_label(sent)},
            ],
        ),
    ),
    (
        "litellm (blocks of thoughts)",
        lambda sent: right_answer(
            sent,
            thinking_blocks=[
                {"type": "thinking", "thinking": WRONG[right_label(sent)], "signature": "s"}
            ],
        ),
    ),
    (
        "open-webui (details)",
        _thinking(
            '<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>\n'
            "> {}?\n</details>\n{}"
        ),
    ),
    ("poe (quoted lines)", _thinking("*Thinking...*\n\n> It is {},\n> or so.\n\n{}")),
    (
        "ibm-granite (headings)",
        _thinking("Here is my thought process:\nSeems {}.\n\nHere is my response:\n{}"),
    ),
    ("simplescaling/s1 (turns)", _thinking("<|im_start|>think\nIt is {}.\n<|im_start|>answer\n{}")),
    (
        "ServiceNow-AI/Apriel (a final part)",
        _thinking(
            "Here are my reasoning steps:\nIt is {}.\n[BEGIN FINAL RESPONSE]\n{}\n"
            "[END FINAL RESPONSE]"
        ),
    ),
    (
        "unslothai (tags of its own)",
        _thinking("<start_working_out>It is {}.<end_working_out><SOLUTION>{}</SOLUTION>"),
    ),
    ("square brackets", _thinking("[REASONING]It is {}.[/REASONING]\n{}")),
    (
        "JSON with its reasons first",
        _thinking('{{"reasoning": "At first sight {}.", "answer": "{}"}}'),
    ),
]


@pytest.mark.parametrize("answer", [row[1] for row in THOUGHTS], ids=[row[0] for row in THOUGHTS])
def test_labels_are_read_outside_thoughts_which_are_kept(
    answer: Callable[[Body], Said], opened: Callable[..., Endpoint]
) -> None:
    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        endpoint = opened(proxy.url)
        responses = [pair for part in endpoint.responses(TEXTS) for pair in part]
        assert all("positive" in text and "negative" in text for _, text in responses)
        assert outcomes_of(endpoint) == OUTCOMES


def _cut(content: Any, **message: Any) -> Callable[[Body], Said]:
    said = {"content": content, **message}
    return lambda sent: (200, {"choices": [{"message": said, "finish_reason": "length"}]})


WORDLESS: list[tuple[str, Callable[[Body], Said], str]] = [
    ("a thought that is cut", _cut("<think>\nIt could be positive, as"), "all their tokens"),
    ("one apart", _cut(None, reasoning_content="It is positive, as"), "all their tokens"),
    (
        "another word for it",
        lambda sent: (
            200,
            {
                "choices": [
                    {"message": {"content": "<think>positive"}, "finish_reason": "MAX_TOKENS"}
                ]
            },
        ),
        "all their tokens",
    ),
    (
        "vllm-project/vllm#22507",
        lambda sent: (
            200,
            {
                "choices": [
                    {
                        "message": {"content": None, "reasoning_content": "positive"},
                        "finish_reason": "stop",
                    }
                ]
            },
        ),
        "thoughts with no word",
    ),
    (
        "anthropic (a window that is full)",
        lambda sent: (
            200,
            {
                "choices": [
                    {
                        "message": {"content": "<think>positive"},
                        "finish_reason": "model_context_window_exceeded",
                    }
                ]
            },
        ),
        "all their tokens",
    ),
    (
        "capital letters",
        lambda sent: (
            200,
            {"choices": [{"message": {"content": "<think>positive"}, "finish_reason": "LENGTH"}]},
        ),
        "all their tokens",
    ),
    (
        "a limit by another name",
        lambda sent: (
            200,
            {
                "choices": [
                    {"message": {"content": "<think>positive"}, "finish_reason": "token_limit"}
                ]
            },
        ),
        "all their tokens",
    ),
]


@pytest.mark.parametrize(
    ("answer", "told"), [row[1:] for row in WORDLESS], ids=[row[0] for row in WORDLESS]
)
def test_thoughts_without_a_word_after_them_are_counted(
    answer: Callable[[Body], Said],
    told: str,
    opened: Callable[..., Endpoint],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        assert outcomes_of(opened(proxy.url)) == ["unparsed"] * 3
        assert proxy.calls.total() == 3
    warnings = _warnings(caplog)
    assert [line.partition("model m: ")[2][:2] for line in warnings] == ["1 ", "3 "]
    assert all(told in line and "max_answer_tokens" in line for line in warnings)


def test_what_is_cut_of_a_model_whose_template_begins_a_thought_is_a_thought(
    opened: Callable[..., Endpoint],
) -> None:
    cut = (200, {"choices": [{"message": {"content": "positive?"}, "finish_reason": "length"}]})
    server = Server([if_met(of_lagos, cut)], _thinking("Looks {} to me.\n</think>\n{}"))
    with running(FaultyProxy(faults={"server": server})) as proxy:
        assert outcomes_of(opened(proxy.url)) == ["positive", "unparsed", "positive"]


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        ({"completion_tokens": 300, "completion_tokens_details": {"reasoning_tokens": 290}}, 300),
        # As xAI counts them.
        (
            {
                "completion_tokens": 10,
                "total_tokens": 360,
                "completion_tokens_details": {"reasoning_tokens": 300},
            },
            310,
        ),
    ],
)
def test_tokens_of_thoughts_are_paid(
    usage: Mapping[str, Any], said: int, opened: Callable[..., Endpoint], tmp_path: Path
) -> None:
    answer: Callable[[Body], Said] = lambda sent: (  # noqa: E731
        200,
        {**right_answer(sent)[1], "usage": {"prompt_tokens": 50, **usage}},
    )
    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        outcomes_of(opened(proxy.url), TEXTS[:1])
    cost = Prices(0.5, 1.5).cost(input_tokens=50, output_tokens=said)
    assert Ledger(tmp_path / "ledger.sqlite", 1).sums() == (cost, 0)


# A window that the server cuts.


def _windowed(window: int) -> Callable[[Body], Said]:
    """Return answers of a server that reads the last words of a prompt, and counts these."""

    def answer(sent: Body) -> Said:
        words = " ".join(turn["content"] for turn in sent["messages"]).split()
        usage = {"prompt_tokens": 20 + len(words[-window + 20 :]), "completion_tokens": 1}
        return 200, {**right_answer(sent)[1], "usage": usage}

    return answer


@pytest.mark.parametrize("lengths", [(500, 600), (600, 500), (700, 1200)])
def test_a_window_that_the_server_cuts_is_found(
    lengths: tuple[int, int], opened: Callable[..., Endpoint], caplog: pytest.LogCaptureFixture
) -> None:
    """ollama/ollama#3839, ollama/ollama#6026."""
    texts = ["a fine film", *("so fine " * (length // 2) for length in lengths), "a fine book"]
    with running(FaultyProxy(faults={"server": Server([], _windowed(400))})) as proxy:
        endpoint = opened(proxy.url, context_tokens=4096)
        assert outcomes_of(endpoint, texts) == ["positive", "unparsed", "unparsed", "positive"]
    assert "reads 400 tokens of a prompt" in caplog.text
    with running(FaultyProxy(faults={"server": Server([], _windowed(4000))})) as proxy:
        endpoint = opened(proxy.url, context_tokens=4096)
        assert outcomes_of(endpoint, texts) == ["positive"] * 4


# Answers of other forms.


def _form(choice: Callable[[str], Any], **more: Any) -> Callable[[Body], Said]:
    return lambda sent: (200, {"choices": [choice(right_label(sent))], **more})


def _message(**fields: Any) -> Callable[[str], Any]:
    return lambda right: {"message": {"content": right}, "finish_reason": "stop", **fields}


FORMS: list[tuple[str, Callable[[Body], Said]]] = [
    ("earendil-works/pi#2106", _form(_message(finish_reason="end"))),
    ("vespa-engine/vespa#33327", _form(_message(finish_reason="eos"))),
    ("zeitlings/ayai-gpt-nexus#2", _form(_message(finish_reason="end_turn"))),
    ("no reason", _form(_message(finish_reason=None))),
    ("azure (results of its filter)", _form(_message(content_filter_results={"hate": {}}))),
    ("an error that is none", _form(_message(error=None), error=None, code=0, msg="success")),
    (
        "a list of texts",
        _form(lambda right: {"message": {"content": [right]}, "finish_reason": "stop"}),
    ),
    (
        "a single part",
        _form(lambda right: {"message": {"content": {"type": "text", "text": right}}}),
    ),
    ("a text of a chat", _form(lambda right: {"text": right, "finish_reason": "stop"})),
    ("refusal that is empty", _form(lambda right: {"message": {"content": right, "refusal": ""}})),
    (
        "nulls for all that is absent",
        _form(lambda right: {"message": {"content": right, "reasoning_content": None}}, usage=None),
    ),
    ("text-generation-inference", _form(_message(finish_reason="eos_token"))),
    ("cohere (complete)", _form(_message(finish_reason="COMPLETE"))),
    ("an error that is empty", _form(_message(), error={"code": 0, "message": ""})),
    (
        "anthropic (citations in a part)",
        _form(
            lambda right: {
                "message": {
                    "content": [
                        {
                            "type": "text",
                            "text": right,
                            "citations": [{"cited_text": f"not {right}, {WRONG[right]}"}],
                        }
                    ]
                }
            }
        ),
    ),
    (
        "a part that gives a reason",
        _form(
            lambda right: {
                "message": {"content": [{"type": "text", "text": f"{right}. My reason: the end."}]}
            }
        ),
    ),
    (
        "an object for a text",
        _form(lambda right: {"message": {"content": [{"type": "text", "text": {"value": right}}]}}),
    ),
    ("gemini (parts)", _form(lambda right: {"message": {"content": {"parts": [{"text": right}]}}})),
    ("a mark of UTF-8", lambda sent: (200, b"\xef\xbb\xbf" + as_bytes(right_answer(sent)))),
    ("zipped without a header", lambda sent: (200, gzip.compress(as_bytes(right_answer(sent))))),
    ("base64", lambda sent: (200, base64.b64encode(as_bytes(right_answer(sent))))),
    (
        "aws (a body in a body)",
        lambda sent: (200, {"statusCode": 200, "body": as_bytes(right_answer(sent)).decode()}),
    ),
    (
        "cloudflare (a result)",
        lambda sent: (200, {"result": right_answer(sent)[1], "success": True, "errors": []}),
    ),
    ("portkey (checks that failed and are let pass)", lambda sent: (246, right_answer(sent)[1])),
    (
        "a stream that was not asked for",
        lambda sent: (
            200,
            b"".join(
                b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"
                for choice in (
                    {"delta": {"role": "assistant", "content": ""}, "finish_reason": None},
                    {"delta": {"content": right_label(sent)[:3]}, "finish_reason": None},
                    {"delta": {"content": right_label(sent)[3:]}, "finish_reason": None},
                    {"delta": {}, "finish_reason": "stop"},
                )
            )
            + b"data: [DONE]\n\n",
        ),
    ),
    (
        "no number among the log-probabilities",
        lambda sent: (
            200,
            as_bytes(
                _form(
                    _message(
                        logprobs={
                            "content": [
                                {
                                    "token": right_label(sent),
                                    "logprob": float("nan"),
                                    "top_logprobs": [{"token": "a", "logprob": float("-inf")}],
                                }
                            ]
                        }
                    )
                )(sent)
            ),
        ),
    ),
    ("log-probabilities that are null", _form(_message(logprobs={"content": None}))),
    ("usage of other forms", _form(_message(), usage=[{"prompt_tokens": "12"}])),
]


@pytest.mark.parametrize("answer", [row[1] for row in FORMS], ids=[row[0] for row in FORMS])
def test_answers_of_any_form_are_read(
    answer: Callable[[Body], Said], opened: Callable[..., Endpoint]
) -> None:
    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
        assert proxy.calls.total() == len(TEXTS)


EMPTY: list[tuple[str, Any]] = [
    ("no content", {"choices": [{"message": {"role": "assistant"}, "finish_reason": "stop"}]}),
    ("no message", {"choices": [{"finish_reason": "stop", "index": 0}]}),
    (
        "deepseek (no content after a thought)",
        {"choices": [{"message": {"content": "", "reasoning_content": "positive"}}]},
    ),
    (
        "gemini (nothing but a count)",
        {"object": "chat.completion", "usage": {"prompt_tokens": 50, "total_tokens": 50}},
    ),
    ("gemini (no choice, and a count)", {"choices": [], "usage": {"prompt_tokens": 50}}),
    (
        "a call of a function",
        {
            "choices": [
                {
                    "message": {
                        "content": None,
                        "tool_calls": [{"function": {"name": "negative"}}],
                    },
                    "finish_reason": "tool_calls",
                }
            ]
        },
    ),
]


@pytest.mark.parametrize("said", [row[1] for row in EMPTY], ids=[row[0] for row in EMPTY])
def test_an_empty_answer_is_paid_once_and_ends_nothing(
    said: Any, opened: Callable[..., Endpoint]
) -> None:
    with running(FaultyProxy(faults={"server": Server([if_met(of_lagos, (200, said))])})) as proxy:
        assert outcomes_of(opened(proxy.url)) == ["positive", "unparsed", "positive"]
        assert proxy.calls.total() == len(TEXTS)


# What an entry says.


def test_an_entry_may_say_how_its_server_is_asked(opened: Callable[..., Endpoint]) -> None:
    """coze-dev/coze-studio#324, musistudio/claude-code-router#948."""
    met: list[Body] = []
    wanted = if_met(
        lambda sent: met.append(sent) or sent.get("enable_thinking") is not False,
        error_of(400, "parameter.enable_thinking must be set to false for non-streaming calls"),
    )
    with running(FaultyProxy(faults={"server": Server([wanted])})) as proxy:
        with pytest.raises(InputError, match=r"enable_thinking must be set to false.*`parameters`"):
            outcomes_of(opened(proxy.url))
        entry = {"enable_thinking": False, "reasoning_effort": "low", "seed": None}
        endpoint = opened(proxy.url, parameters=entry, temperature=None, system_turn=False)
        met.clear()
        assert outcomes_of(endpoint) == OUTCOMES
    assert met[0] == {
        "model": "m",
        "messages": [
            {"role": "user", "content": f"Is it negative or positive?\n\nReview: {TEXTS[0]}"}
        ],
        "max_tokens": 16,
        "enable_thinking": False,
        "reasoning_effort": "low",
        "logprobs": True,
        "top_logprobs": 20,
    }


def test_without_a_chat_a_model_goes_on_from_a_text(opened: Callable[..., Endpoint]) -> None:
    met: list[Body] = []
    seen = if_met(lambda sent: met.append(sent), error_of(400, ""))
    with running(FaultyProxy(faults={"server": Server([seen])})) as proxy:
        assert outcomes_of(opened(proxy.url, chat=False)) == OUTCOMES
    assert met[0]["prompt"] == f"Is it negative or positive?\n\nReview: {TEXTS[0]}"


@pytest.mark.parametrize("key_variable", [None, KEY_VARIABLE])
def test_headers_are_taken_from_the_environment_and_shown_nowhere(
    key_variable: str | None,
    opened: Callable[..., Endpoint],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    secret = "azure-neverShowThis"
    monkeypatch.setenv("AZURE_KEY", secret)
    caplog.set_level(logging.DEBUG)
    found: list[tuple[str | None, ...]] = []

    def server(call: Call) -> None:
        sent = call.handler.headers
        found.append((sent["api-key"], sent["Authorization"], call.handler.path))
        refused = error_of(400, f"your key {secret}, of_an_input")
        status, document = refused if b"Lagos" in call.body else right_answer(json.loads(call.body))
        call.send(status, json.dumps(document).encode())

    with running(FaultyProxy(faults={"server": server})) as proxy:
        entry = {"headers": {"api-key": "AZURE_KEY"}, "key_variable": key_variable}
        endpoint = opened(f"{proxy.url}?api-version=2026-01-01", **entry)
        responses = dict(pair for part in endpoint.responses(TEXTS) for pair in part)
    bearer = f"Bearer {KEY}" if key_variable else None
    assert found[0] == (secret, bearer, "/v1/chat/completions?api-version=2026-01-01")
    assert endpoint.read(responses[1]).answer == "your key (the key), of_an_input"
    assert secret not in caplog.text + endpoint.fingerprint


def test_a_secret_in_the_place_of_a_variable_is_not_shown(tmp_path: Path) -> None:
    sheet = {"about": "ours", "kind": "endpoint", "base_url": "http://one/v1", "model": "m"}
    secret = {"tokenizer": "cl100k_base", "headers": {"api-key": "sk-secretsecret"}}
    path = tmp_path / "models.yaml"
    path.write_text(json.dumps({"m": {**sheet, **secret}}), encoding="utf-8")
    with pytest.raises(InputError, match="found a value that is not a valid name") as caught:
        read_sheet(path, Models)
    assert "secretsecret" not in str(caught.value)


def test_what_is_learnt_is_noted_for_the_next_job(
    opened: Callable[..., Endpoint], tmp_path: Path
) -> None:
    refused = if_met(has("temperature"), error_of(400, "`temperature` is deprecated"))
    with running(FaultyProxy(faults={"server": Server([refused])})) as proxy:
        first = opened(proxy.url, notes=tmp_path)
        before = first.fingerprint
        with pytest.raises(Learnt, match="Run again"):
            outcomes_of(first)
        # It is not noted before it helps.
        assert not list(tmp_path.glob("*.json"))
        assert outcomes_of(first) == OUTCOMES
        second = opened(proxy.url, notes=tmp_path)
        assert second.fingerprint == first.fingerprint != before
        assert outcomes_of(second) == OUTCOMES
        assert proxy.calls.total() == 1 + 2 * len(TEXTS)
        other = opened(proxy.url, notes=tmp_path, temperature=1)
        assert other._dialect.lessons == []


def test_answers_are_kept_under_what_was_learnt(
    opened: Callable[..., Endpoint], tmp_path: Path
) -> None:
    """No answer is asked for twice, and none is among those of the model as it is not asked."""
    refused = if_met(has("temperature"), error_of(400, "`temperature` is deprecated"))
    texts = {digest_of_text(text): text for text in TEXTS}
    stores: list[ResponseStore] = []

    @again_once_learnt
    def write(opened: Opened) -> None:
        stores.append(opened.store)
        parsed_answers = opened.ask(texts, advance=lambda _: None)
        assert [parsed_answers[key].outcome for key in texts] == [(label,) for label in OUTCOMES]

    with running(FaultyProxy(faults={"server": Server([refused])})) as proxy:
        for calls in (4, 4):
            endpoint = opened(proxy.url, notes=tmp_path)
            store = ResponseStore(tmp_path, fingerprint=endpoint.fingerprint)
            write(Opened(endpoint, store))
            assert proxy.calls.total() == calls
    assert [len(store) for store in stores] == [0, 3, 3]


def test_a_varying_model_is_told_of_once(
    opened: Callable[..., Endpoint], caplog: pytest.LogCaptureFixture
) -> None:
    with running(FaultyProxy(faults={"server": Server([])})) as proxy:
        endpoint = opened(proxy.url, temperature=None)
        for _ in range(2):
            outcomes_of(endpoint)
    assert len(_warnings(caplog)) == 1
    caplog.clear()
    refused = if_met(has("temperature"), error_of(400, "`temperature` is deprecated"))
    with running(FaultyProxy(faults={"server": Server([refused])})) as proxy:
        outcomes_of(opened(proxy.url))
    (warning,) = _warnings(caplog)
    assert "asked without a temperature" in warning
    assert "`repeats`" in warning


def test_fingerprints_of_answers_that_are_kept_stay(resources: Path) -> None:
    """Those of entries without new keys, as they were when answers were first kept under them."""

    def fingerprint(instruction: str, **sheet: Any) -> str:
        return open_endpoint(
            resources / "cl100k_base",
            sheet={"base_url": "http://one/v1", "model": "m", "context_tokens": 4096, **sheet},
            task=Task(prompt_of(instruction=instruction), [], multi_label=False),
            seed=1,
        ).fingerprint

    assert fingerprint("Say.") == "a01d0d40a6344d75d3eb91cc7273b1ea"
    assert fingerprint("") == "f129f350e5502f333aacdb36f00cdc0f"
    assert fingerprint("Say.", temperature=0.7) == "49672c8a597d693bf01742065cc50aee"
    others = {
        fingerprint("Say.", **{key: value})
        for key, value in {
            "temperature": None,
            "chat": False,
            "system_turn": False,
            "parameters": {"reasoning_effort": "low"},
        }.items()
    }
    assert len(others | {"a01d0d40a6344d75d3eb91cc7273b1ea"}) == 5


# What cannot be helped is told in the server's words.

HOPELESS: list[tuple[str, Said, str]] = [
    (
        "langchain-ai/langchainjs#1929",
        error_of(429, "You exceeded your current quota", type="insufficient_quota"),
        "found HTTP 429: You exceeded your current quota; expected an account with credit",
    ),
    ("a day's quota", error_of(429, "Limit of 50 requests per day"), "429: Limit of 50 requests"),
    (
        "gemini's quota",
        (429, [{"error": {"message": "quota", "details": [{"quotaId": "RequestsPerDay-Free"}]}}]),
        "found HTTP 429: quota; expected an account with credit",
    ),
    ("openrouter", error_of(402, "Insufficient credits"), "402: Insufficient credits; .* credit"),
    (
        "litellm (the budget of a key)",
        error_of(429, "Budget has been exceeded! Current cost: 10.5", type="budget_exceeded"),
        "HTTP 429: Budget has been exceeded! .* credit",
    ),
    (
        "an empty account as a bad request",
        error_of(400, "Your credit balance is too low"),
        "HTTP 400: Your credit balance is too low",
    ),
    ("an error inside an answer", error_of(200, "no more credits", code=402), "HTTP 402: no more"),
    ("a key for another model", error_of(403, "not your model"), "found HTTP 403: not your model"),
    (
        "a prompt that is too long",
        error_of(400, "This model's maximum context length is 4096 tokens", param="messages"),
        "maximum context length is 4096 tokens; .*context_tokens",
    ),
    (
        "a limit that no name helps",
        error_of(400, "max_tokens is too large: 16", param="max_tokens"),
        "found HTTP 400: max_tokens is too large",
    ),
    (
        "zhipu (an empty account in another language)",
        error_of(429, "余额不足或无可用资源包,请充值。", code="1113"),
        "HTTP 429: 余额不足.*account with credit",
    ),
    (
        "moonshot (a bill that is not paid)",
        error_of(
            429,
            "Your account is suspended, please check your plan and billing details",
            type="exceeded_current_quota_error",
        ),
        "HTTP 429: Your account is suspended.*account with credit",
    ),
    (
        "azure (no such deployment)",
        error_of(
            404, "The API deployment for this resource does not exist", code="DeploymentNotFound"
        ),
        "HTTP 404: The API deployment",
    ),
    (
        "huggingface (included credits)",
        (402, {"error": "You have exceeded your monthly included credits"}),
        "HTTP 402: You have exceeded",
    ),
    (
        "alibaba (an account in arrears)",
        error_of(
            400,
            "Access denied, please make sure your account is in good standing.",
            code="Arrearage",
        ),
        "HTTP 400: Access denied, please make sure your account",
    ),
    (
        "together (a model on servers of one's own only)",
        error_of(400, "Unable to access non-serverless model m.", code="model_not_available"),
        "HTTP 400: Unable to access non-serverless model",
    ),
    (
        "azure (an older version)",
        error_of(400, "Model m is enabled only for api versions 2025-03-01-preview and later"),
        "HTTP 400: Model m is enabled only for api versions",
    ),
    (
        "anthropic (a limit of one's own)",
        error_of(429, "You have reached your specified API usage limits."),
        "HTTP 429: You have reached your specified API usage limits.*account with credit",
    ),
    (
        "a page of a gateway, in words",
        (403, b"<html><style>p{}</style><center><h1>403 Forbidden</h1></center>nginx</html>"),
        "found HTTP 403: 403 Forbidden nginx",
    ),
]


@pytest.mark.parametrize(
    ("said", "told"), [row[1:] for row in HOPELESS], ids=[row[0] for row in HOPELESS]
)
def test_what_cannot_be_helped_is_told_at_once(
    said: Said, told: str, opened: Callable[..., Endpoint], tmp_path: Path
) -> None:
    with running(FaultyProxy(faults={"server": Server([lambda _: said])})) as proxy:
        endpoint = opened(proxy.url, notes=tmp_path)
        with pytest.raises(InputError, match=told):
            outcomes_of(endpoint)
        # Harmless questions, in the same form and in two barer ones, show that it refuses all.
        assert proxy.calls.total() <= 4
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.parametrize("said", [row[1] for row in HOPELESS], ids=[row[0] for row in HOPELESS])
def test_what_ends_a_job_midway_is_no_outcome_of_an_input(
    said: Said, opened: Callable[..., Endpoint]
) -> None:
    """A key that expires, or an account that is empty, refuses every question from then on."""
    ended: list[Body] = []
    over = if_met(lambda sent: ended or (of_lagos(sent) and (ended.append(sent) or True)), said)
    with running(FaultyProxy(faults={"server": Server([over])})) as proxy:
        found: dict[int, str] = {}
        with pytest.raises(InputError, match=r"HTTP \d+: "):
            for part in opened(proxy.url).responses(TEXTS):
                found |= dict(part)
        assert list(found) == [0]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((200, {"base_resp": {"status_msg": "busy"}, "choices": None}), "HTTP 200: .*busy"),
        (
            (200, {"choices": [{"message": {"content": "posi"}, "finish_reason": "abort"}]}),
            r"an answer that broke off \(finish reason abort\)",
        ),
        (error_of(529, "overloaded"), "HTTP 529: overloaded"),
        # text-generation-inference: a failure while it generated.
        (
            (424, {"error": "Request failed during generation: out of memory"}),
            "HTTP 424: Request failed during generation",
        ),
        # A gateway's page is shown in its words, and none of its styles is taken for a block.
        (
            (502, b"<html><style>p{display:block}</style><h1>502 Bad Gateway</h1>nginx</html>"),
            "HTTP 502: 502 Bad Gateway nginx",
        ),
        ((520, b"error code: 520"), "HTTP 520: error code: 520"),
        # vllm-project/vllm: words about memory.
        (error_of(500, "no free cache blocks"), "HTTP 500: no free cache blocks"),
        # openrouter: an error next to a choice.
        (
            (
                200,
                {
                    "error": {"code": 502, "message": "Provider disconnected"},
                    "choices": [{"message": {"content": "posi"}, "finish_reason": "error"}],
                },
            ),
            "HTTP 502: Provider disconnected",
        ),
        # A page to log in, or of a provider of hotels' networks.
        (
            (200, b"<!DOCTYPE html><html><head><title>Sign in</title></head></html>"),
            "a web page .*Sign in.*base_url",
        ),
    ],
)
def test_what_may_pass_is_asked_again_and_told_in_the_servers_words(
    said: Said, told: str, opened: Callable[..., Endpoint]
) -> None:
    calls: list[Body] = []
    twice = if_met(lambda sent: calls.append(sent) or len(calls) < 3, said)
    with running(FaultyProxy(faults={"server": Server([twice])})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
    with running(FaultyProxy(faults={"server": Server([lambda _: said])})) as proxy:
        with pytest.raises(InputError, match=told):
            outcomes_of(opened(proxy.url))
        assert MAX_ATTEMPTS <= proxy.calls.total() <= MAX_ATTEMPTS + 3


@pytest.mark.parametrize("form", [{"result": {"response": "fine"}, "success": True}, ["fine"]])
@alike("concurrency", [3], [1])
def test_a_form_that_is_no_completion_is_paid_twice_and_shown(
    form: Any, concurrency: int, opened: Callable[..., Endpoint]
) -> None:
    with running(FaultyProxy(faults={"server": Server([lambda _: (200, form)])})) as proxy:
        with pytest.raises(InputError, match=r"fine.* 2 attempts.*base_url"):
            outcomes_of(opened(proxy.url, concurrency=concurrency))
        assert proxy.calls.total() <= FOREIGN * concurrency
    # A server that has answered may have a bad moment.
    calls: list[Body] = []
    some = if_met(lambda sent: calls.append(sent) or 1 < len(calls) < 5, (200, form))
    with running(FaultyProxy(faults={"server": Server([some])})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES


# What a server says to wait, in whatever form.
PER_MINUTE = "You exceeded your current quota, please check your plan and billing details."
LIMITED: list[tuple[str, Said, dict[str, str]]] = [
    (
        "gemini (a quota per minute)",
        (
            429,
            [
                {
                    "error": {
                        "code": 429,
                        "message": f"{PER_MINUTE} Please retry in 0.34s.",
                        "details": [
                            {
                                "@type": "type.googleapis.com/google.rpc.RetryInfo",
                                "retryDelay": "0s",
                            }
                        ],
                    }
                }
            ],
        ),
        {},
    ),
    (
        "groq (a quota per day that comes back in minutes)",
        error_of(429, "Limit on requests per day (RPD): 1000. Please try again in 0m0.4s."),
        {},
    ),
    ("azure (milliseconds)", error_of(429, "Limit of 50 per day"), {"retry-after-ms": "120"}),
    ("a date", error_of(429, "slow down"), {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    ("groq (a status of its own)", error_of(498, "Flex tier capacity exceeded, retry later"), {}),
    ("a status for haste", (420, {"message": "Enhance your calm"}), {}),
    (
        "bedrock (a bad request that is none)",
        (400, {"message": "Too many requests, please wait before trying again."}),
        {},
    ),
    (
        "bedrock (a type of its own)",
        (400, {"__type": "ThrottlingException", "message": "Too many tokens, please wait."}),
        {},
    ),
    ("vertex (busy)", error_of(403, "The model is overloaded. Please try again later."), {}),
]


@pytest.mark.parametrize(
    ("said", "headers"), [row[1:] for row in LIMITED], ids=[row[0] for row in LIMITED]
)
@alike("at", [2], [1])
def test_a_limit_of_calls_is_waited_for_and_is_no_outcome(
    said: Said, headers: Mapping[str, str], at: int, opened: Callable[..., Endpoint]
) -> None:
    def server(call: Call) -> None:
        status, document = said if call.order == at else right_answer(json.loads(call.body))
        call.send(status, json.dumps(document).encode(), headers if call.order == at else {})

    with running(FaultyProxy(faults={"server": server})) as proxy:
        endpoint = opened(proxy.url)
        assert outcomes_of(endpoint) == OUTCOMES
        assert endpoint._dialect.lessons == []


# A router with several providers.

ROUTED: list[tuple[str, Said]] = [
    ("seed by name", error_of(400, "Unrecognized request argument supplied: seed")),
    ("temperature by name", error_of(400, UNSUPPORTED.format("temperature"))),
    ("without a name", error_of(400, "Provider returned error")),
    ("without a word", (422, b"")),
]


@pytest.mark.parametrize("said", [row[1] for row in ROUTED], ids=[row[0] for row in ROUTED])
@alike("concurrency", [3], [1])
def test_a_part_that_one_of_two_providers_refuses_is_no_outcome(
    said: Said, concurrency: int, opened: Callable[..., Endpoint]
) -> None:
    """A part is refused for the first time after answers with it, and answers are paid once."""
    texts = [*TEXTS, "A fine play.", "A dull book."]
    # Each text has turns of its own, so that the order of calls at once does not matter.
    turns = {text: count(place) for place, text in enumerate([*texts, HARMLESS])}
    other = if_met(lambda sent: next(turns[asked_text(sent).removeprefix("Review: ")]) % 2, said)
    with running(FaultyProxy(faults={"server": Server([other])})) as proxy:
        endpoint = opened(proxy.url, concurrency=concurrency)
        before = endpoint.fingerprint
        assert outcomes_of(endpoint, texts) == [*OUTCOMES, "positive", "negative"]
        # Calls at once may meet no provider that accepts it before it is left out.
        assert endpoint.fingerprint == before or concurrency > 1


@pytest.mark.parametrize("names", [["m"], ["m-2", "m-2"], ["m", "small"], ["m", "small", "other"]])
def test_another_model_that_answers_is_told_once(
    names: list[str], opened: Callable[..., Endpoint], caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[Body] = []

    def answer(sent: Body) -> Said:
        calls.append(sent)
        status, document = right_answer(sent)
        return status, {**document, "model": names[len(calls) % len(names)]}

    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
    told = [record for record in caplog.records if "more than one model" in record.getMessage()]
    assert len(told) == (len(set(names)) > 1)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("x-vsr-cache-hit", "true", 1),
        ("cf-aig-cache-status", "HIT", 1),
        ("x-portkey-cache-status", "SEMANTIC HIT", 1),
        ("cf-aig-cache-status", "MISS", 0),
        ("cache-control", "no-store", 0),
        ("fireworks-cached-prompt-tokens", "12", 0),
    ],
)
def test_answers_from_a_cache_of_a_gateway_are_told_once(
    name: str,
    value: str,
    told: int,
    opened: Callable[..., Endpoint],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer(call: Call) -> None:
        call.send(200, as_bytes(right_answer(json.loads(call.body))), {name: value})

    with running(FaultyProxy(faults={"gateway": answer})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
    assert sum("from a cache" in record.getMessage() for record in caplog.records) == told


@pytest.mark.parametrize("said", [row[1] for row in ROUTED], ids=[row[0] for row in ROUTED])
def test_what_is_refused_from_the_first_answer_on_is_told(
    said: Said, opened: Callable[..., Endpoint]
) -> None:
    calls: list[Body] = []
    since = if_met(
        lambda sent: (
            calls.append(sent) or (len(calls) > 1 and {"seed", "temperature"} & sent.keys())
        ),
        said,
    )
    with (
        running(FaultyProxy(faults={"server": Server([since])})) as proxy,
        pytest.raises(InputError, match=f"found HTTP {said[0]}"),
    ):
        outcomes_of(opened(proxy.url))


@pytest.mark.parametrize("said", [error_of(400, "Bad Request"), error_of(400, "no logprobs here")])
def test_log_probabilities_that_are_refused_after_an_answer_are_left_out(
    said: Said, opened: Callable[..., Endpoint]
) -> None:
    calls: list[Body] = []
    since = if_met(lambda sent: calls.append(sent) or (len(calls) > 1 and "logprobs" in sent), said)
    with running(FaultyProxy(faults={"server": Server([since])})) as proxy:
        endpoint = opened(proxy.url)
        assert outcomes_of(endpoint) == OUTCOMES
        assert endpoint._dialect.lessons == ["logprobs", "logprobs"]


def test_a_wait_that_is_too_long_is_told_in_the_servers_words(
    opened: Callable[..., Endpoint],
) -> None:
    def server(call: Call) -> None:
        document = json.dumps({"error": {"message": "per day: 50"}})
        call.send(429, document.encode(), {"Retry-After": "86400"})

    with (
        running(FaultyProxy(faults={"server": server})) as proxy,
        pytest.raises(InputError, match=r"HTTP 429: per day: 50, and .* for 1440 minutes"),
    ):
        outcomes_of(opened(proxy.url))


# Whether a model is there.

LISTS: list[tuple[str, Any, bool]] = [
    ("longy2k/obsidian-bmo-chatbot#51", [{"id": "m", "object": "model"}], True),
    ("helixml/helix#386", {"models": [{"name": "m"}]}, True),
    ("names alone", {"data": ["m", "n"]}, True),
    ("ollama", {"data": [{"id": "m:latest"}]}, True),
    ("iDiagoValeta/localOllamaRAG#129", {"data": [{"id": "other"}]}, False),
    ("an empty list", {"object": "list", "data": None}, False),
    ("no list", "Welcome", False),
    ("a list of no names", {"data": [{"object": "model"}, None, 1, [], {"id": []}]}, False),
    ("watsonx", {"resources": [{"model_id": "m"}]}, True),
    ("cloudflare (an empty list first)", {"errors": [], "result": [{"name": "m"}]}, True),
    ("gemini (a path)", {"data": [{"id": "models/m", "object": "model"}]}, True),
    ("names as keys", {"data": {"m": {"owned_by": "us"}}}, False),
]


@pytest.mark.parametrize(
    ("content", "listed"), [row[1:] for row in LISTS], ids=[row[0] for row in LISTS]
)
@pytest.mark.parametrize("answers", [True, False])
def test_a_name_that_is_not_listed_is_asked_before_it_is_missing(
    content: Any, listed: bool, answers: bool
) -> None:
    refusal: Sequence[Callable[[Body], Said | None]] = [
        if_met(has("max_tokens"), error_of(400, "Use 'max_completion_tokens', not 'max_tokens'")),
        if_met(has("temperature"), error_of(400, "temperature: unsupported")),
        *([] if answers else [lambda _: error_of(404, "no such model")]),
    ]
    models = body(json.dumps(content).encode())
    with running(FaultyProxy(faults={"server": Server(refusal)}, models=models)) as proxy:
        settings = EndpointSettings(proxy.url, "m", context_tokens=400)
        if answers or listed:
            check_endpoint(settings)
        else:
            with pytest.raises(InputError, match=r"found .*no such model; expected .*m"):
                check_endpoint(settings)
        assert proxy.calls.total() == (0 if listed else 3)


@pytest.mark.parametrize(
    "said",
    [
        # As OpenAI's models say that reason, where a token is not enough for a thought.
        error_of(
            400, "Could not finish the message because max_tokens or model output limit was hit"
        ),
        error_of(429, "slow down"),
        error_of(503, "loading"),
    ],
)
def test_a_model_that_cannot_answer_now_is_not_missing(said: Said) -> None:
    server, models = Server([lambda _: said]), body(b'{"data": [{"id": "other"}]}')
    with running(FaultyProxy(faults={"server": server}, models=models)) as proxy:
        check_endpoint(EndpointSettings(proxy.url, "m", context_tokens=400))


# What stands between.


def test_a_proxy_is_not_used_on_this_machine_and_named_elsewhere(
    opened: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    """jxmorris12/language_tool_python#70."""
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    with running(FaultyProxy(faults={"server": Server([])})) as proxy:
        for host in ("127.0.0.1", "localhost"):
            assert outcomes_of(opened(proxy.url.replace("127.0.0.1", host))) == OUTCOMES
    with pytest.raises(InputError, match=r"through a proxy \(http_proxy, https_proxy\)"):
        check_endpoint(EndpointSettings("http://192.0.2.1/v1", "m", context_tokens=400))


def test_certificates_are_parsed_once_and_only_if_need_be() -> None:
    def trusted(url: str) -> Any:
        transport: Any = EndpointSettings(url, "m", context_tokens=400).client()._client._transport
        return transport._pool._ssl_context

    assert trusted("http://127.0.0.1/v1") is None
    one, other = trusted("https://a.example/v1"), trusted("https://b.example/v1")
    assert one is other
    assert one.verify_mode is ssl.CERT_REQUIRED


def test_a_certificate_that_is_not_trusted_is_named_at_once(
    opened: Callable[..., Endpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EleutherAI/lm-evaluation-harness#2440."""
    certificate, key = tmp_path / "ca.pem", tmp_path / "key.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {certificate} -days 9"
    names = ["-subj", "/CN=ours", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with running(FaultyProxy(faults={"server": Server([])}, models=body(b"[]"))) as proxy:
        proxy.socket = context.wrap_socket(proxy.socket, server_side=True)
        url = proxy.url.replace("http:", "https:")
        told = r"certificate that is not trusted \(self.signed certificate\).*SSL_CERT_FILE"
        for ask in (
            lambda: check_endpoint(opened(url)._settings),
            lambda: outcomes_of(opened(url)),
        ):
            with pytest.raises(InputError, match=told):
                ask()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert outcomes_of(opened(url)) == OUTCOMES
