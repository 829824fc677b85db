"""What tests of an endpoint share."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hinter.models import Ledger, Prices, Spending, Task
from hinter.models.endpoint.calling import Caller
from hinter.models.endpoint.client import Endpoint, open_endpoint
from servers import KEY, KEY_VARIABLE, prompt_of
from tenacity import wait_none


@pytest.fixture
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the waiting out of the retries."""
    for method in (Caller._until_sound, Caller.ask_once):
        monkeypatch.setattr(method.retry, "wait", wait_none())


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, no_waits: None) -> None:
    """Give the key, and wait for nothing."""
    monkeypatch.setenv(KEY_VARIABLE, KEY)


@pytest.fixture
def opened(resources: Path, tmp_path: Path) -> Callable[..., Endpoint]:
    """Return a function that opens an endpoint, given changes of its prompt and its entry."""

    def opened(
        url: str,
        *,
        prompt: Mapping[str, Any] | None = None,
        notes: Path | None = None,
        **changed: Any,
    ) -> Endpoint:
        sheet = {
            "base_url": url,
            "model": "m",
            "key_variable": KEY_VARIABLE,
            "context_tokens": 400,
            "concurrency": 1,
        }
        return open_endpoint(
            resources / "cl100k_base",
            sheet={**sheet, **changed},
            task=Task(prompt_of(**(prompt or {})), [], multi_label=False),
            seed=1,
            spending=Spending(Ledger(tmp_path / "ledger.sqlite", 1), Prices(0.5, 1.5)),
            notes=notes,
        )

    return opened
