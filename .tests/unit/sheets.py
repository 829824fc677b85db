"""Sound sheets to be spoilt, and what is said of spoilt ones."""

from pathlib import Path
from typing import Any

import pytest
from hinter.config import Config, Datasets, Models, Prices, PromptSheet, read_sheet
from hinter.errors import InputError

MODELS = {
    "config": Config,
    "datasets": Datasets,
    "models": Models,
    "prices": Prices,
    "prompt": PromptSheet,
}
CONFIG = {"seed": 1, "datasets": ["a"], "models": ["b"], "attributes": ["race"], "orders": [1]}
DATASET = {"about": "texts", "file": "a.csv", "text": "text", "splits": {"tested": 5}}
TUNED = {"epochs": 1, "learning_rate": 1e-4}
ENCODER = {"about": "ours", "kind": "encoder", "folder": "m", "fine_tuning": TUNED}
ENDPOINT = {
    "about": "ours",
    "kind": "endpoint",
    "base_url": "http://localhost:1",
    "model": "m",
    "tokenizer": "t",
}
PROMPT = {"version": 1, "instruction": "", "question": "{text}", "examples": {}}
SHEETS: dict[str, dict[str, Any]] = {
    "config": CONFIG,
    "datasets": {"mine": DATASET},
    "models": {"mine": ENCODER, "theirs": ENDPOINT},
    "prices": {"m": {"input": 1, "output": 2, "of": "somebody"}},
    "prompt": PROMPT,
}


def refusal_of(path: Path, content: str, *, sheet: str) -> str:
    """Return the one line with which a sheet of this kind and content is refused."""
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_sheet(path, MODELS[sheet])
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message
