"""Where a model behind an endpoint is, and how it is asked."""

import logging
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from openai import AsyncOpenAI

from ...errors import InputError, hide_password
from .transport import BoundedClient

NO_KEY = "no-key"
SECRET_CHARACTERS = 8
"""Shorter keys are placeholders, such as EMPTY."""

# A line for every call would flood the log of a job.
logging.getLogger("httpx2").setLevel(logging.WARNING)


class EndpointSettings(NamedTuple):
    """Where a model is and how it is asked.

    `key_variable` is the name of the environment variable that holds the key, None where none is
    needed. `context_tokens` is the limit for prompt and answer together, `max_tokens` that for the
    text alone.
    """

    base_url: str
    model: str
    context_tokens: int
    max_answer_tokens: int = 16
    max_tokens: int | None = None
    key_variable: str | None = None
    temperature: float = 0.0
    seed: int | None = None
    concurrency: int = 32
    timeout_seconds: float = 120.0

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any], **settings: Any) -> "EndpointSettings":
        """Return the settings in a model's entry of the models sheet, and further `settings`."""
        known = {key: value for key, value in sheet.items() if key in cls._fields}
        return cls(**known, **settings)

    @property
    def place(self) -> str:
        """The endpoint as messages name it."""
        return f"endpoint {hide_password(self.base_url)}, model {self.model}"

    def client(self) -> AsyncOpenAI:
        """Return a client with the key.

        Raises `InputError` if a key is named but missing, and for a password in the address.
        """
        if hide_password(self.base_url) != self.base_url:
            raise self.unfit(
                found="a user or a password in base_url",
                expected="an address without them",
                fix="Put the key into the environment variable that key_variable names.",
            )
        return AsyncOpenAI(
            base_url=self.base_url,
            api_key=_key(self.key_variable),
            max_retries=0,
            http_client=BoundedClient(self.timeout_seconds),
        )

    def hide(self, text: str) -> str:
        """Return `text` without the key, which some endpoints repeat."""
        key = os.environ.get(self.key_variable or "", "")
        return text.replace(key, "(the key)") if len(key) >= SECRET_CHARACTERS else text

    def unfit(self, *, found: str, expected: str, fix: str) -> InputError:
        """Return an error about the endpoint."""
        return InputError(where=self.place, found=found, expected=expected, fix=fix)


def _key(variable: str | None) -> str:
    if variable is None:
        return NO_KEY
    key = os.environ.get(variable, "")
    if key and key.isascii() and key.isprintable() and " " not in key:
        return key
    raise InputError(
        where=f"environment variable {variable}",
        # Never the value.
        found="characters that no key has" if key else "nothing",
        expected="the key of the endpoint",
        fix=f"Set it: export {variable}=...",
    )
