"""Check before a run that the files of a study contain what its sheets say."""

from pathlib import Path

from .config import JudgeSheet, PromptSheet, RelationsSheet, read_sheet
from .corpora import check_judge_prompt, check_prompt, fault_of_examples, prepare_corpus
from .dictionary import build_groups, read_own_pairs, read_posts
from .job import warn
from .locations import files_at, locate
from .model_files import check_model, check_tokenizer, check_weights, check_whole
from .paired_sheets import read_paired
from .study import Study, check_file

SMALL_BYTES = 4_000_000
"""Larger files of texts are checked by the job that reads them."""


def check_contents(study: Study) -> None:
    """Check the dictionary, prompts, probes, small texts, and the files of models and tokenizers.

    Only files that exist before the run are checked, and weights only for completeness. Raises
    `InputError`. If a dataset lacks the examples of its prompt, it only does so if the study has
    no encoder, which would not need them.
    """
    _check_dictionary(study)
    for name, dataset in study.prompted_runs():
        path, labels = study.prompt(dataset, name), study.task(dataset)["labels"]
        check_prompt(read_sheet(path, PromptSheet).model_dump(), path=path, labels=labels)
    for name in study.all_models:
        with study.noting(name):
            _check_model(study, name, where=f"{study.config.models_sheet}, '{name}'")
    for dataset in study.all_datasets:
        _check_texts(study, dataset)
    for probe in study.probes:
        # This imports the clients of endpoints, which planning does not need otherwise.
        from .probes import import_probe

        import_probe(probe).read_settings(study.probes[probe], name=probe)
    for _, probe in study.judge_runs():
        path, labels = locate(study.judge.prompt), study.task(probe)["labels"]
        check_judge_prompt(read_sheet(path, JudgeSheet), path=path, labels=labels)
    if study.metrics:
        _check_relations(study)


def _check_dictionary(study: Study) -> None:
    attributes = study.config.attributes
    if study.config.ablation.pairs:
        read_own_pairs(Path(study.config.ablation.pairs), attributes=attributes)
    paired = read_paired(
        study.config.mutation.operators,
        sheets=study.curations(),
        persons=study.persons(),
        own=study.config.pairs,
        attributes=attributes,
        merged=study.config.merged,
        own_groups=study.own_groups,
    )
    # If SBIC's own files are given, they are counted during the run.
    if study.config.sbic is None:
        for curations in paired.values():
            build_groups(curations, posts=read_posts(Path(study.group_posts())))


def _check_model(study: Study, name: str, *, where: str) -> None:
    sheet, names = study.all_models[name], _files(study, name)
    # Answers and modules are read by the jobs that use them.
    if names is None or not sheet.holds or sheet.get("tokenizer", "") is None:
        return
    if study.resource_of(name) is None:
        check_whole(Path(study.model_source(name)))
    key, gguf = sheet.source(study.registry).key, sheet.get("gguf")
    if sheet.holds == "tokenizer":
        check_tokenizer(names, where=f"{where}, key '{key}'")
    elif gguf:
        check_file(gguf, among=names, where=f"{where}, key 'gguf'")
    else:
        check_model(names, where=f"{where}, key '{key}'")
        # The weights of a resource are known, and are loaded as tensors only.
        if key == "folder":
            check_weights(names, where=f"{where}, key '{key}'")


def _files(study: Study, name: str) -> set[str] | None:
    """Return the names of a model's files, or None for a resource whose files are not listed."""
    resource = study.resource_of(name)
    if resource is not None:
        files = study.registry[resource].files
        return None if files is None else set(files)
    return {path.name for path in Path(study.model_source(name)).glob("*")}


def _check_relations(study: Study) -> None:
    # As above.
    from .relations import check_articles, sample_sources

    path, settings = locate(study.config.relations.prompts), study.config.relations
    sheet = read_sheet(path, RelationsSheet)
    check_articles(sheet, path=path)
    sample_sources(sheet, size=settings.sources, seed=study.config.seed, path=path)


def _check_texts(study: Study, dataset: str) -> None:
    path, sheet = Path(study.dataset_source(dataset)), study.all_datasets[dataset]
    size = sum(Path(file).stat().st_size for file in files_at(str(path)))
    if sheet.resource is None and size <= SMALL_BYTES:
        examples = {name: tuple(labels) for name, labels in study.examples(dataset).items()}
        seed = study.config.seed
        table, _ = prepare_corpus(path, sheet=sheet.model_dump(), examples=examples, seed=seed)
        fault = fault_of_examples(table.schema)
        if fault and not study.runs("encoder"):
            raise fault
        if fault:
            warn("%s Prompted models cannot be run on '%s'.", fault, dataset)
