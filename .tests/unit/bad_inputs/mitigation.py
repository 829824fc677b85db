"""Models that train on counterfactuals which cannot be made, or that cannot be compared."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from hinter.augmentation import sample_augmentation
from hinter.corpora import CORPUS_SCHEMA
from hinter.mutants import MUTANTS_SCHEMA
from result_files import write_rows

from .case import ROOT, Case, Line, study, write

BEFORE, AFTER, CONTROL = "minilm", "minilm-augmented", "minilm-repeated"
FOLDER = ROOT / "config" / "mitigation"


def _read(path: Path) -> dict[str, Any]:
    sheet: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return sheet


def _mitigation(**config: Any) -> dict[str, Any]:
    return _read(FOLDER.with_suffix(".yaml")) | config


def _with(name: str, *, augment: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """The configuration of the mitigation with changes in the entry of one model."""
    sheet = _read(FOLDER / "models.yaml")
    sheet[name] |= changes
    if augment is not None:
        sheet[name]["fine_tuning"]["augment"] = augment
    write(Path("models.yaml"), yaml.safe_dump(sheet))
    return _mitigation(models_sheet="models.yaml")


def _named(**names: str) -> dict[str, Any]:
    return _mitigation(mitigation={"before": BEFORE, "after": AFTER, "control": CONTROL} | names)


STUDIES: dict[str, tuple[Callable[[], dict[str, Any]], Line]] = {
    "an unknown model after": (
        lambda: _named(after="bert"),
        Line("configuration, key 'mitigation.after'", "'bert'", f"one of {BEFORE}", "`models` of"),
    ),
    "a model before that trains on counterfactuals": (
        lambda: _named(before=AFTER),
        Line(
            "configuration, key 'mitigation.before'",
            f"'{AFTER}', with added counterfactuals",
            "nothing added to its texts",
            "Name another model",
        ),
    ),
    "a model after that trains on no counterfactuals": (
        lambda: _named(after=CONTROL),
        Line(
            "key 'mitigation.after'", "with added originals", "counterfactuals added", "`augment`"
        ),
    ),
    "a control that is trained like the model before": (
        lambda: _named(control=BEFORE),
        Line("key 'mitigation.control'", "with no added texts", "originals added", "`augment`"),
    ),
    "a model before that is not fine-tuned": (
        lambda: _with(BEFORE, fine_tuning=None),
        Line(
            "configuration, key 'mitigation.before'",
            f"'{BEFORE}', which is not fine-tuned here",
            "a fine-tuned encoder with",
            "Name another model",
        ),
    ),
    "a model after that learns faster": (
        lambda: _with(
            AFTER,
            fine_tuning={
                "epochs": 1,
                "learning_rate": 3e-4,
                "augment": {"texts": "counterfactuals"},
            },
        ),
        Line(
            "configuration, key 'mitigation.after'",
            "`learning_rate: 0.0003` and `0.0002`",
            "models that differ only in `augment`",
            "the same value",
        ),
    ),
    "a control with fewer texts": (
        lambda: _with(CONTROL, augment={"texts": "originals", "per_original": 2}),
        Line(
            "key 'mitigation.control'",
            "`per_original: 2` and `4`",
            "differ only in `augment`",
            "the same value",
        ),
    ),
    "a mitigation without controls": (
        lambda: _mitigation(controls=False),
        Line("configuration, key 'mitigation'", "no controls", "with controls", "`controls: true`"),
    ),
    "counterfactuals of an attribute that the study has not": (
        lambda: _with(AFTER, augment={"attributes": ["body", "gender"]}),
        Line(
            "models.yaml, 'minilm-augmented', key 'fine_tuning.augment.attributes'",
            "'gender'",
            "one of age, body, race",
            "describe it in `attributes`",
        ),
    ),
    "counterfactuals of the prompts of a probe": (
        lambda: _mitigation(probes=["gender_income"]),
        Line(
            "key 'fine_tuning.augment'",
            "the probe 'gender_income'",
            "only on datasets",
            "in its `datasets`",
        ),
    ),
    "no counterfactual of a text": (
        lambda: _with(AFTER, augment={"per_original": 0}),
        Line(
            "key 'minilm-augmented.fine_tuning.augment.per_original'", "0", "at least 1", "schema"
        ),
    ),
    "texts to be added that are none of the two": (
        lambda: _with(AFTER, augment={"texts": "mutants"}),
        Line(
            "key 'minilm-augmented.fine_tuning.augment.texts'",
            "'mutants'",
            "one of counterfactuals, originals",
            "schema",
        ),
    ),
}


def _case(config: Callable[[], dict[str, Any]], line: Line) -> Case:
    def read(folder: Path) -> object:
        return study(config())

    return Case(read, line)


def _plot_none(folder: Path) -> object:
    """Draw from a corpus whose only training text is tested."""
    text = {"original_id": "o", "split": "training", "tested": True, "text": "", "labels": []}
    mutant = {"mutant_id": "o|a", "original_id": "o", "order": 1, "attributes": "a", "valid": True}
    return sample_augmentation(
        [write_rows(folder / "mutants.parquet", [mutant], MUTANTS_SCHEMA)],
        corpus=write_rows(folder / "corpus.parquet", [text], CORPUS_SCHEMA),
        texts="counterfactuals",
        per_original=4,
        attributes=["a"],
        seed=1,
    )


CASES = {name: _case(config, line) for name, (config, line) in STUDIES.items()} | {
    "no mutant to train on": Case(
        _plot_none,
        Line(
            "corpus.parquet",
            "no valid mutant of a training text that is not tested",
            "for the model's `augment`",
            "`splits` in the datasets sheet",
        ),
    )
}
