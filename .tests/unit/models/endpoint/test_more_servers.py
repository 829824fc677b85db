"""Servers, gateways and providers as their documents and users describe them.

The cases were written without a look at the code that they test. Each names its source.
"""

import gzip
import json
import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import pytest
from faults import Call, FaultyProxy, body, running
from hinter.errors import InputError
from hinter.models.endpoint.calling import MAX_ATTEMPTS
from hinter.models.endpoint.client import Endpoint
from servers import (
    KEY,
    OUTCOMES,
    TEXTS,
    Body,
    Said,
    Server,
    as_bytes,
    error_of,
    has,
    if_met,
    of_lagos,
    outcomes_of,
    right_answer,
    right_label,
)

pytestmark = [pytest.mark.release, pytest.mark.usefixtures("hurried")]

NOT_YET = {
    "snowflake (a token that expired)",  # Words of a 401 may have the key.
    "github copilot (the text is in the second choice)",
    "workers-ai (its own form)",
    "_chinese",
}
"""Tests, or their rows, that still fail."""

WRONG = {"positive": "negative", "negative": "positive"}
Opened = Callable[..., Endpoint]
Refusal = Callable[[Body], Said | None]
MOST_CALLS = 24
"""More calls than this for three texts are a waste."""


@pytest.fixture(autouse=True)
def _expected_to_fail(request: pytest.FixtureRequest) -> None:
    row = request.node.name.partition("[")[2].rstrip("]")
    if not NOT_YET.isdisjoint({request.node.name, row, row.partition("-")[2]}):
        request.applymarker(pytest.mark.xfail(strict=True, reason="not handled"))


def _any(*keys: str) -> Callable[[Body], bool]:
    return lambda sent: any(key in sent for key in keys)


def _above(most: int) -> Callable[[Body], bool]:
    return lambda sent: (sent.get("top_logprobs") or 0) > most


def _naming(keys: Collection[str], said: Callable[[list[str]], Said]) -> Refusal:
    """Return a refusal of any of `keys`, which is told those that were sent."""

    def refusal(sent: Body) -> Said | None:
        met = [key for key in sent if key in keys]
        return said(met) if met else None

    return refusal


SCORES = ("logprobs", "top_logprobs")

# What is refused: source, what the server refuses, and what a user wants to be sent all the same.
PARTS: list[tuple[str, Sequence[Refusal], set[str]]] = [
    (
        "groq (CherryHQ/cherry-studio#11435)",
        [
            _naming(
                SCORES,
                lambda met: error_of(
                    400,
                    f"property '{met[0]}' is unsupported, did you mean 'top_p'?",
                    type="invalid_request_error",
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "xai (JetBrains/junie#39, its names are not those that were sent)",
        [
            if_met(
                has("top_logprobs"),
                (
                    400,
                    {
                        "code": "Client specified an invalid argument",
                        "error": "Model grok-4.6 does not support parameter topLogprobs.",
                    },
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "gemini (RUC-NLPIR/Arbor#49, two at once)",
        [
            _naming(
                {"seed", *SCORES},
                lambda met: (
                    400,
                    [
                        {
                            "error": {
                                "code": 400,
                                "message": "\n".join(
                                    f'Invalid JSON payload received. Unknown name "{key}": '
                                    "Cannot find field."
                                    for key in met
                                ),
                                "status": "INVALID_ARGUMENT",
                                "details": [
                                    {
                                        "@type": "type.googleapis.com/google.rpc.BadRequest",
                                        "fieldViolations": [{"description": key} for key in met],
                                    }
                                ],
                            }
                        }
                    ],
                ),
            )
        ],
        {"temperature"},
    ),
    (
        "vertex (GoogleCloudPlatform/generative-ai#2947)",
        [
            if_met(
                _any(*SCORES),
                error_of(
                    400,
                    "Unable to submit request because Logprobs is not supported for this model.",
                    status="INVALID_ARGUMENT",
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "vertex (a range that leaves its end out)",
        [
            if_met(
                _above(19),
                error_of(
                    400,
                    "Unable to submit request because it has a logprobs value of 20 but the "
                    "supported range is from 1 (inclusive) to 20 (exclusive). Update the value "
                    "and try again.",
                    status="INVALID_ARGUMENT",
                ),
            )
        ],
        {"temperature", "seed", "logprobs"},
    ),
    (
        "vllm-project/vllm#5299",
        [
            if_met(
                _above(5),
                (
                    400,
                    {
                        "object": "error",
                        "message": "Requested sample logprobs of 20, which is greater than max "
                        "allowed: 5",
                        "type": "BadRequestError",
                        "param": None,
                        "code": 400,
                    },
                ),
            )
        ],
        {"temperature", "seed", "logprobs"},
    ),
    (
        "vllm-project/vllm-gaudi#1098",
        [
            if_met(
                _any(*SCORES),
                error_of(
                    400,
                    "Gaudi doesn't support logprobs. Please remove 'logprobs'/'top_logprobs' from "
                    "your request to receive a response.",
                    type="BadRequestError",
                    code=400,
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "InternLM/lmdeploy#4123",
        [
            if_met(
                _any(*SCORES),
                (
                    400,
                    {
                        "message": "Logprobs or top_logprobs requested but not enabled "
                        "logprobs_mode in engine configuration.",
                        "type": "invalid_request_error",
                        "code": 400,
                        "param": None,
                        "object": "error",
                    },
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "together (lmg-anon/mikupad#55, a validator of JSON schemas)",
        [
            if_met(
                _above(5),
                (
                    400,
                    {
                        "message": "20 is greater than the maximum of 5 - 'top_logprobs'",
                        "type": "invalid_request_error",
                        "param": "top_logprobs",
                        "code": None,
                    },
                ),
            )
        ],
        {"temperature", "seed", "logprobs"},
    ),
    (
        "azure foundry (langchain-ai/langchain#29679)",
        [
            _naming(
                {"seed", *SCORES},
                lambda met: (
                    400,
                    {
                        "detail": f"Extra parameters {met} are not allowed when extra-parameters "
                        "is not set or set to be 'error'. Set extra-parameters to 'pass-through' "
                        "to pass to the model."
                    },
                ),
            )
        ],
        {"temperature"},
    ),
    (
        "litellm before bedrock (RooCodeInc/Roo-Code#12162, JSON in JSON in JSON)",
        [
            if_met(
                has("temperature"),
                error_of(
                    400,
                    "litellm.BadRequestError: BedrockException - "
                    + json.dumps(
                        {
                            "message": "The model returned the following errors: "
                            + json.dumps(
                                {
                                    "type": "error",
                                    "request_id": "req_p2",
                                    "error": {
                                        "type": "invalid_request_error",
                                        "message": "`temperature` is deprecated for this model.",
                                    },
                                }
                            )
                        }
                    ),
                    type=None,
                    param=None,
                    code="400",
                ),
            )
        ],
        {"seed", "logprobs"},
    ),
    (
        "claude (TONresistor/teleton-agent#20, no name for the temperature)",
        [
            if_met(
                has("temperature"),
                (
                    400,
                    {
                        "type": "error",
                        "error": {
                            "details": None,
                            "type": "invalid_request_error",
                            "message": "Invalid request data",
                        },
                    },
                ),
            )
        ],
        {"seed", "logprobs"},
    ),
    (
        "moonshot (HKUDS/nanobot#4962)",
        [
            if_met(
                lambda sent: sent.get("temperature") not in (None, 0.6),
                error_of(
                    400,
                    "invalid temperature: only 0.6 is allowed for this model",
                    type="invalid_request_error",
                ),
            )
        ],
        {"seed", "logprobs"},
    ),
    (
        "openai's models that reason (langgenius/dify-official-plugins#2829, one by one)",
        [
            if_met(
                has("max_tokens"),
                error_of(
                    400,
                    "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    "'max_completion_tokens' instead.",
                    type="invalid_request_error",
                    param="max_tokens",
                    code="unsupported_parameter",
                ),
            ),
            if_met(
                lambda sent: sent.get("temperature") not in (None, 1),
                error_of(
                    400,
                    "Unsupported value: 'temperature' does not support 0 with this model. Only "
                    "the default (1) value is supported.",
                    type="invalid_request_error",
                    param="temperature",
                    code="unsupported_value",
                ),
            ),
            if_met(
                _any(*SCORES),
                error_of(
                    403,
                    "You are not allowed to request logprobs from this model",
                    type="invalid_request_error",
                    param=None,
                    code=None,
                ),
            ),
        ],
        {"seed", "max_completion_tokens"},
    ),
    (
        "cohere (BerriAI/litellm#34111)",
        [
            _naming(
                SCORES,
                lambda met: (
                    400,
                    {
                        "id": "3d71291b",
                        "message": f"unknown field: parameter '{met[-1]}' is not a valid field. "
                        "For proper usage, please refer to https://docs.cohere.com/reference/chat",
                    },
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "dashscope (a range)",
        [
            if_met(
                _above(5),
                error_of(
                    400,
                    "<400> InternalError.Algo.InvalidParameter: Range of top_logprobs should be "
                    "[0, 5]",
                    type="invalid_request_error",
                    code="invalid_parameter_error",
                ),
            )
        ],
        {"temperature", "seed", "logprobs"},
    ),
    (
        "zhipu 1210 (in Chinese, without a name)",
        [if_met(has("seed"), error_of(400, "API 调用参数有误，请检查文档。", code="1210"))],
        {"temperature"},
    ),
    (
        "zhipu 1214 (in Chinese, a temperature of nothing)",
        [
            if_met(
                lambda sent: sent.get("temperature") == 0,
                error_of(400, "temperature参数非法，取值范围是：(0.0, 1.0)", code="1214"),
            )
        ],
        {"seed"},
    ),
    (
        "databricks (databricks/databricks-sdk-py#1263, of Go)",
        [
            if_met(
                has("seed"),
                (
                    400,
                    {
                        "error_code": "BAD_REQUEST",
                        "message": 'Bad request: json: unknown field "seed"\n',
                    },
                ),
            )
        ],
        {"temperature", "logprobs"},
    ),
    (
        "snowflake (docs: max_tokens is deprecated)",
        [
            if_met(
                has("max_tokens"),
                (
                    400,
                    {
                        "message": "max_tokens is deprecated in favor of max_completion_tokens",
                        "error_code": "390400",
                        "request_id": "a1",
                    },
                ),
            )
        ],
        {"temperature", "seed", "max_completion_tokens"},
    ),
    (
        "mistral (an object for a message)",
        [
            _naming(
                {"seed", *SCORES},
                lambda met: (
                    422,
                    {
                        "object": "error",
                        "message": {
                            "detail": [
                                {
                                    "type": "extra_forbidden",
                                    "loc": ["body", key],
                                    "msg": "Extra inputs are not permitted",
                                    "input": 1,
                                }
                                for key in met
                            ]
                        },
                        "type": "invalid_request_message",
                        "param": None,
                        "code": None,
                        "raw_status_code": 422,
                    },
                ),
            )
        ],
        {"temperature", "max_tokens"},
    ),
    (
        "text-generation-inference (a temperature of nothing)",
        [
            if_met(
                lambda sent: sent.get("temperature") == 0,
                (
                    422,
                    {
                        "error": "Input validation error: `temperature` must be strictly positive",
                        "error_type": "validation",
                    },
                ),
            )
        ],
        {"seed"},
    ),
    (
        "rust servers that deny unknown fields (the ones that they know are named, too)",
        [
            _naming(
                {"seed", *SCORES},
                lambda met: (
                    422,
                    (
                        "Failed to deserialize the JSON body into the target type: unknown field "
                        f"`{met[0]}`, expected one of `model`, `messages`, `max_tokens`, "
                        "`temperature`, `top_p`, `stop`, `stream` at line 1 column 212"
                    ).encode(),
                ),
            )
        ],
        {"temperature", "max_tokens"},
    ),
    (
        "workers-ai (5006)",
        [
            if_met(
                _any(*SCORES),
                (
                    400,
                    {
                        "errors": [
                            {
                                "message": "AiError: AiError: Bad input: Error: oneOf at '/' not "
                                "met, 0 matches: required properties at '/' are 'prompt', Type "
                                "mismatch of '/logprobs', 'boolean' not in 'number' (a1)",
                                "code": 5006,
                            }
                        ],
                        "success": False,
                        "result": {},
                        "messages": [],
                    },
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "deepseek-reasoner (docs)",
        [
            if_met(
                _any(*SCORES),
                error_of(
                    400,
                    "deepseek-reasoner does not support the parameters `logprobs`, `top_logprobs`",
                    type="invalid_request_error",
                ),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "bedrock (promptfoo/promptfoo#914)",
        [
            _naming(
                {"seed", *SCORES},
                lambda met: (
                    400,
                    {
                        "message": "Malformed input request:\n"
                        + "\n".join(f"#: extraneous key [{key}] is not permitted" for key in met)
                        + ", please reformat your input and try again."
                    },
                ),
            )
        ],
        {"temperature"},
    ),
    (
        "fireworks (its message has the value)",
        [
            if_met(
                has("seed"),
                error_of(
                    400,
                    "Extra inputs are not permitted, field: 'seed', value: 1",
                    object="error",
                    type="invalid_request_error",
                    code="invalid_request_error",
                ),
            )
        ],
        {"temperature", "logprobs"},
    ),
    (
        "lobehub/lobehub#18885 (a reseller that says nothing)",
        [
            if_met(
                _any(*SCORES),
                error_of(400, "Upstream error: 400", type="invalid_request_error", param=""),
            )
        ],
        {"temperature", "seed"},
    ),
    (
        "zod (a list of issues in a text)",
        [
            if_met(
                has("seed"),
                (
                    400,
                    {
                        "success": False,
                        "error": {
                            "name": "ZodError",
                            "message": json.dumps(
                                [
                                    {
                                        "code": "unrecognized_keys",
                                        "keys": ["seed"],
                                        "path": [],
                                        "message": 'Unrecognized key: "seed"',
                                    }
                                ],
                                indent=2,
                            ),
                        },
                    },
                ),
            )
        ],
        {"temperature"},
    ),
    (
        "in Japanese",
        [
            if_met(
                has("temperature"), error_of(400, "パラメータ temperature はサポートされていません")
            )
        ],
        {"seed", "logprobs"},
    ),
    (
        "in Russian",
        [if_met(_any(*SCORES), (400, {"error": "Неизвестное поле: logprobs", "code": 3}))],
        {"temperature", "seed"},
    ),
    (
        "in Korean",
        [
            if_met(
                has("seed"),
                (400, {"status": {"code": "40001", "message": "seed 값이 유효하지 않습니다."}}),
            )
        ],
        {"temperature"},
    ),
]


@pytest.mark.parametrize(
    ("refusals", "kept"), [row[1:] for row in PARTS], ids=[row[0] for row in PARTS]
)
def test_a_server_is_asked_as_it_wants(
    refusals: Sequence[Refusal], kept: set[str], opened: Opened
) -> None:
    accepted: list[Body] = []

    def answer(sent: Body) -> Said:
        accepted.append(sent)
        return right_answer(sent)

    with running(FaultyProxy(faults={"server": Server(refusals, answer)})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
        assert proxy.calls.total() <= MOST_CALLS
    # Nothing else is left out, above all no limit of tokens.
    last = set(accepted[-1])
    assert kept <= last
    assert {"max_tokens", "max_completion_tokens"} & last


def test_a_model_that_only_streams_is_streamed_or_told(opened: Opened) -> None:
    """DashScope's QwQ: asked with a stream it answers in one, else it refuses."""
    refused = error_of(
        400,
        "<400> InternalError.Algo.InvalidParameter: This model only support stream mode, please "
        "enable the stream parameter to access the model.",
        type="invalid_request_error",
    )

    def answer(sent: Body) -> Said:
        events = [{"choices": [{"delta": {"content": right_label(sent)}, "finish_reason": "stop"}]}]
        return 200, b"".join(b"data: %s\n\n" % json.dumps(e).encode() for e in events)

    server = Server([if_met(lambda sent: sent.get("stream") is not True, refused)], answer)
    with running(FaultyProxy(faults={"server": server})) as proxy:
        try:
            found = outcomes_of(opened(proxy.url))
        except InputError as error:
            assert "stream" in str(error)
        else:
            assert found == OUTCOMES
        assert proxy.calls.total() <= MOST_CALLS
        # Who says so in the entry is answered.
        assert outcomes_of(opened(proxy.url, parameters={"stream": True})) == OUTCOMES


def test_log_probabilities_that_fail_for_one_text_are_no_refusal(opened: Opened) -> None:
    """sgl-project/sglang#5984: an infinite one is no JSON, and the server fails."""
    failing = if_met(
        lambda sent: of_lagos(sent) and "logprobs" in sent, (500, b"Internal Server Error")
    )
    with running(FaultyProxy(faults={"server": Server([failing])})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES


# One text that is refused, or is answered without a label.

REFUSED, UNPARSED, EITHER = {"refused"}, {"unparsed"}, {"refused", "unparsed"}


def _choice(finish: Any, content: Any = None, **more: Any) -> Said:
    message = {"role": "assistant", "content": content}
    return 200, {"choices": [{"message": message, "finish_reason": finish, "index": 0}], **more}


ONE_TEXT: list[tuple[str, Said, set[str]]] = [
    (
        "azure behind litellm (BerriAI/litellm#16231)",
        error_of(
            400,
            "litellm.BadRequestError: litellm.ContentPolicyViolationError: AzureException - The "
            "response was filtered due to the prompt triggering Azure OpenAI's content management "
            "policy. Please modify your prompt and retry.\nmodel=azure/gpt-4o. "
            "content_policy_fallback=None. fallbacks=None.",
            type=None,
            param=None,
            code="400",
            provider_specific_fields={
                "innererror": {
                    "code": "ResponsibleAIPolicyViolation",
                    "content_filter_result": {"hate": {"filtered": True, "severity": "high"}},
                }
            },
        ),
        REFUSED,
    ),
    (
        "xai (stanford-crfm/helm#3770, like a key without rights)",
        (
            403,
            {
                "code": "The caller does not have permission to execute the specified operation",
                "error": "Content violates usage guidelines. Failed check: "
                "SAFETY_CHECK_TYPE_DATA_LEAKAGE",
            },
        ),
        REFUSED,
    ),
    (
        "cohere (498, cohere-ai/cohere-developer-experience#189)",
        (498, {"message": "your request was blocked: it may violate our Usage Guidelines"}),
        REFUSED,
    ),
    (
        "zhipu 1301",
        (
            400,
            {
                "contentFilter": [{"level": 1, "role": "user"}],
                "error": {
                    "code": "1301",
                    "message": "系统检测到输入或生成内容可能包含不安全或敏感内容，"
                    "请您避免输入易产生敏感内容的提示语，感谢您的配合。",
                },
            },
        ),
        REFUSED,
    ),
    ("zhipu (a finish reason of its own)", _choice("sensitive", ""), REFUSED),
    (
        "gemini (no message at all)",
        (
            200,
            {
                "choices": [{"finish_reason": "content_filter: PROHIBITED_CONTENT", "index": 0}],
                "usage": {"prompt_tokens": 42, "total_tokens": 42},
            },
        ),
        REFUSED,
    ),
    (
        "openrouter (sugarforever/chat-ollama#695)",
        (
            200,
            {
                "provider": "Google",
                "choices": [
                    {
                        "finish_reason": "content_filter",
                        "native_finish_reason": "PROHIBITED_CONTENT",
                        "message": {"role": "assistant", "content": "", "reasoning": None},
                    }
                ],
                "usage": {"prompt_tokens": 1296, "completion_tokens": 0, "cost": 0},
            },
        ),
        REFUSED,
    ),
    (
        "a guardrail of bedrock, whose words have labels",
        _choice("guardrail_intervened", "Sorry, this is neither positive nor allowed."),
        REFUSED,
    ),
    ("claude (its stop reason)", _choice("refusal", ""), REFUSED),
    ("claude (some words before it)", _choice("refusal", "This is a negative"), REFUSED),
    (
        "databricks (docs: input_guardrail_triggered)",
        (
            400,
            {
                "error_code": "BAD_REQUEST",
                "message": json.dumps(
                    {
                        "usage": {"prompt_tokens": 0, "total_tokens": 0},
                        "input_guardrail": [{"flagged": True, "categories": {"hate": True}}],
                        "finishReason": "input_guardrail_triggered",
                    }
                ),
            },
        ),
        REFUSED,
    ),
    (
        "cloudflare's gateway (2016)",
        (
            424,
            {
                "success": False,
                "result": [],
                "messages": [],
                "error": [
                    {"code": 2016, "message": "Prompt blocked due to security configurations"}
                ],
            },
        ),
        REFUSED,
    ),
    ("kong (ai-prompt-guard)", error_of(400, "prompt pattern is blocked"), REFUSED),
    (
        "litellm (a guardrail)",
        error_of(
            400,
            "{'error': 'Violated guardrail policy', 'lakera_guardrail_response': {'flagged': "
            "True}}",
            type="None",
            param="None",
            code="400",
        ),
        REFUSED,
    ),
    (
        "openrouter (moderation inside an answer)",
        (
            200,
            {
                "error": {
                    "code": 403,
                    "message": "openai/gpt-4.1 requires moderation on OpenAI. Your input was "
                    'flagged for "harassment". No credits were charged.',
                    "metadata": {
                        "reasons": ["harassment"],
                        "flagged_input": "A dull film, by a man...",
                        "provider_name": "OpenAI",
                    },
                },
                "user_id": "user_1",
            },
        ),
        REFUSED,
    ),
    (
        "dashscope (data_inspection_failed)",
        error_of(
            400,
            "Input data may contain inappropriate content.",
            code="data_inspection_failed",
            type="data_inspection_failed",
            param=None,
        ),
        REFUSED,
    ),
    (
        "minimax (1026)",
        (
            200,
            {
                "choices": None,
                "input_sensitive": True,
                "input_sensitive_type": 1,
                "base_resp": {"status_code": 1026, "status_msg": "input new_sensitive"},
            },
        ),
        REFUSED,
    ),
    ("vertex (in capitals)", _choice("SAFETY"), REFUSED),
    (
        "azure (cut by a filter of answers)",
        (
            200,
            {
                "choices": [
                    {
                        "message": {"role": "assistant", "content": "The review is"},
                        "finish_reason": "content_filter",
                        "content_filter_results": {"hate": {"filtered": True, "severity": "high"}},
                    }
                ]
            },
        ),
        REFUSED,
    ),
    (
        "openai (a refusal in its own field)",
        (
            200,
            {
                "choices": [
                    {
                        "message": {
                            "role": "assistant",
                            "content": None,
                            "refusal": "I'm sorry, I can't assist with that negative request.",
                        },
                        "finish_reason": "stop",
                    }
                ]
            },
        ),
        REFUSED,
    ),
    ("a refusal in words", _choice("stop", "I'm sorry, but I can't help with that."), EITHER),
    (
        "vllm-project/vllm#41902 (nothing, which was paid)",
        _choice("stop", None, usage={"prompt_tokens": 60, "completion_tokens": 57}),
        UNPARSED,
    ),
    (
        "a call of a tool, though none is there",
        (
            200,
            {
                "choices": [
                    {
                        "message": {
                            "content": None,
                            "tool_calls": [
                                {
                                    "id": "call_1",
                                    "type": "function",
                                    "function": {"name": "classify", "arguments": "{}"},
                                }
                            ],
                        },
                        "finish_reason": "tool_calls",
                    }
                ]
            },
        ),
        EITHER,
    ),
    (
        "lmstudio-ai/lmstudio-bug-tracker#2339 (nothing for a prompt that is too long)",
        _choice("stop", "", usage={"prompt_tokens": 36000, "completion_tokens": 0}),
        UNPARSED,
    ),
    (
        "azure (no choice, but what its filters found)",
        (
            200,
            {
                "choices": [],
                "prompt_filter_results": [
                    {
                        "prompt_index": 0,
                        "content_filter_results": {"hate": {"filtered": True, "severity": "high"}},
                    }
                ],
            },
        ),
        REFUSED,
    ),
    (
        "gemini behind a gateway (feedback on the prompt)",
        (200, {"choices": [], "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
        REFUSED,
    ),
    (
        "zhipu (a window that ends)",
        _choice("model_context_window_exceeded", "The review"),
        UNPARSED,
    ),
    ("gemini (a recitation)", _choice("RECITATION", ""), EITHER),
    (
        "openai (a thought without an end, with status 400)",
        error_of(
            400,
            "Could not finish the message because max_tokens or model output limit was reached. "
            "Please try again with higher max_tokens.",
            type="invalid_request_error",
            param=None,
            code=None,
        ),
        UNPARSED,
    ),
    (
        "qwen3 in vllm (all of it taken for a thought)",
        (
            200,
            {
                "choices": [
                    {
                        "message": {"content": None, "reasoning_content": "negative"},
                        "finish_reason": "stop",
                    }
                ]
            },
        ),
        {"negative", "unparsed"},
    ),
    (
        "portkey (446)",
        (
            446,
            {
                "error": {
                    "message": "The guardrail checks defined in the config failed. You can find "
                    "more information in the `hook_results` object.",
                    "type": "hooks_failed",
                    "param": None,
                    "code": None,
                },
                "hook_results": {"before_request_hooks": [{"verdict": False, "deny": True}]},
            },
        ),
        REFUSED,
    ),
    (
        "azure api management (llm-content-safety)",
        (403, {"statusCode": 403, "message": "Request failed content safety check."}),
        REFUSED,
    ),
    (
        "litellm (another guardrail)",
        error_of(
            400,
            "{'error': {'message': 'Prompt blocked by PANW Prisma AI Security policy (Category: "
            "malicious)', 'type': 'guardrail_violation', 'code': 'panw_prisma_airs_blocked'}}",
            type="None",
            param="None",
            code="400",
        ),
        REFUSED,
    ),
    (
        "moonshot (docs: content_filter)",
        error_of(
            400,
            "The request was rejected because it was considered high risk",
            type="content_filter",
        ),
        REFUSED,
    ),
    (
        "stepfun (451)",
        error_of(
            451,
            "The content you provided or machine outputted is blocked.",
            type="censorship_blocked",
        ),
        REFUSED,
    ),
    (
        "volcengine",
        error_of(
            400,
            "The request failed because the input text may contain sensitive information. Request "
            "id: 0217",
            code="SensitiveContentDetected",
            param="",
            type="BadRequest",
        ),
        REFUSED,
    ),
    (
        "gigachat (a reason of its own)",
        _choice("blacklist", "Не люблю менять тему разговора, но вот сейчас тот самый случай."),
        REFUSED,
    ),
]


@pytest.mark.parametrize(
    ("said", "statuses"), [row[1:] for row in ONE_TEXT], ids=[row[0] for row in ONE_TEXT]
)
@pytest.mark.parametrize("first", [False, True])
def test_one_text_has_no_label_and_the_others_have_theirs(
    said: Said, statuses: set[str], first: bool, opened: Opened
) -> None:
    texts = [TEXTS[1], TEXTS[0], TEXTS[2]] if first else list(TEXTS)
    with running(FaultyProxy(faults={"server": Server([if_met(of_lagos, said)])})) as proxy:
        found = dict(zip(texts, outcomes_of(opened(proxy.url), texts), strict=True))
        assert [found[TEXTS[0]], found[TEXTS[2]]] == ["positive", "positive"]
        assert found[TEXTS[1]] in statuses
        assert proxy.calls.total() <= MOST_CALLS


# What passes.

LATER = str(int(time.time() + 1) * 1000)
BUSY: list[tuple[str, Said, dict[str, str]]] = [
    (
        "mistral (3505)",
        (
            429,
            {
                "object": "error",
                "message": "Service tier capacity exceeded for this model.",
                "type": "service_tier_capacity_exceeded",
                "param": None,
                "code": "3505",
            },
        ),
        {},
    ),
    (
        "ollama/ollama#15934",
        (503, {"error": "Server overloaded, please retry shortly (ref: aaa65c70-cfa0-446b)"}),
        {},
    ),
    ("groq (498)", error_of(498, "Flex tier capacity exceeded", code="capacity_exceeded"), {}),
    (
        "moonshot (engine_overloaded_error)",
        error_of(
            429,
            "The engine is currently overloaded, please try again later",
            type="engine_overloaded_error",
        ),
        {},
    ),
    (
        "bedrock (anthropics/claude-code#236, like a prompt that is too long)",
        (429, {"message": "Too many tokens, please wait before trying again."}),
        {},
    ),
    (
        "azure (milliseconds, microsoft/action-python#12)",
        error_of(
            429,
            "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version "
            "2024-10-21 have exceeded token rate limit of your current OpenAI S0 pricing tier. "
            "Please retry after 1 second. Please go here: https://aka.ms/oai/quotaincrease if you "
            "would like to further increase the default rate limit.",
            code="429",
        ),
        {"retry-after-ms": "20", "x-ratelimit-remaining-tokens": "0"},
    ),
    (
        "ela-codes/vibin#2",
        (503, {"error": "Model m is currently loading", "estimated_time": 1.6677131652832}),
        {},
    ),
    (
        "llama.cpp (mindverse/Second-Me#20)",
        error_of(503, "Loading model", type="unavailable_error", code=503),
        {},
    ),
    (
        "github models (a minute)",
        error_of(
            429,
            "Rate limit of 10 per 60s exceeded for UserByModelByMinute. Please wait 1 second "
            "before retrying.",
            code="RateLimitReached",
            details="Rate limit of 10 per 60s exceeded for UserByModelByMinute.",
        ),
        {"retry-after": "1", "x-ratelimit-timeremaining": "1"},
    ),
    (
        "jjang-ai/vmlx#33 (a wait beside the error)",
        (
            503,
            {
                "error": {
                    "message": "Model 'm' failed to load within 120s",
                    "type": "server_error",
                    "code": "model_load_timeout",
                },
                "retry_after": 1,
            },
        ),
        {},
    ),
    (
        "workers-ai (3040)",
        (
            429,
            {
                "errors": [
                    {
                        "message": "AiError: AiError: Capacity temporarily exceeded, please try "
                        "again. (a1)",
                        "code": 3040,
                    }
                ],
                "success": False,
                "result": {},
                "messages": [],
            },
        ),
        {},
    ),
    (
        "cloudflare (524)",
        (
            524,
            b"<!DOCTYPE html><html><head><title>api.example.com | 524: A timeout occurred</title>"
            b"</head><body>You can report this block to the owner.</body></html>",
        ),
        {"Content-Type": "text/html"},
    ),
    ("deepseek (bespokelabsai/curator#463)", (200, b"\n\n\n\n\n"), {}),
    ("zhipu 1302", error_of(429, "您的账户已达到速率限制，请您控制请求频率", code="1302"), {}),
    ("zhipu 1305", error_of(429, "该模型当前访问量过大，请您稍后再试", code="1305"), {}),
    (
        "sipeed/picoclaw#795",
        error_of(
            500, "网络错误，错误id：202602261029392bc0093d0e944297，请联系客服。", code="1234"
        ),
        {},
    ),
    (
        "vertex (googleapis/js-genai#1364)",
        (
            429,
            [
                {
                    "error": {
                        "code": 429,
                        "message": "Resource exhausted. Please try again later. Please refer to "
                        "https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for "
                        "more details.",
                        "status": "RESOURCE_EXHAUSTED",
                    }
                }
            ],
        ),
        {},
    ),
    (
        "litellm (deployments that cool down)",
        error_of(
            429,
            "No deployments available for selected model, Try again in 1 seconds. Passed model=m. "
            "pre-call-checks=False, cooldown_list=[('a1', {'exception_received': 'Not allowed', "
            "'status_code': '401'})]",
            type="None",
            param="None",
            code="429",
        ),
        {},
    ),
    (
        "zai-org/GLM-5#91",
        (
            200,
            {
                "id": "",
                "object": "",
                "created": 0,
                "model": "",
                "system_fingerprint": None,
                "choices": None,
                "usage": None,
            },
        ),
        {},
    ),
    (
        "openrouter (a limit inside an answer, until a time in milliseconds)",
        (
            200,
            {
                "error": {
                    "code": 429,
                    "message": "Rate limit exceeded: free-models-per-min. ",
                    "metadata": {
                        "headers": {
                            "X-RateLimit-Limit": "20",
                            "X-RateLimit-Remaining": "0",
                            "X-RateLimit-Reset": LATER,
                        }
                    },
                },
                "user_id": "user_1",
            },
        ),
        {},
    ),
    (
        "a date to wait for, which is past",
        error_of(503, "down for maintenance"),
        {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"},
    ),
    (
        "fireworks (scaled to zero)",
        error_of(
            503,
            "Deployment is currently scaled to zero and is scaling up. Please retry your request "
            "in a few minutes.",
            object="error",
            type="service_unavailable",
            code="DEPLOYMENT_SCALING_UP",
        ),
        {},
    ),
    (
        "anthropic (529)",
        (
            529,
            {
                "type": "error",
                "error": {"details": None, "type": "overloaded_error", "message": "Overloaded"},
                "request_id": "req_1",
            },
        ),
        {"x-should-retry": "true"},
    ),
    (
        "LostRuins/koboldcpp#2384",
        _choice("error", "", usage={"prompt_tokens": 0, "completion_tokens": 0}),
        {},
    ),
    ("kong", (503, {"message": "failure to get a peer from the ring-balancer"}), {}),
    (
        "databricks (REQUEST_LIMIT_EXCEEDED)",
        (
            429,
            {
                "error_code": "REQUEST_LIMIT_EXCEEDED",
                "message": "REQUEST_LIMIT_EXCEEDED: Exceeded workspace output tokens per minute "
                "rate limit for databricks-claude-sonnet-5. Please retry later or contact your "
                "Databricks account team to increase the limit.",
            },
        ),
        {},
    ),
    ("aws (a gateway's limit of time)", (504, {"message": "Endpoint request timed out"}), {}),
    (
        "openai/codex#46142",
        error_of(503, "Selected model is at capacity. Please try a different model."),
        {},
    ),
    (
        "deepseek (insufficient_system_resource, what is there is not all)",
        _choice("insufficient_system_resource", "negative"),
        {},
    ),
    ("zhipu (network_error, what is there is not all)", _choice("network_error", "negative"), {}),
    (
        "localai (sterlp/eclipse-peon-ai#75, an error in a stream)",
        (
            200,
            b'data: {"error":{"code":"server_error","message":"rpc error: code = Unavailable"}}\n\n'
            b"data: [DONE]\n\n",
        ),
        {"Content-Type": "text/event-stream"},
    ),
    (
        "openrouter (an error in the midst of a stream)",
        (
            200,
            b'data: {"choices":[{"index":0,"delta":{"content":"negative"}}]}\n\n'
            b'data: {"error":{"code":"server_error","message":"Provider disconnected"},'
            b'"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
        ),
        {"Content-Type": "text/event-stream"},
    ),
    (
        "a stream that breaks off",
        (200, b'data: {"choices":[{"index":0,"delta":{"content":"negative"}}]}\n\n'),
        {"Content-Type": "text/event-stream"},
    ),
    (
        "apigee",
        (
            429,
            {
                "fault": {
                    "faultstring": "Spike arrest violation. Allowed rate : MessageRate{capacity=1}",
                    "detail": {"errorcode": "policies.ratelimit.SpikeArrestViolation"},
                }
            },
        ),
        {},
    ),
    (
        "envoy",
        (
            503,
            b"upstream connect error or disconnect/reset before headers. reset reason: connection "
            b"termination",
        ),
        {"Content-Type": "text/plain"},
    ),
    ("nvidia's cloud functions (202)", (202, b""), {"NVCF-REQID": "a1", "NVCF-STATUS": "pending"}),
    (
        "cerebras (a quota of each minute)",
        (
            429,
            {
                "message": "Tokens per minute limit exceeded - too many tokens processed.",
                "type": "too_many_tokens_error",
                "param": "quota",
                "code": "token_quota_exceeded",
            },
        ),
        {},
    ),
    (
        "cerebras (a queue)",
        (
            429,
            {
                "message": "We're experiencing high traffic right now! Please try again soon.",
                "type": "too_many_requests_error",
                "param": "queue",
                "code": "queue_exceeded",
            },
        ),
        {},
    ),
    ("chutes", (429, {"detail": "Infrastructure is at maximum capacity, try again later"}), {}),
    ("deepinfra", error_of(429, "Model busy, retry later"), {}),
]


@pytest.mark.parametrize(
    ("said", "headers"), [row[1:] for row in BUSY], ids=[row[0] for row in BUSY]
)
@pytest.mark.parametrize("since", [1, 2])
def test_what_passes_is_waited_for(
    said: Said, headers: Mapping[str, str], since: int, opened: Opened
) -> None:
    def server(call: Call) -> None:
        met = since <= call.order < since + 2
        status, document = said if met else right_answer(json.loads(call.body))
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        call.send(status, content, headers if met else {})

    with running(FaultyProxy(faults={"server": server})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
        assert proxy.calls.total() <= MOST_CALLS


# What does not pass.

HOPELESS: list[tuple[str, Said, dict[str, str], str]] = [
    (
        "workers-ai (diegosouzapw/OmniRoute#6980)",
        (
            429,
            {
                "errors": [
                    {
                        "message": "AiError: you have used up your daily free allocation of "
                        "10,000 neurons, please upgrade to Cloudflare's Workers Paid plan if you "
                        "would like to continue usage.",
                        "code": 4006,
                    }
                ],
                "success": False,
                "result": {},
                "messages": [],
            },
        ),
        {},
        "neurons",
    ),
    (
        "continuedev/continue#11444",
        (
            429,
            {
                "error": "you (me) have reached your session usage limit, upgrade for higher "
                "limits: https://ollama.com/upgrade (ref: a1)"
            },
        ),
        {},
        "session usage limit",
    ),
    (
        "bedrock (Ivy-Interactive/Ivy-Tendril#1756)",
        (429, {"message": "Too many tokens per day, please wait before trying again."}),
        {},
        "tokens per day",
    ),
    (
        "github models (a day)",
        error_of(
            429,
            "Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 62817 seconds "
            "before retrying.",
            code="RateLimitReached",
        ),
        {"retry-after": "62817"},
        "UserByModelByDay",
    ),
    (
        "BerriAI/litellm#14144",
        error_of(
            400,
            "Budget has been exceeded! Current cost: 26.075, Max budget: 0.25",
            type="budget_exceeded",
            param=None,
            code="400",
        ),
        {},
        "Budget has been exceeded",
    ),
    (
        "earendil-works/pi#5506",
        error_of(
            400,
            "Unable to access non-serverless model m. Please visit https://api.together.ai/models/"
            "m to create and start a new dedicated endpoint for the model.",
            type="invalid_request_error",
            param=None,
            code="model_not_available",
        ),
        {},
        "non-serverless",
    ),
    (
        "huggingface/agents-course#386",
        (
            402,
            {
                "error": "You have exceeded your monthly included credits for Inference "
                "Providers. Subscribe to PRO to get 20x more monthly included credits."
            },
        ),
        {},
        "monthly included credits",
    ),
    (
        "huggingface's router (a model that no provider has)",
        error_of(
            400,
            "The requested model 'm' is not supported by any provider you have enabled.",
            type="invalid_request_error",
            param="model",
            code="model_not_supported",
        ),
        {},
        "not supported by any provider",
    ),
    (
        "openrouter (anomalyco/opencode#12219, it names a part)",
        error_of(
            402,
            "This request requires more credits, or fewer max_tokens. You requested up to 32000 "
            "tokens, but can only afford 0. To increase, visit https://openrouter.ai/settings/"
            "credits and upgrade to a paid account",
            code=402,
        ),
        {},
        "requires more credits",
    ),
    (
        "continuedev/continue#9528",
        (
            500,
            {
                "error": {
                    "message": "model requires more system memory (127.8 GiB) than is available "
                    "(13.2 GiB)",
                    "type": "api_error",
                    "param": None,
                    "code": None,
                }
            },
        ),
        {},
        "system memory",
    ),
    (
        "moonshot (exceeded_current_quota_error)",
        error_of(
            429,
            "Your account org-a1 <ak-b2> is suspended, please check your plan and billing details",
            type="exceeded_current_quota_error",
        ),
        {},
        "suspended",
    ),
    ("zhipu 1113", error_of(429, "您的账户已欠费，请充值后重试。", code="1113"), {}, "欠费"),
    (
        "dashscope (Arrearage)",
        error_of(
            400,
            "Access denied, please make sure your account is in good standing.",
            type="Arrearage",
            param=None,
            code="Arrearage",
        ),
        {},
        "good standing",
    ),
    ("deepseek (402)", error_of(402, "Insufficient Balance"), {}, "Insufficient Balance"),
    (
        "xai (a team without credits)",
        (
            403,
            {
                "code": "The caller does not have permission to execute the specified operation",
                "error": "Your newly created team doesn't have any credits or licenses yet. You "
                "can purchase those on https://console.x.ai/team/a1.",
            },
        ),
        {},
        "credits or licenses",
    ),
    (
        "xai (a wrong key, which it repeats)",
        (
            400,
            {
                "code": "Client specified an invalid argument",
                "error": f"Incorrect API key provided: {KEY}. You can obtain an API key from "
                "https://console.x.ai.",
            },
        ),
        {},
        "Incorrect API key",
    ),
    (
        "azure (a deployment that is not there)",
        error_of(
            404,
            "The API deployment for this resource does not exist. If you created the deployment "
            "within the last 5 minutes, please wait a moment and try again.",
            code="DeploymentNotFound",
        ),
        {},
        "deployment for this resource does not exist",
    ),
    (
        "lmstudio-ai/lmstudio-bug-tracker#618",
        (200, {"error": "Unexpected endpoint or method. (POST /chat/completions)"}),
        {},
        "Unexpected endpoint",
    ),
    (
        "portkey (a header that must be there)",
        (
            400,
            {
                "status": "failure",
                "message": "Either x-portkey-config or x-portkey-provider header is required",
            },
        ),
        {},
        "x-portkey-provider",
    ),
    (
        "anthropic (credit with status 400)",
        (
            400,
            {
                "type": "error",
                "error": {
                    "type": "invalid_request_error",
                    "message": "Your credit balance is too low to access the Anthropic API. "
                    "Please go to Plans & Billing to upgrade or purchase credits.",
                },
            },
        ),
        {},
        "credit balance is too low",
    ),
    (
        "openai (a model that a project may not use)",
        error_of(
            403,
            "Project `proj_1` does not have access to model `m`",
            type="invalid_request_error",
            param=None,
            code="model_not_found",
        ),
        {},
        "does not have access to model",
    ),
    (
        "groq (decommissioned)",
        error_of(
            400,
            "The model `m` has been decommissioned and is no longer supported. Please refer to "
            "https://console.groq.com/docs/deprecations for a recommendation on which model to "
            "use instead.",
            type="invalid_request_error",
            code="model_decommissioned",
        ),
        {},
        "decommissioned",
    ),
    (
        "workers-ai (5016)",
        (
            403,
            {
                "errors": [
                    {
                        "message": "5016: Prior to using this model, you must submit the prompt "
                        "'agree'. By submitting 'agree', you hereby agree to the license.",
                        "code": 5016,
                    }
                ],
                "success": False,
                "result": {},
                "messages": [],
            },
        ),
        {},
        "submit the prompt 'agree'",
    ),
    (
        "snowflake (a token that expired)",
        (401, {"message": "Programmatic access token is expired.", "error_code": "394304"}),
        {},
        "token is expired",
    ),
    (
        "gemini (a country)",
        (
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "User location is not supported for the API use.",
                        "status": "FAILED_PRECONDITION",
                    }
                }
            ],
        ),
        {},
        "User location is not supported",
    ),
    (
        "gemini (a wrong key with status 400)",
        (
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "API key not valid. Please pass a valid API key.",
                        "status": "INVALID_ARGUMENT",
                        "details": [{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}],
                    }
                }
            ],
        ),
        {},
        "API key not valid",
    ),
    (
        "cloudflare (a challenge)",
        (
            403,
            b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><noscript>"
            b"Enable JavaScript and cookies to continue</noscript></body></html>",
        ),
        {"Content-Type": "text/html", "cf-mitigated": "challenge"},
        "Just a moment",
    ),
    (
        "watsonx",
        (
            404,
            {
                "errors": [
                    {
                        "code": "model_not_supported",
                        "message": "Model 'm' is not supported for this environment",
                    }
                ],
                "trace": "a1",
                "status_code": 404,
            },
        ),
        {},
        "not supported for this environment",
    ),
    (
        "a company's gateway (a field that must be there)",
        (422, {"detail": [{"type": "missing", "loc": ["body", "user"], "msg": "Field required"}]}),
        {},
        "user",
    ),
    (
        "claude behind a gateway that lets it think",
        error_of(
            400,
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our "
            "documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
            type="invalid_request_error",
        ),
        {},
        "thinking.budget_tokens",
    ),
    (
        "siliconflow",
        (
            403,
            {"code": 30001, "message": "Sorry, your account balance is insufficient", "data": None},
        ),
        {},
        "account balance is insufficient",
    ),
    (
        "volcengine (overdue)",
        error_of(
            403,
            "The request failed because your account has an overdue balance. Request id: 0217",
            code="AccountOverdueError",
            type="Forbidden",
        ),
        {},
        "overdue balance",
    ),
    (
        "cerebras (a quota of each day)",
        (
            429,
            {
                "message": "Requests per day limit exceeded - too many requests sent.",
                "type": "too_many_requests_error",
                "param": "quota",
                "code": "request_quota_exceeded",
            },
        ),
        {},
        "Requests per day limit",
    ),
    (
        "nvidia (402)",
        (
            402,
            {
                "status": 402,
                "title": "Payment Required",
                "detail": "Account 'a1': Cloud credits expired - Please contact NVIDIA "
                "representatives",
            },
        ),
        {},
        "Cloud credits expired",
    ),
    (
        "novita",
        (
            403,
            {
                "code": 403,
                "reason": "NOT_ENOUGH_BALANCE",
                "message": "not enough balance",
                "metadata": {},
            },
        ),
        {},
        "not enough balance",
    ),
    (
        "openai (billing_hard_limit_reached)",
        error_of(
            429,
            "Billing hard limit has been reached",
            type="invalid_request_error",
            param=None,
            code="billing_hard_limit_reached",
        ),
        {},
        "Billing hard limit",
    ),
]


@pytest.mark.parametrize(
    ("said", "headers", "words"), [row[1:] for row in HOPELESS], ids=[row[0] for row in HOPELESS]
)
@pytest.mark.parametrize("since", [1, 2])
def test_what_does_not_pass_ends_the_job_in_the_servers_words(
    said: Said, headers: Mapping[str, str], words: str, since: int, opened: Opened
) -> None:
    def server(call: Call) -> None:
        met = since <= call.order
        status, document = said if met else right_answer(json.loads(call.body))
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        call.send(status, content, headers if met else {})

    with running(FaultyProxy(faults={"server": server})) as proxy:
        with pytest.raises(InputError) as raised:
            outcomes_of(opened(proxy.url))
        assert words in str(raised.value)
        assert KEY not in str(raised.value)
        # Refusals are free, but nobody wants many, and at the start a few are enough.
        passing = said[0] >= 500 or said[0] == 200
        assert proxy.calls.total() <= (8 + passing * MAX_ATTEMPTS if since == 1 else MOST_CALLS)


@pytest.mark.parametrize("to", ["/login", "https://127.0.0.1:1/v1/chat/completions"])
@pytest.mark.parametrize("status", [301, 302])
def test_a_redirect_is_told(status: int, to: str, opened: Opened) -> None:
    """Nginx before https, and a page to log in of Cloudflare Access."""

    def server(call: Call) -> None:
        page = b"<html><head><title>301 Moved Permanently</title></head></html>"
        call.send(status, page, {"Location": to, "Content-Type": "text/html"})

    page = body(b"<!DOCTYPE html><html><head><title>Log in</title></head></html>")
    with running(FaultyProxy(faults={"server": server}, models=page)) as proxy:
        with pytest.raises(InputError, match=r"(?i)redirect|30[12]|moved|log in|web page"):
            outcomes_of(opened(proxy.url))
        assert proxy.calls.total() <= MAX_ATTEMPTS + 4


@pytest.mark.parametrize("code", [301, 302, 303])
def test_a_redirect_that_loses_the_question_is_told(code: int, opened: Opened) -> None:
    """A gateway that moved: clients turn a POST into a GET, which the new place refuses."""
    refused = body(b'{"detail": "Method Not Allowed"}', code=405)
    with running(FaultyProxy(faults={"server": Server([])}, models=refused)) as new:
        to = {"Location": f"{new.url}/chat/completions"}
        moved = FaultyProxy(faults={"server": lambda call: call.send(code, b"", to)})
        with running(moved) as old:
            try:
                found = outcomes_of(opened(old.url))
            except InputError as error:
                assert any(
                    words in str(error).lower()
                    for words in ("redirect", "moved", str(code), new.url)
                )
            else:
                assert found == OUTCOMES
            assert old.calls.total() <= MAX_ATTEMPTS + 4


@pytest.mark.parametrize("code", [307, 308])
def test_a_redirect_that_keeps_the_question_is_followed_without_the_key_or_told(
    code: int, opened: Opened
) -> None:
    """FastAPI and load balancers redirect so; the key is for the place that the entry names."""
    keys: list[str | None] = []

    def elsewhere(call: Call) -> None:
        keys.append(call.handler.headers["Authorization"])
        Server([])(call)

    def here(call: Call) -> None:
        if call.handler.path.endswith("/moved"):
            Server([])(call)
        else:
            call.send(code, b"", {"Location": f"{call.handler.path}/moved"})

    with running(FaultyProxy(faults={"server": here})) as proxy:
        try:
            assert outcomes_of(opened(proxy.url)) == OUTCOMES
        except InputError as error:
            assert any(words in str(error).lower() for words in ("redirect", "moved", str(code)))
    with running(FaultyProxy(faults={"server": elsewhere})) as new:
        to = {"Location": f"{new.url}/chat/completions".replace("127.0.0.1", "localhost")}
        old = FaultyProxy(faults={"server": lambda call: call.send(code, b"", to)})
        with running(old) as proxy:
            try:
                assert outcomes_of(opened(proxy.url)) == OUTCOMES
            except InputError as error:
                assert "redirect" in str(error).lower() or str(code) in str(error)
    assert set(keys) <= {None}


# Texts that are too long for a server.

WORDS = "so fine "
TOO_LONG: list[tuple[str, Said, str]] = [
    (
        "sgl-project/sglang#3642",
        (
            400,
            {
                "object": "error",
                "message": "Requested token count exceeds the model's maximum context length of "
                "300 tokens. You requested a total of 1336 tokens: 1320 tokens from the input "
                "messages and 16 tokens for the completion. Please reduce the number of tokens in "
                "the input messages or the completion to fit within the limit.",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            },
        ),
        "maximum context length",
    ),
    (
        "vllm-project/vllm#4667",
        (
            400,
            {
                "object": "error",
                "message": "max_tokens must be at least 1, got -186.",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            },
        ),
        "max_tokens must be at least 1",
    ),
    (
        "ggml-org/llama.cpp#15780",
        error_of(
            500,
            "the request exceeds the available context size. try increasing the context size or "
            "enable context shift",
            code=500,
            type="exceed_context_size_error",
            n_prompt_tokens=1407,
            n_ctx=256,
        ),
        "available context size",
    ),
    (
        "github models (413)",
        error_of(
            413,
            "Request body too large for gpt-4o model. Max size: 8000 tokens.",
            code="tokens_limit_reached",
        ),
        "Max size: 8000 tokens",
    ),
    (
        "groq (iamsrikanthnani/pluely#242)",
        error_of(
            413,
            "Request too large for model `m` in organization `org` service tier `on_demand` on "
            "tokens per minute (TPM): Limit 8000, Requested 8590, please reduce your message size "
            "and try again. Need more tokens? Upgrade to Dev Tier today",
            type="tokens",
            code="rate_limit_exceeded",
        ),
        "Limit 8000, Requested 8590",
    ),
    (
        "nginx (413)",
        (413, b"<html><head><title>413 Request Entity Too Large</title></head></html>"),
        "413 Request Entity Too Large",
    ),
]


@pytest.mark.parametrize(
    ("said", "words"), [row[1:] for row in TOO_LONG], ids=[row[0] for row in TOO_LONG]
)
def test_a_text_that_is_too_long_has_no_label_or_is_told(
    said: Said, words: str, opened: Opened
) -> None:
    texts = ["a fine film", WORDS * 500, "a dull book"]
    accepted: list[Body] = []

    def answer(sent: Body) -> Said:
        accepted.append(sent)
        return right_answer(sent)

    long = if_met(lambda sent: len(json.dumps(sent["messages"]).split()) > 300, said)
    with running(FaultyProxy(faults={"server": Server([long], answer)})) as proxy:
        try:
            found = outcomes_of(opened(proxy.url, context_tokens=4096), texts)
        except InputError as error:
            assert words in str(error)
        else:
            assert [found[0], found[2]] == ["positive", "negative"]
            assert found[1] in EITHER
        assert proxy.calls.total() <= MOST_CALLS
    # The limit of an answer stays.
    assert all({"max_tokens", "max_completion_tokens"} & sent.keys() for sent in accepted)


def test_a_prompt_whose_end_is_cut_has_no_label(opened: Opened) -> None:
    """sgl-project/sglang#15369: it keeps the first tokens, and says how many it read."""

    def answer(sent: Body) -> Said:
        words = " ".join(turn["content"] for turn in sent["messages"]).split()[:380]
        right = "positive" if "fine" in words else "negative"
        usage = {"prompt_tokens": 20 + len(words), "completion_tokens": 1}
        return 200, {
            "choices": [{"message": {"content": right}, "finish_reason": "stop"}],
            "usage": usage,
        }

    texts = ["a fine film", WORDS * 300, WORDS * 350, "a fine book"]
    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        found = outcomes_of(opened(proxy.url, context_tokens=4096), texts)
    assert found == ["positive", "unparsed", "unparsed", "positive"]


# Answers of all forms.


def _says(form: str, **more: Any) -> Callable[[Body], Said]:
    """Return answers in `form`, which is given the right label and the other one."""

    def answer(sent: Body) -> Said:
        right = right_label(sent)
        content = form.format(right=right, wrong=WRONG[right])
        return 200, {
            "choices": [
                {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
            ],
            **more,
        }

    return answer


def _parts(parts: Callable[[str, str], Any]) -> Callable[[Body], Said]:
    def answer(sent: Body) -> Said:
        right = right_label(sent)
        content = parts(right, WRONG[right])
        return 200, {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}

    return answer


def _whole(document: Callable[[str], Any]) -> Callable[[Body], Said]:
    return lambda sent: (200, document(right_label(sent)))


def _events(right: str) -> list[dict[str, Any]]:
    half = len(right) // 2
    return [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
        {"choices": [{"index": 0, "delta": {"content": right[:half]}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"content": right[half:]}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 1}},
    ]


FORMS: list[tuple[str, Callable[[Body], Said]]] = [
    (
        "magistral (agentjido/req_llm#742)",
        _parts(
            lambda right, wrong: [
                {"type": "thinking", "thinking": [{"type": "text", "text": f"{wrong}?"}]},
                {"type": "text", "text": right},
            ]
        ),
    ),
    (
        "mistralai/client-python#252 (a text in pieces)",
        _parts(
            lambda right, wrong: [
                {"type": "thinking", "thinking": [{"type": "text", "text": f"{wrong}?"}]},
                {"type": "text", "text": right[:4]},
                {"type": "thinking", "thinking": []},
                {"type": "text", "text": right[4:]},
            ]
        ),
    ),
    (
        "databricks (a summary of thoughts)",
        _parts(
            lambda right, wrong: [
                {
                    "type": "reasoning",
                    "summary": [{"type": "summary_text", "text": f"Not {wrong}."}],
                },
                {"type": "text", "text": right},
            ]
        ),
    ),
    (
        "claude behind a gateway (a signature)",
        _parts(
            lambda right, wrong: [
                {"type": "thinking", "thinking": f"Is it {wrong}?", "signature": "EqQB"},
                {"type": "redacted_thinking", "data": f"{wrong}"},
                {"type": "text", "text": right, "citations": None},
            ]
        ),
    ),
    (
        "gpt-oss (kekzl/imp#768)",
        _says(
            "<|channel|>analysis<|message|>It may be {wrong}.<|end|><|start|>assistant<|channel|>"
            "final<|message|>{right}<|return|>"
        ),
    ),
    (
        "gpt-oss without marks (Augustas11/macprovider#743)",
        _says("analysisWe need one word. It could be {wrong}.assistantfinal{right}"),
    ),
    ("gemma 4 (its channels)", _says("<|channel>thought\nIs it {wrong}?\n<channel|>{right}")),
    ("kimi", _says("◁think▷Is it {wrong}?◁/think▷{right}")),
    ("seed-oss", _says("<seed:think>Is it {wrong}?</seed:think>{right}")),
    (
        "granite 3.2",
        _says("Here is my thought process: it may be {wrong}.\n\nHere is my response: {right}"),
    ),
    (
        "command a reasoning",
        _says(
            "<|START_THINKING|>Is it {wrong}?<|END_THINKING|><|START_RESPONSE|>{right}"
            "<|END_RESPONSE|>"
        ),
    ),
    ("exaone", _says("<thought>\nIs it {wrong}?\n</thought>\n\n{right}")),
    ("ernie", _says("Is it {wrong}?\n</think>\n\n<response>\n{right}\n</response>")),
    ("marks at the end (im_end)", _says("{right}<|im_end|>")),
    ("marks at the end (eot_id)", _says("{right}<|eot_id|>")),
    ("marks at the end (s)", _says(" {right}</s>")),
    ("a box", _says("\\boxed{{{right}}}")),
    ("a fence", _says('```json\n{{"label": "{right}"}}\n```')),
    (
        "perplexity",
        _says("{right}[1][2]", citations=["https://a.example"], search_results=[{"title": "A"}]),
    ),
    (
        "sglang (an object for a reason)",
        _whole(
            lambda right: {
                "choices": [
                    {
                        "message": {"content": right},
                        "finish_reason": {"type": "stop", "matched": 151645},
                    }
                ]
            }
        ),
    ),
    (
        "no reason, no usage, no role",
        _whole(lambda right: {"choices": [{"message": {"content": right}}], "usage": None}),
    ),
    (
        "numbers as texts",
        _says(
            "{right}",
            id=None,
            created="1764345600",
            usage={"prompt_tokens": "50", "completion_tokens": None, "total_tokens": "51"},
        ),
    ),
    (
        "azure (what its filters found)",
        _says(
            "{right}",
            prompt_filter_results=[
                {
                    "prompt_index": 0,
                    "content_filter_results": {"hate": {"filtered": False, "severity": "safe"}},
                }
            ],
        ),
    ),
    (
        "github copilot (the text is in the second choice)",
        _whole(
            lambda right: {
                "choices": [
                    {"message": {"role": "assistant", "content": None}, "finish_reason": "stop"},
                    {"message": {"role": "assistant", "content": right}, "finish_reason": "stop"},
                ]
            }
        ),
    ),
    ("an empty error beside an answer", _says("{right}", error=None, errors=[], code=0)),
    ("a text in a chat", _whole(lambda right: {"choices": [{"text": right, "index": 0}]})),
    (
        "openrouter (a stream that nobody wants)",
        lambda sent: (
            200,
            b": OPENROUTER PROCESSING\n\n"
            + b"".join(b"data: %s\n\n" % json.dumps(e).encode() for e in _events(right_label(sent)))
            + b"data: [DONE]\n\n",
        ),
    ),
    (
        "a stream with other ends of lines, and without its last word",
        lambda sent: (
            200,
            b"".join(
                b"event: message\r\nid: 1\r\ndata:%s\r\n\r\n" % json.dumps(e).encode()
                for e in _events(right_label(sent))
            ),
        ),
    ),
    (
        "workers-ai (its own form)",
        _whole(
            lambda right: {
                "result": {"response": right, "usage": {"prompt_tokens": 50}},
                "success": True,
                "errors": [],
                "messages": [],
            }
        ),
    ),
    (
        "deepseek (lines to keep alive)",
        lambda sent: (200, b"\n\n\n" + as_bytes(right_answer(sent))),
    ),
]


@pytest.mark.parametrize("answer", [row[1] for row in FORMS], ids=[row[0] for row in FORMS])
def test_an_answer_is_read_in_any_form(answer: Callable[[Body], Said], opened: Opened) -> None:
    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
        assert proxy.calls.total() == len(TEXTS)


# Of these only the right label is one, if any.
AMBIGUOUS: list[tuple[str, str]] = [
    ("flags", '{{"{wrong}": false, "{right}": true}}'),
    ("shares", '{{"{wrong}": 0.02, "{right}": 0.98}}'),
    ("a denial first", "Not {wrong}, but {right}."),
    ("a question first", "{wrong}? No: {right}"),
    ("a list", "1. {wrong}: no\n2. {right}: yes"),
    ("what is struck out", "~~{wrong}~~ {right}"),
    ("a denial after it", "**{right}** (not {wrong})"),
    (
        "text-generation-inference (return_full_text)",
        "Is it negative or positive?\n\nReview: A film.\n\n{right}",
    ),
    ("a model that goes on", "{right}\n\nReview: Another one.\n{wrong}"),
    (
        "a model whose end nobody knows",
        "{right}<|im_end|>\n<|im_start|>user\nReview: Bad.<|im_end|>\n<|im_start|>assistant\n"
        "{wrong}",
    ),
    ("llama 3 (a header)", "assistant\n\n{right}"),
    ("a thought that is closed twice", "<think>{wrong}</think>\n{wrong}?</think>\n{right}"),
    ("an empty thought", "<think>\n\n</think>\n\n{right}"),
    (
        "gpt-oss (a comment between)",
        "<|channel|>analysis<|message|>{wrong}?<|end|><|start|>assistant<|channel|>commentary"
        "<|message|>{wrong}<|end|><|start|>assistant<|channel|>final<|message|>{right}",
    ),
]


@pytest.mark.parametrize("form", [row[1] for row in AMBIGUOUS], ids=[r[0] for r in AMBIGUOUS])
def test_an_answer_with_both_labels_is_never_read_as_the_other_one(
    form: str, opened: Opened
) -> None:
    with running(FaultyProxy(faults={"server": Server([], _says(form))})) as proxy:
        found = outcomes_of(opened(proxy.url))
        assert proxy.calls.total() == len(TEXTS)
    assert all(each in (right, "unparsed") for each, right in zip(found, OUTCOMES, strict=True))


def _zipped(call: Call, content: bytes) -> None:
    call.send(200, gzip.compress(content), {"Content-Encoding": "gzip"})


def _deflated(call: Call, content: bytes) -> None:
    call.send(200, zlib.compress(content), {"Content-Encoding": "deflate"})


def _without_length(call: Call, content: bytes, *header: str) -> None:
    call.handler.send_response(200)
    call.handler.send_header("Content-Type", "application/json; charset=utf-8")
    call.handler.send_header(*header)
    call.handler.end_headers()
    call.handler.wfile.write(content)


def _chunked(call: Call, content: bytes) -> None:
    pieces = (b"\n", b"\n", content[:20], content[20:], b"")
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    _without_length(call, chunks, "Transfer-Encoding", "chunked")


def _endless(call: Call, content: bytes) -> None:
    """The end of the connection is the end."""
    _without_length(call, content, "Connection", "close")
    call.handler.close_connection = True


def _chinese(call: Call, content: bytes) -> None:
    document = {**json.loads(content), "system_fingerprint": "指纹"}
    text = json.dumps(document, ensure_ascii=False)
    call.send(200, text.encode("gbk"), {"Content-Type": "application/json; charset=gbk"})


def _created(call: Call, content: bytes) -> None:
    call.send(201, content)


def _guarded(call: Call, content: bytes) -> None:
    """Portkey: a guardrail was not passed, but the answer is let through."""
    call.send(246, content)


@pytest.mark.parametrize(
    "send", [_zipped, _deflated, _chunked, _endless, _chinese, _created, _guarded]
)
def test_an_answer_is_read_however_it_is_sent(
    send: Callable[[Call, bytes], None], opened: Opened
) -> None:
    """Proxies that pack, DeepSeek's lines, HTTP/1.0, and a gateway that says it created it."""

    def server(call: Call) -> None:
        send(call, as_bytes(right_answer(json.loads(call.body))))

    with running(FaultyProxy(faults={"server": server})) as proxy:
        assert outcomes_of(opened(proxy.url)) == OUTCOMES
        assert proxy.calls.total() == len(TEXTS)


# Log-probabilities of all forms.


def _place(token: Any, logprob: Any, top: Any) -> dict[str, Any]:
    return {"token": token, "logprob": logprob, "bytes": None, "top_logprobs": top}


def _top(**values: Any) -> list[dict[str, Any]]:
    return [{"token": token, "logprob": value} for token, value in values.items()]


SCORED: list[tuple[str, str, Callable[[str, str], Any]]] = [
    (
        "deepseek (microsoft/PyRIT#991)",
        "{right}",
        lambda right, wrong: {
            "content": [_place(right, 0, _top(**{right: 0, wrong: -9999.0, "a": -9999.0}))]
        },
    ),
    (
        "vllm (return_tokens_as_token_ids)",
        "{right}",
        lambda right, wrong: {
            "content": [
                _place(
                    "token_id:30487",
                    -0.1,
                    [
                        {"token": "token_id:30487", "logprob": -0.1},
                        {"token": "token_id:42224", "logprob": -2.5},
                    ],
                )
            ]
        },
    ),
    (
        "together (togethercomputer/openapi#5)",
        "{right}",
        lambda right, wrong: {
            "content": None,
            "tokens": [right, "."],
            "token_ids": [1, 2],
            "token_logprobs": [0.69970703, -0.039855957],
        },
    ),
    ("a list without places", "{right}", lambda right, wrong: {"content": []}),
    (
        "nothing where a number should be",
        "{right}",
        lambda right, wrong: {"content": [_place(right, None, _top(**{right: None, wrong: -1}))]},
    ),
    (
        "an infinite one, which is no JSON",
        "{right}",
        lambda right, wrong: {
            "content": [_place(right, -0.1, _top(**{right: -0.1, wrong: float("-inf")}))]
        },
    ),
    (
        "no number at all",
        "{right}",
        lambda right, wrong: {
            "content": [_place(right, float("nan"), _top(**{wrong: float("nan")}))]
        },
    ),
    (
        "tensorrt-llm (NVIDIA/TensorRT-LLM#6097, one of each place)",
        "{right}",
        lambda right, wrong: {"content": [_place(right, -0.1, _top(**{right: -0.1}))]},
    ),
    (
        "places of a thought, too",
        "<think>{wrong}?</think>{right}",
        lambda right, wrong: {
            "content": [
                _place("<think>", 0.0, []),
                _place(wrong, -0.1, _top(**{wrong: -0.1, right: -3.0})),
                _place("?", -0.1, []),
                _place("</think>", -0.1, []),
                _place(right, -0.2, _top(**{right: -0.2, wrong: -2.0})),
            ]
        },
    ),
    (
        "a thought in its own field, with its places",
        "{right}",
        lambda right, wrong: {
            "content": [
                _place(wrong, -0.1, _top(**{wrong: -0.1, right: -3.0})),
                _place("?", -0.1, []),
                _place(right, -0.2, _top(**{right: -0.2, wrong: -2.0})),
            ]
        },
    ),
    (
        "a mapping for a list",
        "{right}",
        lambda right, wrong: {"content": [_place(right, -0.1, {right: -0.1, wrong: -2.0})]},
    ),
    (
        "tensorrt-llm (NVIDIA/TensorRT-LLM#5620, places are missing)",
        "{right}",
        lambda right, wrong: {
            "content": [_place(right[4:], -0.1, _top(**{right[4:]: -0.1, wrong: -1.0}))]
        },
    ),
    (
        "a list for an object",
        "{right}",
        lambda right, wrong: [_place(right, -0.1, _top(**{right: -0.1, wrong: -2.0}))],
    ),
    ("a flag", "{right}", lambda right, wrong: True),
]


@pytest.mark.parametrize(
    ("form", "logprobs"), [row[1:] for row in SCORED], ids=[row[0] for row in SCORED]
)
def test_odd_log_probabilities_neither_stop_nor_mislead(
    form: str, logprobs: Callable[[str, str], Any], opened: Opened
) -> None:
    def answer(sent: Body) -> Said:
        right = right_label(sent)
        content = form.format(right=right, wrong=WRONG[right])
        choice = {
            "message": {"content": content},
            "finish_reason": "stop",
            "logprobs": logprobs(right, WRONG[right]),
        }
        return 200, {"choices": [choice]}

    with running(FaultyProxy(faults={"server": Server([], answer)})) as proxy:
        endpoint = opened(proxy.url)
        found = dict(pair for part in endpoint.responses(TEXTS) for pair in part)
        assert proxy.calls.total() == len(TEXTS)
    parsed_answers = [endpoint.read(found[position]) for position in range(len(TEXTS))]
    assert [parsed.outcome for parsed in parsed_answers] == [(label,) for label in OUTCOMES]
    for parsed in parsed_answers:
        if parsed.scores is not None:
            assert all(isinstance(value, float) for value in parsed.scores.values())
            assert max(parsed.scores, key=parsed.scores.__getitem__) == parsed.outcome[0]
