"""A kind of model is one module: with it, its models are read, planned, opened and asked."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

TOY = '''
"""Models of `kind: toy`."""

import json
from pathlib import Path
from typing import Literal

from .model import Model, Source


class Toy(Model):
    """A model that looks for a word."""

    opened_by = "config.kinds.toy:open_toy"

    kind: Literal["toy"]
    """a model that looks for a word"""
    word: str
    """the word"""
    threads: int = 3
    """CPU threads"""

    def source(self, resources):
        """Return the path of this module."""
        return Source("word", path=__file__)


class Looking:
    """Says the first label where the word is in a text."""

    def __init__(self, word, labels):
        from hinter.models import WholeTexts, digest_of_text

        self.fingerprint, self.word, self.labels = digest_of_text(word), word, labels
        self.windows = WholeTexts().windows

    def responses(self, texts):
        yield [(n, json.dumps([self.labels[self.word in text]])) for n, text in enumerate(texts)]

    def read(self, response):
        from hinter.models import read_labelled

        return read_labelled(response, labels=self.labels)


def open_toy(folder, *, sheet, labels):
    assert Path(folder).name == "toy.py"
    return Looking(sheet["word"], labels)


KIND = Toy
'''
PROGRAM = """
import json, sys, yaml
from pathlib import Path
sys.path.append("workflow/scripts")
from hinter.config import read_config
from hinter.study import Study
from hinter.models import open_model
study = Study(read_config(yaml.safe_load(Path("config/config.yaml").read_text()) | {
    "models": ["mine"], "models_sheet": "toys.yaml", "limits": []}))
[run] = study.examined_runs()
assert [run] == study.runs("toy") and study.threads("mine") == 3 and study.gpus("mine") == 0
inputs = study.prediction_inputs(*run)
assert list(inputs) == ["model"]
model = open_model(Path(inputs["model"]), sheet=study.running("mine"), **study.task("imdb"),
    task=None, offsets=None, seed=1, spending=None)
said = dict(next(model.responses(["A fine film.", "A film."])))
print(json.dumps([study.model_modules(), [model.read(said[n]).outcome for n in (0, 1)]]))
"""


def _run(*command: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_further_kind_is_one_module(root: Path, tmp_path: Path) -> None:
    for name in ("workflow", "config", "data"):
        shutil.copytree(root / name, tmp_path / name)
    shutil.copy(root / "Snakefile", tmp_path)
    kinds = tmp_path / "workflow" / "scripts" / "hinter" / "config" / "kinds"
    (kinds / "toy.py").write_text(TOY, encoding="utf-8")
    toy = {"about": "a toy", "kind": "toy", "word": "fine"}
    (tmp_path / "toys.yaml").write_text(yaml.safe_dump({"mine": toy}), encoding="utf-8")
    modules, outcomes = json.loads(_run("-c", PROGRAM, folder=tmp_path))
    assert modules == ["hinter/config/kinds/toy.py"]
    assert outcomes == [["positive"], ["negative"]]
    planned = _run(
        *("-m", "snakemake", "-n", "results/predictions/mine/imdb.parquet"),
        *("--config", "models=[mine]", "models_sheet=toys.yaml", "limits=[]"),
        folder=tmp_path,
    )
    assert "predict_suite" in planned
    assert "fine_tune_encoder" not in planned
