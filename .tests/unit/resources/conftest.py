"""What the tests of resources share: a server of files, and the folder of a resource."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import huggingface_hub.constants
import pytest
from sources import FileServer


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def hub(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> FileServer:
    """The server in the place of the model hub."""
    template = server.url("/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", server.url())
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    return server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "resources" / "sample"


@pytest.fixture
def closed_port() -> int:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
