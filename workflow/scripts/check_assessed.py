"""Check the annotated mutants by every comparator."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.assessments import (
    OF_ASSESSED,
    assessed_about,
    check_assessed,
    read_answers,
    read_assessed,
    read_blind,
    with_people,
)
from hinter.invariant import Comparator, Invariant
from hinter.job import run_job


def main(
    *,
    assessments: str,
    blind: str,
    answers: Sequence[str],
    parser: str,
    operators: Sequence[str],
    invariant: dict[str, Any],
    store: str,
    assessed: str,
) -> None:
    """Write each mutant's annotation and each comparator's check to the Parquet `assessed`.

    The file `blind` adds described mutants that two annotators read in texts new to everybody.

    Where people annotated mutants that are evidence on the study's `operators`, their `answers`
    replace the annotations of language models. Answers on a form or on cases are left to tables.
    """
    mutants = read_assessed(Path(assessments))
    asked = {mutant.mutant_id for mutant in assessed_about(mutants, operators=operators)}
    annotators = read_answers(OF_ASSESSED, [Path(path) for path in answers], known=asked)
    fresh = read_blind(Path(blind), assessed=mutants)
    mutants = with_people(mutants, annotators, operators=operators)
    check = Invariant.of_sheet(invariant, parser=Path(parser), store=Path(store))
    table = check_assessed(
        mutants, invariants=[check.with_comparator(comparator) for comparator in Comparator]
    )
    metadata = {"parser": check.parser.fingerprint}
    table = pa.concat_tables([table, fresh])
    pq.write_table(table.replace_schema_metadata(metadata), assessed, compression="zstd")


if __name__ == "__main__":
    run_job(main, snakemake)
