"""What tests of an endpoint share."""

from pathlib import Path

import pytest
from hinter.models.endpoint.calling import Caller
from tenacity import wait_none


@pytest.fixture(autouse=True)
def no_authorities(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Trust no authority: every client would parse all of the system's, and these take no TLS.

    A test of certificates asks for the system's own again.
    """
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))


@pytest.fixture
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the waiting out of the retries."""
    for method in (Caller._until_sound, Caller._once_allowed):
        monkeypatch.setattr(method.retry, "wait", wait_none())
