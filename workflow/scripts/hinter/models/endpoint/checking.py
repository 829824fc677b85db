"""Whether an endpoint is up, accepts the key and has the model, before any work is done."""

import asyncio
import json
import logging

from openai import APIConnectionError, APIStatusError

from .http_errors import remedy_for
from .settings import EndpointSettings


def check_endpoint(settings: EndpointSettings) -> None:
    """Ask the endpoint for its models, before any work is done.

    Raises `InputError` if it is down, refuses the key or does not have the model. Many endpoints do
    not list their models: if this one does not, nothing is checked.
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
        return
    if settings.model not in names:
        raise settings.unfit(
            found=f"the models {settings.hide(', '.join(names)) or '(none)'}",
            expected=f"{settings.model} among them",
            fix="Correct the model's name.",
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
