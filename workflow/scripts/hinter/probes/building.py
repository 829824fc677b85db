"""The files of a probe: a corpus, its suite, the facts in each prompt, and the hits."""

from collections.abc import Iterator, Sequence
from itertools import chain, starmap
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import CORPUS_SCHEMA, TESTED, text_id, write_rows
from ..database import open_database
from ..errors import InputError
from ..oracle import WRITTEN_SUITE_SCHEMA
from .probe import Answered, BasePrompt, Counterfactual, Probe

PROMPTS_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("original_id", pa.string()),
        ("kinds", pa.list_(pa.string())),
        ("facts", pa.map_(pa.string(), pa.string())),
    ]
)
"""The columns of results/probes/{probe}.parquet: a row per base prompt and per counterfactual."""

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

The columns of verdicts are null for base prompts. Those of exact parsing (`parsed`) are null unless
a judge has labelled the answer.
"""
PARSED = "parsed_status, parsed_outcome"
# `labels` is the right answer to the base prompt.
ANSWERED = """
    SELECT input_id, probe_rows.original_id, attributes, control, kinds, facts, labels,
        given.status, outcome, answer, scores, biased, complete, hidden, {parsed}
    FROM read_parquet('{probe_rows}') AS probe_rows
    JOIN read_parquet('{predictions}') AS given USING (input_id)
    JOIN (SELECT original_id, labels FROM read_parquet('{corpus}')) USING (original_id)
    LEFT JOIN read_parquet('{verdicts}') AS verdicts ON verdicts.mutant_id = input_id
    ORDER BY input_id
"""


def build_probe(
    prompts: Sequence[BasePrompt], *, corpus: Path, suite: Path, probe_rows: Path
) -> None:
    """Write base prompts to `corpus`, counterfactuals to `suite`, and facts to `probe_rows`.

    Corpus and suite have the format of a dataset's, but the suite also has the `text` of each
    mutant and its `kinds`. Raises `InputError` for a prompt that occurs twice.
    """
    by_id = {text_id(prompt.text): prompt for prompt in prompts}
    if len(by_id) < len(prompts):
        raise InputError(
            where="prompts of the probe",
            found=f"{len(prompts)} prompts of which {len(by_id)} are distinct",
            expected="distinct prompts",
            fix="Remove rows and sentences that make the same prompt.",
        )
    write_rows(corpus, starmap(_text, sorted(by_id.items())), CORPUS_SCHEMA)
    asked = [(key, prompt) for key, prompt in by_id.items() if prompt.split == TESTED]
    rows = sorted(chain.from_iterable(starmap(_rows, asked)), key=itemgetter("input_id"))
    write_rows(probe_rows, rows, PROMPTS_SCHEMA)
    mutants = [row for row in rows if row["order"]]
    mutants.sort(key=itemgetter("original_id", "order", "attributes", "mutant_id"))
    write_rows(suite, mutants, WRITTEN_SUITE_SCHEMA)


def _text(original_id: str, prompt: BasePrompt) -> dict[str, Any]:
    return {
        "original_id": original_id,
        "split": prompt.split,
        "tested": prompt.split == TESTED,
        "text": prompt.text,
        "labels": prompt.labels,
    }


def _rows(original_id: str, prompt: BasePrompt) -> Iterator[dict[str, Any]]:
    """Yield the rows of a prompt and of its counterfactuals, with the columns of both files."""
    unchanged = Counterfactual({}, prompt.text, ())
    for each in (unchanged, *prompt.counterfactuals):
        # The changes, in the order of attributes, as the word pairs of a mutant.
        pair_ids = [
            f"{name}:{prompt.facts[name]}>{value}".replace(" ", "_")
            for name, value in sorted(each.changed.items())
        ]
        input_id = "|".join([original_id, *pair_ids])
        yield {
            "input_id": input_id,
            "mutant_id": input_id,
            "original_id": original_id,
            "order": len(pair_ids),
            "attributes": "+".join(pair_id.partition(":")[0] for pair_id in pair_ids),
            "pair_ids": pair_ids,
            "valid": True,
            "control": each.control,
            "text": each.text,
            "kinds": each.kinds,
            "facts": sorted({**prompt.facts, **each.changed}.items()),
        }


def find_hits(
    probe: Probe,
    *,
    probe_rows: Path,
    corpus: Path,
    predictions: Path,
    verdicts: Path,
    hits: Path,
    judged: bool = False,
) -> None:
    """Write what the `probe` finds in each answer of a model to the Parquet `hits`.

    `probe_rows` has the facts in the prompts (`PROMPTS_SCHEMA`). The other files are those of the
    study. If answers are `judged`, the `predictions` have the labels of the judge
    (`JUDGED_SCHEMA`).
    """
    query = ANSWERED.format(
        probe_rows=probe_rows,
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
    return {**row, "finding": finding.name, "hit": finding.hit, "parsed": parsed and parsed.name}
