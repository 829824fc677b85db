"""Terms of interaction: they depend on no division of the work, nor on the order of rows."""

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hinter.tables.rq4 import interaction_terms
from hinter.tables.rq4.interaction_terms import open_terms
from scored_studies import ScoredStudy

TERMS = "FROM terms ORDER BY ALL"


def _terms(study: ScoredStudy) -> list[pd.DataFrame]:
    parts = zip(study.verdicts, study.predictions, strict=True)
    return [open_terms(*part).execute(TERMS).df() for part in parts]


def test_terms_depend_on_no_blocks_and_no_order_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = ScoredStudy(tmp_path, seed=1, top=3)
    whole = _terms(study)
    assert [len(terms) > 100 for terms in whole] == [True] * 4
    for _, _, path in [*study.verdicts, *study.predictions]:
        table = pq.read_table(path)
        pq.write_table(table.take(list(range(len(table)))[::-1]), path)
    for size in (10**6, 300, 1):
        monkeypatch.setattr(interaction_terms, "PARTS_AT_ONCE", size)
        for found, expected in zip(_terms(study), whole, strict=True):
            pd.testing.assert_frame_equal(found, expected)


def test_a_mutant_without_verdicts_has_no_terms(tmp_path: Path) -> None:
    study = ScoredStudy(tmp_path, seed=1)
    _, _, path = study.verdicts[0]
    pq.write_table(pq.read_table(path)[:0], path)
    assert _terms(study)[0].empty
