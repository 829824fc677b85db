"""Check before any work is done that an endpoint is up, accepts the key and has the model."""

import asyncio
import json
import logging
import re
from collections.abc import Collection, Sequence
from contextlib import suppress

from openai import APIConnectionError, APIStatusError

from ...errors import InputError
from ..model import Learnt
from .bodies import Fault
from .budget import BudgetReached, Spending
from .calling import Caller
from .dialect import Dialect
from .evidence import GREETING
from .line import Line, connection_remedy
from .pausing import OutOfPatience
from .settings import EndpointSettings

GREETING_TOKENS = 32
"""The maximum number of tokens of a prompt with the greeting, including what a template adds."""
LIMIT = re.compile(r"max_\w*tokens|output limit")
"""Words that indicate that a single token is too few for a model, which so exists."""


def check_endpoint(settings: EndpointSettings, *, spending: Spending | None = None) -> None:
    """Ask the endpoint for its models, before any work is done.

    Many endpoints do not list their models, or not all of them. If the model is not listed, it is
    asked for a single token, which counts in `spending`. If that may be more than the rest of the
    budget, it is not asked. Raises `InputError` if the endpoint is down, refuses the key or does
    not have the model.
    """
    try:
        names = listed_models(settings)
    except APIStatusError as error:
        logging.info("%s: models are not listed (HTTP %s)", settings.location, error.status_code)
        _is_there(settings, spending=spending)
        return
    if is_listed(settings, names):
        return
    try:
        if _is_there(settings, spending=spending):
            logging.info("%s: not listed, but asked", settings.location)
            return
    except InputError as refused:
        raise _missing(settings, names, said=[refused]) from None
    raise _missing(settings, names)


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


def _missing(
    settings: EndpointSettings, names: Collection[str] | None, *, said: Sequence[InputError] = ()
) -> InputError:
    """Return the error about a model that is not among the listed `names`, if there is a list."""
    if names is None:
        found, expected = "something else", "a list of models"
        fix = "Correct base_url: it usually ends in /v1."
    else:
        found = f"the models {settings.hide(', '.join(names)) or '(none)'}"
        expected, fix = f"{settings.model} among them", "Correct the model's name."
    return InputError(where=settings.location, found=found, expected=expected, fix=fix, faults=said)


def _is_there(settings: EndpointSettings, *, spending: Spending | None) -> bool:
    """Return whether the model answers, or may do so later; raises `InputError` if it refuses."""
    try:
        asyncio.run(_greet(settings, spending=spending))
    except OutOfPatience as refused:
        logging.info("%s: %s", settings.location, refused)
    except (BudgetReached, Fault) as fault:
        logging.info("%s: no answer (%s)", settings.location, fault)
        return False
    except InputError as refused:
        if not LIMIT.search(str(refused)):
            raise
    return True


async def _greet(settings: EndpointSettings, *, spending: Spending | None) -> None:
    """Ask the model for a single token, in the way in which its server must be asked."""
    short = settings._replace(max_answer_tokens=1, patient=False)
    async with settings.client() as client:
        caller = Caller(
            Line(client, short, spending=spending, fingerprint=settings.location),
            short,
            dialect=Dialect(given=settings.without),
            count_tokens=lambda _: GREETING_TOKENS,
            positions=None,
        )
        while True:
            with suppress(Learnt):
                await caller.ask_once(GREETING)
                return


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
