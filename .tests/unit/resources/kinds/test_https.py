"""A file over HTTPS."""

from pathlib import Path

import pytest
from sources import WHOLE, FileServer, content_of, entry_of, fetch, https_source, names_beside

pytestmark = pytest.mark.long


def test_https_brings_the_file_as_it_is(server: FileServer, folder: Path) -> None:
    server.files["/data/some.bin"] = WHOLE
    fetch(folder, entry_of({"named.bin": WHOLE}, https_source(server.url("/data/some.bin"))))
    assert content_of(folder) == {"named.bin": WHOLE}
    assert names_beside(folder) == ["sample"]
