"""Follow-ups as files: a corpus of what they are compared with, and a suite."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import rewrite_prompts
from hinter.corpora import CORPUS_SCHEMA, text_id
from hinter.errors import InputError
from hinter.oracle import WRITTEN_SUITE_SCHEMA
from hinter.relations import FOLLOW_UPS_SCHEMA
from prompted import SHEET, small_sheet, write_sheet

Rows = list[dict[str, object]]


def _written(folder: Path, prompts: Path, *, sources: int) -> list[Path]:
    names = ("corpus.parquet", "suite.parquet", "follow_ups.parquet", "counts.csv")
    paths = {name.partition(".")[0]: str(folder / name) for name in names}
    rewrite_prompts.main(prompts=str(prompts), sources=sources, seed=3, **paths)
    return [folder / name for name in names]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The corpus, the suite, what it is made of and the counts of 24 sources of the study."""
    return _written(tmp_path_factory.mktemp("relations"), SHEET, sources=24)


@pytest.fixture(scope="module")
def rows(files: list[Path]) -> Rows:
    """The rows of the suite, with what they are made of."""
    suite, follow_ups = (pq.read_table(path).to_pylist() for path in files[1:3])
    assert [row["mutant_id"] for row in suite] == [row["mutant_id"] for row in follow_ups]
    return [{**row, **told} for row, told in zip(suite, follow_ups, strict=True)]


def test_files_have_the_forms_of_a_corpus_and_of_a_suite(files: list[Path], rows: Rows) -> None:
    corpus, suite, follow_ups = map(pq.read_table, files[:3])
    assert corpus.schema.equals(CORPUS_SCHEMA) and suite.schema.equals(WRITTEN_SUITE_SCHEMA)
    assert follow_ups.schema.equals(FOLLOW_UPS_SCHEMA)
    texts = dict(zip(*map(corpus.__getitem__, ("original_id", "text")), strict=True))
    assert {str(key): text_id(str(text)) for key, text in texts.items()} == {
        str(key): str(key) for key in texts
    }
    assert all(row["kinds"] == [row["relation"]] and row["valid"] for row in rows)
    counts = f"sources,prompts,follow_ups\n24,{len(texts)},{len(rows)}\n"
    assert files[3].read_text(encoding="utf-8") == counts


def test_every_follow_up_has_its_original_and_its_source_in_the_corpus(
    files: list[Path], rows: Rows
) -> None:
    known = set(pq.read_table(files[0])["original_id"].to_pylist())
    assert {row["original_id"] for row in rows} | {row["source_id"] for row in rows} == known
    ids = [str(row["mutant_id"]) for row in rows]
    assert ids == sorted(set(ids))


def test_additions_are_compared_with_the_prompt_without_attributes(rows: Rows) -> None:
    for row in rows:
        added = row["family"] == "addition"
        assert (row["original_id"] != row["source_id"]) == added
        assert added == all(":>" in pair for pair in row["pair_ids"]) or not row["pair_ids"]


def test_pairs_name_the_values_that_are_changed_and_no_others(rows: Rows) -> None:
    orders: dict[str, set[bool]] = {}
    for row in rows:
        assert row["order"] == len(row["pair_ids"])
        assert row["attributes"] == "+".join(pair.split(":")[0] for pair in row["pair_ids"])
        whole = row["attributes"] == row["source_attributes"]
        orders.setdefault(str(row["relation"]), set()).add(whole)
    assert {name for name, whole in orders.items() if whole == {True}} == {
        *("MR3.1", "MR3.2", "MR4", "MR8", "MR17")
    }
    kept = {row["relation"] for row in rows if row["order"] == 0}
    assert kept == {"MR9", "MR10", "MR11", "MR12", "MR13", "MR14", "MR15"}


def test_no_follow_up_is_the_text_that_it_is_compared_with(rows: Rows) -> None:
    assert [row["text"] for row in rows if text_id(str(row["text"])) == row["original_id"]] == []


def test_files_are_the_same_each_time(files: list[Path], tmp_path: Path) -> None:
    again = _written(tmp_path, SHEET, sources=24)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in files]


def test_templates_that_say_the_same_are_refused(tmp_path: Path) -> None:
    sheet = small_sheet()
    sheet["templates"]["honor"] = sheet["templates"]["praise"]
    with pytest.raises(
        InputError, match=r"templates '\w+', '\w+': found 'Who praised .* from both"
    ):
        _written(tmp_path, write_sheet(tmp_path, sheet), sources=8)
