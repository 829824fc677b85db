"""The models that inference is timed on: folders, settings and prompts."""

import shutil
import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import torch
from corpus import ROOT, SEED, read_entries, resource_folder
from hinter.config import PromptSheet, read_sheet
from hinter.corpora import prepare_corpus, read_split
from hinter.models import Model, Task, open_model, read_task
from hinter.models.loading import convert_gguf
from hinter.models.local import open_scoring
from hinter.models.scoring import ScoringModel
from numpy.random import default_rng
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

LABELS = ["negative", "positive"]
PROMPT = ROOT / "config" / "prompts" / "imdb.yaml"
CALIBRATION = 16
Outcomes = Sequence[tuple[str, ...] | str]
"""What both sides of a comparison say of each text: labels, or an answer."""


class Prompted(NamedTuple):
    """A language model's folder and sheet, its task, and what it is calibrated with."""

    folder: Path
    sheet: Mapping[str, Any]
    task: Task
    offsets: Mapping[str, float]

    def scoring(self, **settings: Any) -> ScoringModel:
        """Return the model that scores labels."""
        sheet = {**self.sheet, **settings}
        return open_scoring(self.folder, sheet=sheet, task=self.task, offsets=self.offsets)

    def generating(self, **settings: Any) -> Model:
        """Return the model that answers in words."""
        return open_model(
            self.folder,
            sheet={**self.sheet, **settings},
            labels=LABELS,
            multi_label=False,
            task=self.task,
            offsets=None,
            seed=SEED,
            spending=None,
        )


def write_default_corpus(path: Path) -> Path:
    """Write the corpus of the default study."""
    sheet = read_entries("datasets")["imdb"]
    examples = read_sheet(PROMPT, PromptSheet).examples
    expected = {name: tuple(labels) for name, labels in examples.items()}
    source = resource_folder(sheet["resource"]) / sheet["file"]
    table, _ = prepare_corpus(source, sheet=sheet, examples=expected, seed=SEED)
    pq.write_table(table, path)
    return path


def prepare_prompted(folder: Path, *, corpus: Path) -> Prompted:
    """Return the default study's language model, calibrated."""
    sheet = read_entries("models")["smollm2"]
    resource = resource_folder(sheet["resource"])
    convert_gguf(resource=resource, gguf=sheet["gguf"], folder=folder)
    task = read_task(corpus=corpus, prompt=str(PROMPT), labels=LABELS, multi_label=False)
    texts = [text.text for text in read_split(corpus, split="calibration")[:CALIBRATION]]
    scoring = open_scoring(folder, sheet=sheet, task=task, offsets={})
    offsets = scoring.calibration_offsets(texts, advance=lambda _: None)
    return Prompted(folder, sheet, task, offsets)


def copy_encoder(folder: Path) -> None:
    """Copy the encoder that the default study has fine-tuned: a random head decides nothing."""
    tuned = ROOT / "results" / "models" / "minilm" / "imdb"
    if not tuned.is_dir():
        sys.exit(f"no fine-tuned encoder in {tuned}: run `make study` first")
    shutil.copytree(tuned, folder)


def write_bert(folder: Path, *, tokenizer: Path, margin: float) -> None:
    """Write a model of BERT-base's shape whose decisions are all as clear as `margin` (logits)."""
    torch.manual_seed(SEED)
    model = BertForSequenceClassification(BertConfig())
    torch.nn.init.zeros_(model.classifier.weight)
    model.classifier.bias.data = torch.tensor([0.0, margin])
    _save_named(model, folder, tokenizer=tokenizer)


def _save_named(model: Any, folder: Path, *, tokenizer: Path) -> None:
    model.config.id2label = dict(enumerate(LABELS))
    model.config.label2id = {label: number for number, label in enumerate(LABELS)}
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(tokenizer).save_pretrained(folder)


def open_encoder(folder: Path, sheet: Mapping[str, Any], **settings: Any) -> Model:
    """Return the encoder in a folder, run as its entry in the models sheet says."""
    return open_model(
        folder,
        sheet={**sheet, **settings},
        labels=LABELS,
        multi_label=False,
        task=None,
        offsets=None,
        seed=SEED,
        spending=None,
    )


def responses_of(model: Model, texts: Sequence[str]) -> list[str]:
    """Return the model's responses in the order of the texts."""
    found = dict(chain.from_iterable(model.responses(texts)))
    return [found[position] for position in range(len(texts))]


def shuffled(texts: Sequence[str]) -> list[str]:
    """Return the distinct texts in an order drawn at random."""
    distinct = list(dict.fromkeys(texts))
    return [distinct[position] for position in default_rng(SEED).permutation(len(distinct))]


def find_position() -> torch.device:
    """Return the GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
