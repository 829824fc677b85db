"""Probes and relations: the same bytes whatever differs, and after they were killed."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from people import adult_lines
from runs import (
    checkout,
    copy_finished,
    digests,
    drawn_moments,
    edit_sheet,
    kept_responses,
    run_killed,
    snakemake,
)
from tiny import write_classifier, write_llama

STUDY = {
    "seed": 7,
    "datasets": [],
    "probes": ["gender_income"],
    "models_sheet": "small/models.yaml",
    "models": ["talker", "chooser"],
    "relations": {
        "sources": 2,
        "prompt": "small/answer.yaml",
        "raters": {"tone": {"model": "rater", "dataset": "tones"}},
    },
    "grammar": {"enabled": False},
}
TONES = ["angry", "fear", "happy", "sad", "surprised"]
# Batches small enough for several commits of answers.
MODELS: dict[str, dict[str, Any]] = {
    "talker": {
        "kind": "causal",
        "answers": "generated",
        "batch_tokens": 800,
        "datasets": ["relations"],
    },
    "chooser": {"kind": "encoder", "batch_tokens": 800, "max_tokens": 200},
    "rater": {"kind": "encoder", "batch_tokens": 80, "datasets": []},
}
OTHER = {
    "talker": {"batch_tokens": 300, "threads": 1},
    "chooser": {"batch_tokens": 4000, "shards": 3, "threads": 1},
    "rater": {"batch_tokens": 4000, "threads": 1},
}
TARGETS = ["results/relations/faults.csv", "results/tables/gender_income_flips.csv"]
HERE = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
THERE = {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"}
# Nor does it matter how many numbers a processor multiplies at once.
THERE |= {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}
THERE |= {"MKL_ENABLE_INSTRUCTIONS": "AVX2"}


def _with_few_persons(sheet: dict[str, Any]) -> None:
    sheet.update(resource=None, file="people.data")
    sheet["settings"]["per_label"] = {"tested": 4, "calibration": 1, "training": 1}
    sheet["settings"]["lattice"]["prompts"] = 2


@pytest.fixture(scope="module")
def unasked(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a study of a probe and of relations, before it is run."""
    folder = tmp_path_factory.mktemp("asked") / "study"
    small = tmp_path_factory.mktemp("settings")
    words = resources / "all_minilm_l6_v2"
    write_llama(small / "talker", tokenizer=words)
    write_classifier(small / "chooser", tokenizer=words, labels=["yes", "no"])
    write_classifier(small / "rater", tokenizer=words, labels=TONES)
    answer = yaml.safe_load((root / "config/relations/answer.yaml").read_text(encoding="utf-8"))
    models = {
        name: {"about": "a random model", "folder": f"small/{name}", **keys}
        for name, keys in MODELS.items()
    }
    sheets = {"config": STUDY, "models": models, "answer": answer | {"max_answer_tokens": 4}}
    for name, sheet in sheets.items():
        (small / f"{name}.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")
    checkout(folder, root=root, resources=resources, config=small)
    (folder / "people.data").write_text("\n".join(adult_lines(range(30, 34))))
    edit_sheet(folder / "config/probes/gender_income.yaml", _with_few_persons)
    return folder


@pytest.fixture(scope="module")
def asked(unasked: Path) -> Path:
    """Return the folder of the study once it is finished."""
    folder = copy_finished(unasked, unasked.with_name("finished"))
    snakemake(folder, "--cores", "1", *TARGETS, environment=HERE)
    return folder


# By the model that is asked; the first commits of a store are of its tables, and of the claim on
# what is asked.
KILLED = {
    "talker": {"rewrite_prompts": (1, 3), "predict_suite": (5, 7)},
    "rater": {"rate_answers": (5, 7)},
    "chooser": {"build_probe": (1, 3), "predict_suite": (5, 7)},
}
PREDICTIONS = {
    "talker": "results/predictions/talker/relations.parquet",
    "rater": "results/predictions/talker/relations_tone.parquet",
    "chooser": "results/predictions/chooser/gender_income.parquet",
}


@pytest.fixture(scope="module")
def killed(unasked: Path) -> Path:
    """Return the folder of the study, killed in each stage; what it had answered is in `kept`.

    All is different there that must not change a byte: once a model has given answers, also its
    batches and shards.
    """
    folder = copy_finished(unasked, unasked.with_name('it\'s the "ωther" stüdy, 100 %'))
    for seed, (model, steps) in enumerate(KILLED.items()):
        moments = drawn_moments(steps, seed=seed)
        run_killed(folder, PREDICTIONS[model], moments=moments, environment=THERE)
        edit_sheet(folder / "small/models.yaml", partial(_run_otherwise, model=model))
    shutil.copytree(folder / "store" / "responses", folder / "kept")
    return folder


def _run_otherwise(sheet: dict[str, Any], *, model: str) -> None:
    sheet[model].update(OTHER[model])


def test_a_folder_in_which_a_snakemake_may_run_is_locked(killed: Path) -> None:
    told = snakemake(killed, "--cores", "1", *TARGETS, succeeds=False)
    assert "Directory cannot be locked" in told
    assert "--unlock" in told


def test_kills_other_batches_shards_cores_seeds_places_and_names_give_the_same_bytes(
    killed: Path, asked: Path
) -> None:
    kept = kept_responses(killed / "kept")
    snakemake(killed, "--unlock")
    snakemake(killed, "--cores", "1", *TARGETS, environment=THERE)
    expected = digests(asked)
    assert len(expected) >= 20
    assert digests(killed) == expected
    answered = kept_responses(killed / "store" / "responses")
    assert answered == kept_responses(asked / "store" / "responses")
    assert 0 < len(kept) < len(answered)
    assert kept.items() <= answered.items()
