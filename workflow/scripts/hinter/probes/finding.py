"""What the answers to a probe's prompts show: results/hits/{model}/{probe}.parquet."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..database import open_database
from .probe import Answered, Probe

HITS_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("original_id", pa.string()),
        ("attributes", pa.string()),
        ("control", pa.bool_()),
        ("kinds", pa.list_(pa.string())),
        ("facts", pa.map_(pa.string(), pa.string())),
        ("labels", pa.list_(pa.string())),
        ("status", pa.string()),
        ("outcome", pa.list_(pa.string())),
        ("answer", pa.string()),
        ("scores", pa.map_(pa.string(), pa.float32())),
        ("biased", pa.bool_()),
        ("complete", pa.bool_()),
        ("hidden", pa.bool_()),
        ("finding", pa.string()),
        ("hit", pa.bool_()),
        ("parsed", pa.string()),
    ]
)
"""The columns of results/hits.

Those of verdicts are null for base prompts, and `parsed` (what exact parsing finds) is null for
answers that no judge has read.
"""

PARSED = "parsed_status, parsed_outcome"

# Labels are the right answer to the base prompt.
ANSWERED = """
    SELECT input_id, told.original_id, attributes, control, kinds, facts, labels,
        given.status, outcome, answer, scores, biased, complete, hidden, {parsed}
    FROM read_parquet('{told}') AS told
    JOIN read_parquet('{predictions}') AS given USING (input_id)
    JOIN (SELECT original_id, labels FROM read_parquet('{corpus}')) USING (original_id)
    LEFT JOIN read_parquet('{verdicts}') AS verdicts ON verdicts.mutant_id = input_id
    ORDER BY input_id
"""


def find_hits(
    probe: Probe,
    *,
    told: Path,
    corpus: Path,
    predictions: Path,
    verdicts: Path,
    hits: Path,
    judged: bool = False,
) -> None:
    """Write what the `probe` finds in each answer of a model to the Parquet `hits`.

    `told` is what the prompts tell (`PROMPTS_SCHEMA`), the other files are those of the study;
    where answers are `judged`, their `predictions` are as the judge reads them (`JUDGED_SCHEMA`).
    """
    query = ANSWERED.format(
        told=told,
        corpus=corpus,
        predictions=predictions,
        verdicts=verdicts,
        parsed=PARSED if judged else "NULL AS parsed_status, NULL AS parsed_outcome",
    )
    rows = open_database().sql(query).to_arrow_table().to_pylist(maps_as_pydicts="strict")
    table = pa.Table.from_pylist([_found(row, probe=probe) for row in rows], schema=HITS_SCHEMA)
    pq.write_table(table, hits, compression="zstd")


def _found(row: dict[str, Any], *, probe: Probe) -> dict[str, Any]:
    parsed_status, parsed_outcome = row.pop("parsed_status"), row.pop("parsed_outcome")
    answered = Answered(
        row["facts"],
        tuple(row["kinds"]),
        row["status"],
        row["outcome"] and tuple(row["outcome"]),
        row["answer"],
        row["biased"],
        judged=parsed_status is not None,
    )
    finding, parsed = probe.find(answered), None
    if answered.judged:
        outcome = parsed_outcome and tuple(parsed_outcome)
        parsed = probe.find(answered._replace(status=parsed_status, outcome=outcome, judged=False))
    return {
        **row,
        "finding": finding.name,
        "hit": finding.hit,
        "parsed": parsed and parsed.name,
    }
