"""What tests of an endpoint share."""

import pytest
from hinter.models.endpoint.calling import Caller
from tenacity import wait_none


@pytest.fixture
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the waiting out of the retries."""
    for method in (Caller._until_sound, Caller._once_allowed):
        monkeypatch.setattr(method.retry, "wait", wait_none())
