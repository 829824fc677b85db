"""What the tests of models share: real texts, and a tiny language model."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hinter.corpora import Text
from tiny import write_llama
from transformers import AutoTokenizer


@pytest.fixture(scope="module")
def texts(reviews: list[Text]) -> list[str]:
    return [review.text for review in reviews]


@pytest.fixture(scope="session")
def llama(resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_llama(tmp_path_factory.mktemp("llama"), tokenizer=resources / "all_minilm_l6_v2")


@pytest.fixture(scope="session")
def wordy_llama(shallow_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tiny language model with words and the template of SmolLM2, for what prompts are."""
    folder = tmp_path_factory.mktemp("wordy")
    words = AutoTokenizer.from_pretrained(shallow_gguf.parent, gguf_file=shallow_gguf.name)
    words.save_pretrained(folder)
    return write_llama(folder, tokenizer=folder)


@pytest.fixture(scope="module")
def frozen() -> Iterator[None]:
    """Let nothing that is there before a file's tests be looked through as memory runs out."""
    gc.freeze()
    yield
    # What was made since the tests were collected is garbage by now, or stays.
    gc.unfreeze()
    gc.collect()
    gc.freeze()
