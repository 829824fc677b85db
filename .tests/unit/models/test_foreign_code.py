"""Folders of models and parsers that bring code: it does not run, and one line says so."""

import io
import json
import pickle
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hinter.errors import InputError
from hinter.invariant import Parser
from hinter.models.loading import (
    convert_gguf,
    load_causal,
    load_config,
    load_encoder,
    load_tokenizer,
    load_untrained,
)
from hinter.models.training.task import TrainingSettings, new_classifier

pytestmark = pytest.mark.long

SETTINGS = TrainingSettings(
    labels=["a", "b"], epochs=1, learning_rate=1e-4, batch_size=2, max_tokens=16, threads=1, seed=1
)
CODE = """
from pathlib import Path
Path({ran!r}).touch()
from transformers import {base}
class Own({base}):
    model_type = "own"
"""


class Runs:
    """What unpickled would leave a file."""

    def __init__(self, ran: Path) -> None:
        self._ran = ran

    def __reduce__(self) -> Any:
        return Path.touch, (self._ran,)


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """Return the file that code in a folder would leave."""
    return tmp_path / "ran"


def _line(load: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        load()
    message = str(caught.value)
    assert "\n" not in message
    return message


def _edit(path: Path, **settings: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))


@pytest.fixture
def own_code(random_encoder: Path, tmp_path: Path, ran: Path) -> Path:
    """Return a model's folder whose settings ask for the classes in a module beside them."""
    folder = tmp_path / "own"
    shutil.copytree(random_encoder, folder)
    for name, base in {"config": "PretrainedConfig", "model": "PreTrainedModel"}.items():
        (folder / f"own_{name}.py").write_text(CODE.format(ran=str(ran), base=base))
    (folder / "own_tokens.py").write_text(CODE.format(ran=str(ran), base="PreTrainedTokenizerFast"))
    models = ("AutoModelForSequenceClassification", "AutoModelForCausalLM")
    auto = {"AutoConfig": "own_config.Own", **dict.fromkeys(models, "own_model.Own")}
    _edit(folder / "config.json", model_type="own", auto_map=auto)
    tokens = {"AutoTokenizer": [None, "own_tokens.Own"]}
    _edit(folder / "tokenizer_config.json", tokenizer_class="Own", auto_map=tokens)
    return folder


def test_code_in_a_model_s_folder_or_beside_a_gguf_file_is_not_run_even_if_somebody_says_yes(
    own_code: Path, ran: Path, shallow_gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = Path(shutil.copytree(own_code, tmp_path / "beside"))
    (beside / "model.gguf").symlink_to(shallow_gguf)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 20))
    for load in (load_config, load_tokenizer, load_untrained):
        assert _refuses(_line(partial(load, own_code)), own_code)
    for load in (load_encoder, load_causal):
        assert _refuses(_line(partial(load, own_code, dtype=torch.float32)), own_code)
    converted = tmp_path / "converted"
    convert = partial(convert_gguf, resource=beside, gguf="model.gguf", folder=converted)
    assert _refuses(_line(convert), beside)
    assert not ran.exists()


def _refuses(line: str, folder: Path) -> bool:
    found = line.startswith(f"{folder}: found its own code")
    return found and "trust_remote_code" not in line


@pytest.mark.parametrize("content", [b"", b"GGUF\3\0\0\0", b"GGUF" + bytes(40), b"no model"])
def test_a_damaged_gguf_file_is_told_of_in_one_line(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    line = _line(
        lambda: convert_gguf(resource=tmp_path, gguf=file.name, folder=tmp_path / "converted")
    )
    assert line.startswith(f"{file}: found ")
    assert "expected a tokenizer in an undamaged GGUF file" in line


def test_a_gguf_file_with_half_its_weights_is_told_of_in_one_line(
    shallow_gguf: Path, tmp_path: Path
) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(shallow_gguf.read_bytes()[: shallow_gguf.stat().st_size // 2])
    line = _line(
        lambda: convert_gguf(resource=tmp_path, gguf=file.name, folder=tmp_path / "converted")
    )
    assert line.startswith(f"{file}: found ")
    assert "expected a" in line


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json"])
def test_settings_nested_too_deeply_are_told_of_in_one_line(
    name: str, random_encoder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "nested"
    shutil.copytree(random_encoder, folder)
    (folder / name).write_text("[" * 200_000)
    load = load_tokenizer if name == "tokenizer.json" else load_config
    assert _line(lambda: load(folder)).startswith(f"{folder}: found ")


@pytest.fixture
def pickled(random_encoder: Path, tmp_path: Path, ran: Path) -> Path:
    """Return a model's folder whose weights are a pickle that runs code."""
    folder = tmp_path / "pickled"
    shutil.copytree(random_encoder, folder)
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weights": Runs(ran)}, protocol=2))
    return folder


@pytest.mark.parametrize("load", [load_encoder, load_causal])
def test_pickled_weights_are_refused_with_what_to_do(
    load: Callable[..., Any], pickled: Path, ran: Path
) -> None:
    line = _line(lambda: load(pickled, dtype=torch.float32))
    assert line.startswith(f"{pickled}: found pickled weights (pytorch_model.bin)")
    assert "safetensors" in line
    assert "`save_pretrained`" in line
    assert "weights_only" not in line
    assert not ran.exists()


def test_pickled_weights_of_a_resource_are_read_as_tensors_alone(
    pickled: Path, random_encoder: Path, ran: Path
) -> None:
    line = _line(lambda: new_classifier(pickled, settings=SETTINGS))
    assert line.startswith(f"{pickled}: found pickled weights (more than tensors)")
    assert not ran.exists()
    state = load_encoder(random_encoder, dtype=torch.float32).state_dict()
    torch.save(state, pickled / "pytorch_model.bin")
    read = new_classifier(pickled, settings=SETTINGS).state_dict()
    assert torch.equal(read["bert.pooler.dense.weight"], state["bert.pooler.dense.weight"])


def test_safetensors_are_read_where_a_pickle_lies_beside_them(
    random_encoder: Path, tmp_path: Path, ran: Path
) -> None:
    folder = tmp_path / "both"
    shutil.copytree(random_encoder, folder)
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weights": Runs(ran)}, protocol=2))
    assert load_encoder(folder, dtype=torch.float32).config == load_config(folder)
    assert load_tokenizer(folder).is_fast
    assert not ran.exists()


CALLS_BACK = 'after_creation = {"@callbacks":"spacy.copy_from_base_model.v1","vocab":"elsewhere"}'
CUSTOM = '[components.own]\nsource = "an_installed_package"\n\n'
READS = 'batch_size = {"@readers":"srsly.read_json.v1","path":"/etc"}'


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("after_creation = null", CALLS_BACK, "section 'nlp.after_creation': found @callbacks"),
        ("[components.parser]", CUSTOM + "[components.parser]", "'components.own': found source"),
        ("batch_size = 256", READS, "section 'nlp.batch_size': found @readers"),
    ],
)
def test_a_pipeline_that_asks_for_more_than_spacy_s_parts_is_refused(
    before: str, after: str, found: str, parser_folder: Path, tmp_path: Path
) -> None:
    folder = _copy_of(parser_folder, tmp_path)
    settings = folder / "config.cfg"
    settings.write_text(settings.read_text().replace(before, after))
    line = _line(lambda: Parser(folder))
    assert line.startswith(f"{folder}/config.cfg, ")
    assert found in line


def test_code_and_pickles_in_a_pipeline_s_folder_are_not_run(
    parser_folder: Path, tmp_path: Path, ran: Path
) -> None:
    folder = _copy_of(parser_folder, tmp_path)
    (folder / "__init__.py").write_text(f"from pathlib import Path\nPath({str(ran)!r}).touch()\n")
    assert Parser(folder).fingerprint == Parser(parser_folder).fingerprint
    np.save(folder / "vocab" / "vectors", np.array([Runs(ran)], dtype=object))
    (folder / "vocab" / "vectors.npy").replace(folder / "vocab" / "vectors")
    assert "allow_pickle=False" in _line(lambda: Parser(folder))
    assert not ran.exists()


def _copy_of(parser_folder: Path, folder: Path) -> Path:
    return Path(shutil.copytree(parser_folder, folder / "pipeline"))
