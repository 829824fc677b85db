"""What a bad input is, and what is sound beside it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from hinter.config import read_config
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
SETTINGS = Path("studies/literal/results/config.json")
"""What another study in the working folder says of itself."""
DATASET = {
    "about": "texts of ours",
    "file": "texts.csv",
    "text": "text",
    "label": "label",
    "label_names": {"0": "bad", "1": "good"},
    "splits": {"tested": None},
}


ENDPOINT = {
    "kind": "endpoint",
    "base_url": "http://localhost:8000/v1",
    "model": "gpt-3.5-turbo-0125",
    "tokenizer": "cl100k_base",
    "context_tokens": 4096,
}


class Line(NamedTuple):
    """The parts that a message must have."""

    where: str
    found: str
    expected: str
    fix: str


class Case(NamedTuple):
    """A reader that is given a bad input in a working folder, and what it must say of it."""

    read: Callable[[Path], object]
    line: Line


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def study(config: Mapping[str, Any]) -> Study:
    return Study(read_config(CONFIG | config))


def with_dataset(*, models: Sequence[str] = ("minilm",), **changes: Any) -> dict[str, Any]:
    """The configuration of a study with a dataset of the user's own, sheet written."""
    splits = {"tested": 1, "calibration": 1, "training": None}
    sheet = {"mine": DATASET | {"splits": splits} | changes}
    write(Path("mine.yaml"), yaml.safe_dump(sheet))
    return {"datasets": ["mine"], "datasets_sheet": "mine.yaml", "models": list(models)}


def with_model(**changes: Any) -> dict[str, Any]:
    """The configuration of a study with a model of the user's own, sheet written."""
    sheet = {"mine": {"about": "a model of ours", "kind": "encoder"} | changes}
    write(Path("models.yaml"), yaml.safe_dump(sheet))
    return {"models": ["mine"], "models_sheet": "models.yaml"}


def with_gate(*, stored: bool = False, **changes: Any) -> dict[str, Any]:
    """The configuration of a study with a gate, which may have a stored baseline."""
    if stored:
        path = Path("studies/last/results/verdicts/minilm/imdb.parquet")
        path.parent.mkdir(parents=True)
        path.touch()
    return {"gate": {"candidate": "smollm2", "baseline": "minilm"} | changes}


def with_compared(**changes: Any) -> dict[str, Any]:
    """The configuration of a study beside another one, of which only its own is there."""
    SETTINGS.parent.mkdir(parents=True)
    write(SETTINGS, read_config(CONFIG | changes).model_dump_json())
    return {"compared": {"the paper's": "studies/literal"}}
