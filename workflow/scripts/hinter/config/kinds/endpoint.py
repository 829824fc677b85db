"""Models of `kind: endpoint`."""

import json
from collections.abc import Container
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ..types import Address, Count, FilePath, Number, Seconds, fault, text
from .model import ContextTokens, Prompted, Source, TextTokens

Variable = Annotated[str, Field(pattern="^[A-Z][A-Z0-9_]*$")]
HeaderName = Annotated[str, text(r"^[A-Za-z0-9-]+$", name="name of a header")]
OF_THE_ENTRY = {"model", "messages", "prompt", "max_tokens", "max_completion_tokens", "temperature"}
OF_THE_ENTRY |= {"stream", "n", "logprobs", "top_logprobs"}
"""Parameters that other keys or the prompt file set, or on which the parsing of answers depends."""
ROUGH = Path(__file__).parents[2] / "models" / "endpoint" / "token_counters.py"


class Endpoint(Prompted):
    """A prompted language model behind an OpenAI-compatible server."""

    opened_by = "models.endpoint.client:open_endpoint"
    holds = "tokenizer"

    kind: Literal["endpoint"]
    """a prompted language model behind an OpenAI-compatible server"""
    base_url: Address
    """address of the server, such as http://localhost:8000/v1; without a user or a password (use
    key_variable)"""
    model: str = Field(min_length=1)
    """the model's name on the server, and in the price sheet"""
    key_variable: Variable | None = None
    """the environment variable that holds the key; null if none is needed"""
    tokenizer: FilePath | None = None
    """the model's tokenizer, which counts the tokens of prompts: a resource in data/registry.yaml,
    or a folder of yours; null counts them by a rough upper bound, so that long texts may be cut
    early"""
    context_tokens: ContextTokens = 4096
    """tokens of prompt and answer together"""
    max_tokens: TextTokens | None = None
    """how many tokens of a text the model sees; null is all that fit"""
    temperature: Number | None = 0
    """sampling temperature; 0 gives the likeliest words; null leaves it out of requests, for
    servers that accept none: their answers vary, and `repeats` measures how much"""
    chat: bool = True
    """whether it is asked in a chat; false has it continue a plain text, as base models do"""
    system_turn: bool = True
    """whether the instruction is a system message; false puts it into the first question"""
    parameters: dict[str, Any] = Field(default={})
    """further parameters of each request, such as reasoning_effort: low; a parameter with null is
    left out, such as seed"""
    headers: dict[HeaderName, Variable] = Field(default={})
    """further headers of each request, with the environment variables that hold their values, such
    as api-key: AZURE_KEY"""
    concurrency: Count = 32
    """maximum number of questions asked at once; reduced while answers are late; changes the speed,
    never an answer"""
    timeout_seconds: Seconds = 120
    """how many seconds a call may take, from the connection to the last byte, before the question
    is asked again"""

    @classmethod
    def entry_of(cls, named: str) -> dict[str, Any] | None:
        """Return the entry of ADDRESS#MODEL."""
        address, _, model = named.partition("#")
        if not (model and address.startswith(("http://", "https://"))):
            return None
        return {"base_url": address, "model": model}

    def source(self, resources: Container[str]) -> Source:
        """Return the resource or the folder of its tokenizer, or the module that counts without."""
        if self.tokenizer is None:
            return Source("tokenizer", path=str(ROUGH))
        known = self.tokenizer in resources
        return Source("tokenizer", *((self.tokenizer, None) if known else (None, self.tokenizer)))

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have for the model to run on it."""
        return ["prompt", "label_names"]

    @model_validator(mode="after")
    def _check_parameters(self) -> Self:
        ours = sorted(OF_THE_ENTRY & self.parameters.keys())
        if ours:
            expected = "none that other keys of the entry, the prompt file or the study itself set"
            raise fault(key="parameters", found=f"'{ours[0]}'", expected=expected)
        try:
            json.dumps(self.parameters)
        except TypeError as error:
            expected = "values that JSON can represent; put dates in quotes"
            raise fault(key="parameters", found=str(error), expected=expected) from None
        return self


KIND = Endpoint
