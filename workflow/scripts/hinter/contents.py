"""Whether the files of a study hold what its sheets say, before anything is run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .checks import check_file
from .corpora import prepare_corpus, read_prompt
from .dictionary import build_groups, read_curation, read_posts
from .model_files import check_model, check_tokenizer, check_weights
from .study import Study

SMALL_BYTES = 4_000_000
"""Larger files of texts are checked by the job that reads them."""
POSTS = Path("data/sbic/group_posts.csv")


def check_contents(study: Study, config: Mapping[str, Any], *, schemas: str) -> None:
    """Check dictionary, prompts, small files of texts, and which files models and tokenizers have.

    Only what is there without the run is looked at, and no weights are read. Raises `InputError`.
    """
    _check_dictionary(config, schema=f"{schemas}/dictionary.schema.yaml")
    for _, dataset in study.runs("causal", "endpoint"):
        read_prompt(
            study.datasets[dataset]["prompt"],
            schema=f"{schemas}/prompt.schema.yaml",
            labels=study.label_names(dataset),
        )
    for name in study.models:
        _check_model(study, name, where=f"{config['models_sheet']}, '{name}'")
    for dataset in study.datasets:
        _check_texts(study, dataset, seed=config["seed"])


def _check_dictionary(config: Mapping[str, Any], *, schema: str) -> None:
    curations = [
        read_curation(f"config/dictionary/{attribute}.yaml", schema=schema)
        for attribute in config["attributes"]
    ]
    # SBIC's own files are counted in the run.
    if config["sbic"] is None:
        build_groups(curations, posts=read_posts(POSTS))


def _check_model(study: Study, name: str, *, where: str) -> None:
    sheet, names = study.models[name], _files(study, name)
    if names is None:
        return
    if sheet["kind"] == "endpoint":
        check_tokenizer(names, where=f"{where}, key 'tokenizer'")
    elif sheet.get("gguf"):
        check_file(sheet["gguf"], among=names, where=f"{where}, key 'gguf'")
    else:
        key = "resource" if sheet["resource"] else "folder"
        check_model(names, where=f"{where}, key '{key}'")
        # Those of a resource are known, and loaded as tensors alone.
        if key == "folder":
            check_weights(names, where=f"{where}, key '{key}'")


def _files(study: Study, name: str) -> set[str] | None:
    """Return the names of a model's files, None of a resource that is known only when fetched."""
    folder = Path(study.model_source(name))
    if folder.parent == Path("resources") and folder.name in study.registry:
        files = study.registry[folder.name].get("files")
        return None if files is None else set(files)
    return {path.name for path in folder.glob("*")}


def _check_texts(study: Study, dataset: str, *, seed: int) -> None:
    path, sheet = Path(study.dataset_source(dataset)), study.datasets[dataset]
    if sheet["resource"] is None and path.stat().st_size <= SMALL_BYTES:
        examples = {name: tuple(labels) for name, labels in study.examples(dataset).items()}
        prepare_corpus(path, sheet=sheet, examples=examples, seed=seed)
