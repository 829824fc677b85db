"""The disk space of a study: what is kept of its models' inputs, with scores and without."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.models.labelled import labelled_response, read_labelled
from hinter.predictions import PREDICTIONS_SCHEMA, tabulate_disk

INPUTS = 4000


def _megabytes(*, inputs: int, scores: int) -> dict[str, float]:
    table = tabulate_disk(
        resources={}, models={}, corpora=[], mutants=[], inputs=inputs, scores=scores
    )
    return dict(zip(table["what"], table["megabytes"], strict=True))


@pytest.mark.parametrize("labels", [10, 100])
def test_scores_take_no_more_than_is_planned(labels: int, tmp_path: Path) -> None:
    """Mutants of 200 originals, which shift each score a little."""
    draw = np.random.default_rng(1)
    odds = np.repeat(draw.normal(-6, 2, (INPUTS // 20, labels)), 20, axis=0)
    odds += draw.normal(0, 0.2, odds.shape)
    names = [f"label {number:03}" for number in range(labels)]
    taken = 0
    for kept in (True, False):
        responses = [labelled_response(["label 001"], row if kept else None) for row in odds]
        parsed_answers = [read_labelled(response, labels=names) for response in responses]
        rows = [
            {"input_id": f"{n}", "scores": parsed.scores} for n, parsed in enumerate(parsed_answers)
        ]
        path = tmp_path / f"{kept}.parquet"
        pq.write_table(
            pa.Table.from_pylist(rows, schema=PREDICTIONS_SCHEMA), path, compression="zstd"
        )
        size = 2 * path.stat().st_size + sum(map(len, responses))
        taken += size if kept else -size
    planned = _megabytes(inputs=0, scores=INPUTS * labels)
    assert 0.5 * planned["scores of labels"] < taken / 1e6 <= 1.1 * planned["scores of labels"]
    assert planned["inputs of models"] == 0
