"""Write the results of a study as records of Every Eval Ever."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from hinter.config import PromptSheet, read_sheet
from hinter.exports import (
    Evaluated,
    Evaluation,
    RecordSchemas,
    Studied,
    record_time,
    write_evaluation,
)
from hinter.job import run_job
from hinter.provenance import run_times
from hinter.tables import read_parts, read_table
from hinter.yaml_files import read_yaml

NO_EXCESS = ["model", "dataset", "attributes"]


def main(
    *,
    verdicts: Sequence[str],
    predictions: Sequence[str],
    corpora: Sequence[str],
    accuracy: str,
    provenance: str,
    citation: str,
    schemas: str,
    prompts: Mapping[str, str],
    studied: Mapping[str, Any],
    seed: int,
    epoch: str | None,
    folder: str,
    excess: str | None = None,
) -> None:
    """Write a record of each model and dataset into `folder`.

    `prompts` has the sheet of each run with a prompt by `model/dataset`, `studied` the fields of
    `Studied` but the citation, and `epoch` the value of SOURCE_DATE_EPOCH, if it is set.
    """
    _, ended = run_times(Path(provenance).read_text(encoding="utf-8"))
    study = Evaluation(
        studied=Studied(citation=read_yaml(citation), **studied),
        schemas=RecordSchemas(Path(schemas)),
        time=record_time(ended, epoch=epoch),
        accuracy=read_table(accuracy),
        excess=read_table(excess) if excess else pd.DataFrame(columns=NO_EXCESS),
        seed=seed,
    )
    corpus_of = {Path(path).stem: Path(path) for path in corpora}
    answers = {(model, dataset): path for model, dataset, path in read_parts(predictions)}
    for model, dataset, path in read_parts(verdicts):
        prompt = prompts.get(f"{model}/{dataset}")
        run = Evaluated(
            model=model,
            dataset=dataset,
            verdicts=path,
            predictions=answers[model, dataset],
            corpus=corpus_of[dataset],
            prompt=read_sheet(prompt, PromptSheet).model_dump() if prompt else None,
        )
        write_evaluation(run, study, folder=Path(folder))


if __name__ == "__main__":
    run_job(main, snakemake)
