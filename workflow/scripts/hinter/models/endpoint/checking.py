"""Whether an endpoint is up, accepts the key and has the model, before any work is done."""

import asyncio
import json
import logging

from openai import APIConnectionError, APIStatusError

from .budget import BudgetReached, Spending
from .completions import Tokens
from .http_errors import passes, remedy_for, said_by, shown
from .settings import EndpointSettings

GREETING, GREETING_TOKENS = "Hi", 64
"""A question, and the most tokens of a prompt that holds it, whatever a server adds."""


def check_endpoint(settings: EndpointSettings, *, spending: Spending | None = None) -> None:
    """Ask the endpoint for its models, before any work is done.

    Many endpoints do not list their models. Such a one is asked for a token of an answer, which
    counts in `spending` at its highest price; where that is more than is left, nothing is checked.
    Raises `InputError` if the endpoint is down, refuses the key or does not have the model.
    """
    try:
        names = _names(settings, asyncio.run(_list(settings)))
    except APIConnectionError as error:
        raise settings.unfit(
            found=f"no connection ({type(error.__cause__).__name__})",
            expected="an endpoint that answers",
            fix="Start it, or correct base_url.",
        ) from None
    except APIStatusError as error:
        if error.status_code in {401, 403}:
            expected, fix = remedy_for(error.status_code)
            raise settings.unfit(
                found=f"HTTP {error.status_code}", expected=expected, fix=fix
            ) from None
        logging.info("%s: models are not listed (HTTP %s)", settings.place, error.status_code)
        _check_by_asking(settings, spending=spending)
        return
    if settings.model not in names:
        raise settings.unfit(
            found=f"the models {settings.hide(', '.join(names)) or '(none)'}",
            expected=f"{settings.model} among them",
            fix="Correct the model's name.",
        )


def _check_by_asking(settings: EndpointSettings, *, spending: Spending | None) -> None:
    try:
        worst = {"input_tokens": GREETING_TOKENS, "output_tokens": 1}
        reservation = spending.reserve(**worst) if spending else None
    except BudgetReached:
        logging.info("%s: not asked, as no budget is left", settings.place)
        return
    try:
        asyncio.run(_greet(settings))
    except APIConnectionError as error:
        logging.info("%s: no answer (%s)", settings.place, type(error.__cause__).__name__)
    except APIStatusError as error:
        said = shown(error.status_code, said_by(error, hide=settings.hide))
        if not passes(error):
            expected, fix = remedy_for(error.status_code)
            raise settings.unfit(found=said, expected=expected, fix=fix) from None
        logging.info("%s: %s", settings.place, said)
    finally:
        if spending and reservation is not None:
            tokens = Tokens(GREETING_TOKENS, 1)
            spending.settle(reservation, tokens, fingerprint=settings.place, answers=0)


async def _greet(settings: EndpointSettings) -> None:
    async with settings.client() as client:
        await client.chat.completions.with_raw_response.create(
            model=settings.model,
            messages=[{"role": "user", "content": GREETING}],
            temperature=float(settings.temperature),
            max_tokens=1,
        )


async def _list(settings: EndpointSettings) -> bytes:
    async with settings.client() as client:
        return (await client.models.with_raw_response.list()).content


def _names(settings: EndpointSettings, content: bytes) -> list[str]:
    try:
        return sorted(str(model["id"]) for model in json.loads(content.decode())["data"])
    except (ValueError, LookupError, TypeError, RecursionError):
        raise settings.unfit(
            found="something else",
            expected="a list of models",
            fix="Correct base_url: it usually ends in /v1.",
        ) from None
