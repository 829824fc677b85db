"""Files of a model hub repository: `{kind: hub, repository: ..., revision: ..., type: model}`.

Gated repositories need the hub's access token in the environment (HF_TOKEN).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from huggingface_hub import get_token, hf_hub_url

from .https import download


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download every file in `names` at the pinned revision."""
    token = get_token()
    # Not the hub client's own headers: they carry telemetry and cost a request of their own.
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    for name in names:
        url = hf_hub_url(
            source["repository"],
            name,
            revision=source["revision"],
            repo_type=source.get("type", "model"),
        )
        # Not the hub client's own download: it asks an unreachable hub for half a minute.
        download(url, name=name, folder=folder, headers=headers)
