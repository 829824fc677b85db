"""The kinds of sources, one module each: `fetch(source, names, folder)` fetches the named files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from . import archive, https, hub, maven, wheel

Fetch = Callable[[Mapping[str, str], Sequence[str], Path], None]

KINDS: dict[str, Fetch] = {
    "archive": archive.fetch,
    "https": https.fetch,
    "hub": hub.fetch,
    "maven": maven.fetch,
    "wheel": wheel.fetch,
}
