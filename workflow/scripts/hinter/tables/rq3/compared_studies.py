"""Studies compared with this one: their files, and how they differ in more than the method."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from ...compared import THIS_STUDY, compared_files, how_to_make
from ...errors import InputError
from ..table import RESULT_FILES, Inputs, Results, open_results, read_input

SETTINGS = ["attributes", "invariant", "orders", "outcome_statuses", "sample", "seed", "suite"]
"""Keys of the configuration that affect numbers, other than the method, `mutation`."""

TEXTS = """
    SELECT dataset, md5(concat(count(*), ':', bit_xor(md5_number(original_id)))) AS digest
    FROM corpora WHERE tested GROUP BY ALL ORDER BY ALL
"""
# Ids of mutants contain the character that joins their pairs; ids of texts do not.
ANSWERS = """
    SELECT model, dataset, count(*) AS texts, count_if(
        own.input_hash <> other.input_hash OR own.status <> other.status
        OR own.outcome IS DISTINCT FROM other.outcome
    ) AS changed
    FROM own JOIN other USING (model, dataset, input_id)
    WHERE NOT contains(input_id, '|') GROUP BY ALL HAVING changed > 0 ORDER BY ALL
"""


def read_studies(given: Inputs) -> dict[str, Inputs]:
    """Return the inputs of tables for each compared study by its name, and for this one, last.

    Raises `InputError` if a study has other tested texts than this one (`given`).
    """
    studies = {name: _read(folder, given) for name, folder in given["compared"].items()}
    texts = _digests(given["corpora"])
    for name, study in studies.items():
        for dataset, digest in _digests(study["corpora"]).items():
            if digest != texts[dataset]:
                folder = given["compared"][name]
                raise InputError(
                    where=f"the tested texts of '{dataset}' in {folder}",
                    found="other texts than those of this study",
                    expected="the same",
                    fix=f"Give both the same seed and dataset entry. {how_to_make(folder)}",
                )
    return {**studies, THIS_STUDY: given}


def describe_differences(studies: Mapping[str, Inputs]) -> list[str]:
    """Return a sentence for each difference between this study and another, except the method.

    These are settings, and models that answer differently on texts that are in both.
    """
    own = studies[THIS_STUDY]
    return [
        difference
        for name, study in studies.items()
        if study is not own
        for difference in (*_settings(name, study, own=own), *_answers(name, study, own=own))
    ]


def _read(folder: str, given: Inputs) -> Inputs:
    """Return the inputs of tables for the study in `folder`, with the runs of this one."""
    files = compared_files(
        folder,
        datasets=[dataset for _, dataset, _ in given["corpora"]],
        runs=[(model, dataset) for model, dataset, _ in given["predictions"]],
    )
    (config,) = files.pop("config")
    read = {
        name: read_input(name, paths if name in RESULT_FILES else paths[0])
        for name, paths in files.items()
    }
    return {**json.loads(Path(config).read_text(encoding="utf-8")), **read}


def _digests(corpora: Results) -> dict[str, str]:
    """Return a digest of the tested texts of each dataset, which does not depend on their order."""
    return dict(open_results(corpora=corpora).execute(TEXTS).fetchall())


def _settings(name: str, study: Inputs, *, own: Inputs) -> Iterator[str]:
    """Yield a sentence for each setting in which a study differs from this one."""
    theirs, ours = (
        pd.json_normalize({key: given[key] for key in SETTINGS}).to_dict("records")[0]
        for given in (study, own)
    )
    for key in {**theirs, **ours}:
        there, here = (json.dumps(values.get(key)) for values in (theirs, ours))
        if there != here:
            yield f"The study '{name}' also differs in {key}: {there} there, {here} here."


def _answers(name: str, study: Inputs, *, own: Inputs) -> Iterator[str]:
    """Yield a sentence for each model that differs between a study and this one."""
    both = open_results(own=own["predictions"], other=study["predictions"])
    for model, dataset, texts, changed in both.execute(ANSWERS).fetchall():
        yield (
            f"The model '{model}' of the study '{name}' is another model or is asked differently: "
            f"it differs on {changed} of the {texts} texts of '{dataset}' that are in both."
        )
