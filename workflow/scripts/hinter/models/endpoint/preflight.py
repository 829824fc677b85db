"""Check before any work is done that an endpoint is up, accepts the key and has the model."""

import asyncio
import json
import logging
import re
from collections.abc import Collection, Mapping
from typing import Any

from openai import APIConnectionError, APIStatusError

from .bodies import Fault
from .budget import BudgetReached, Spending
from .completions import Tokens
from .dialect import Dialect
from .http_errors import Refusal, connection_remedy
from .line import post
from .searching import GREETING, answered_barest
from .settings import EndpointSettings

GREETING_TOKENS = 64
"""The maximum number of tokens of a prompt with the greeting, including what a server adds."""
LIMIT = re.compile(r"max_\w*tokens|output limit")
NO_ANSWER = Refusal(status=200, words="", code="", subject="", whole="")


def check_endpoint(settings: EndpointSettings, *, spending: Spending | None = None) -> None:
    """Ask the endpoint for its models, before any work is done.

    Many endpoints do not list their models, or not all of them. If the model is not listed, it is
    asked for a single token, which counts in `spending` at its highest price. If that is more than
    the rest of the budget, it is not asked. Raises `InputError` if the endpoint is down, refuses
    the key or does not have the model.
    """
    try:
        names = listed_models(settings)
    except APIStatusError as error:
        logging.info("%s: models are not listed (HTTP %s)", settings.location, error.status_code)
        if (refused := _ask(settings, spending=spending)) and not refused.passes:
            expected, fix = refused.remedy
            raise settings.unfit(found=str(refused), expected=expected, fix=fix) from None
        return
    if not is_listed(settings, names):
        _check_unlisted(settings, names, spending=spending)


def listed_models(settings: EndpointSettings) -> list[str] | None:
    """Return the models that an endpoint lists, or None if the answer is not a list.

    Raises `InputError` if it is down, and `APIStatusError` if it refuses to list them.
    """
    try:
        return _names(asyncio.run(_list(settings)))
    except APIConnectionError as error:
        found, fix, _ = connection_remedy(error, local=settings.is_local)
        raise settings.unfit(found=found, expected="an endpoint that answers", fix=fix) from None


def is_listed(settings: EndpointSettings, names: Collection[str] | None) -> bool:
    """Return whether the model is among the names of those listed."""
    model = settings.model
    return not {model, f"{model}:latest", f"models/{model}"}.isdisjoint(names or ())


def _check_unlisted(
    settings: EndpointSettings, names: list[str] | None, *, spending: Spending | None
) -> None:
    """Raise `InputError` unless a model answers that is not among the listed `names`, if any."""
    refused = _ask(settings, spending=spending)
    if refused is None or (refused.passes and refused.words):
        logging.info("%s: not listed, but asked", settings.location)
        return
    said = f", and of the model itself: {refused}" if refused.words else ""
    if names is None:
        raise settings.unfit(
            found=f"something else{said}",
            expected="a list of models",
            fix="Correct base_url: it usually ends in /v1.",
        )
    raise settings.unfit(
        found=f"the models {settings.hide(', '.join(names)) or '(none)'}{said}",
        expected=f"{settings.model} among them",
        fix="Correct the model's name.",
    )


def _ask(settings: EndpointSettings, *, spending: Spending | None) -> Refusal | None:
    """Return why the model gives no answer, or None if it gives one."""
    try:
        worst = {"input_tokens": GREETING_TOKENS, "output_tokens": 1}
        reservation = spending.reserve(**worst) if spending else None
    except BudgetReached:
        logging.info("%s: not asked, as no budget is left", settings.location)
        return NO_ANSWER
    try:
        refused = asyncio.run(_greet(settings))
    except (APIConnectionError, Fault) as error:
        logging.info("%s: no answer (%s)", settings.location, error.__cause__ or error)
        return NO_ANSWER
    finally:
        if spending and reservation is not None:
            tokens = Tokens(GREETING_TOKENS, 1)
            spending.settle(reservation, tokens, fingerprint=settings.location, answers=0)
    if refused:
        logging.info("%s: %s", settings.location, refused)
    return refused


async def _greet(settings: EndpointSettings) -> Refusal | None:
    """Return why a model gives no token, after learning how it must be asked."""
    request = settings._replace(max_answer_tokens=1).request()
    async with settings.client() as client:

        async def refusal_of(body: Mapping[str, Any]) -> Refusal | None:
            found = await post(client, body, hide=settings.hide)
            return found if isinstance(found, Refusal) else None

        async def is_answered(other: Dialect) -> bool:
            return await refusal_of(other.body(request, GREETING, scored=False)) is None

        dialect = Dialect(given=settings.without)
        body = dialect.body(request, GREETING, scored=False)
        while refused := await refusal_of(body):
            named = dialect.named(refused, body=body, but=())
            if not named:
                break
            dialect.lessons.append(named)
            body = dialect.body(request, GREETING, scored=False)
        # If a single token is too few for a model, the model exists.
        if refused is None or LIMIT.search(refused.words):
            return None
        if refused.may_be_of_call(lasts=False):
            lessons = await answered_barest(dialect, body, is_answered=is_answered)
            return refused if lessons is None else None
        return refused


async def _list(settings: EndpointSettings) -> bytes:
    async with settings.client() as client:
        return (await client.models.with_raw_response.list()).content


def _names(content: bytes) -> list[str] | None:
    """Return the names of models in a list of any format, or None if there is no list."""
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = next(filter(None, lists), lists[0] if lists else None)
    if not isinstance(found, list):
        return None
    named = [each if isinstance(each, dict) else {"id": each} for each in found]
    keys = ("id", "name", "model", "model_id")
    return sorted({str(each[key]) for each in named for key in keys if each.get(key)})
