"""The small study, against a reading of its files without the library."""

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
from recompute import TABLES, recompute, settings_of
from recomputed_verdicts import JUDGED, Tally, check_texts
from runs import copy_finished


def _recomputed(results: Path) -> Tally:
    settings = settings_of(results)
    tally = recompute(results, settings)
    check_texts(results, settings, tally)
    return tally


def test_texts_verdicts_and_tables_are_what_the_raw_files_come_to(study: Path) -> None:
    tally = _recomputed(study / "results")
    assert tally.wrong == []
    assert all(tally.compared[name] > 40 for name in TABLES)
    assert {tally.compared[name] for name in JUDGED} == {174}
    assert min(tally.compared[name] for name in ("ids", "texts", "parts")) > 2000
    assert tally.compared["counts"] > 100
    assert tally.compared["inputs"] == 2


def test_a_changed_text_and_a_changed_number_are_found(study: Path, tmp_path: Path) -> None:
    parts = ("store", "resources", "models", "logs", "workflow", "figures", "data")
    results = copy_finished(study, tmp_path / "study", *parts) / "results"
    path = results / "mutants" / "imdb.parquet"
    mutants = pq.read_table(path)
    rows = mutants.to_pylist()
    rows[0]["edits"][0]["start"] += 1
    pq.write_table(type(mutants).from_pylist(rows, schema=mutants.schema), path)
    rates = pd.read_csv(results / "tables" / "table2_bias_rates.csv")
    rates.loc[0, "n"] += 1
    rates.to_csv(results / "tables" / "table2_bias_rates.csv", index=False)
    number, text = _recomputed(results).wrong
    assert number.startswith("table2_bias_rates, ('minilm', 'imdb', 2, 'n'): printed 11, found 10")
    assert text.startswith(f"texts, {rows[0]['mutant_id']}: ")
