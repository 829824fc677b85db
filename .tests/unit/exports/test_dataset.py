"""A dataset: its parts as the card has them, and texts only where they may be passed on."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from exported import Exported
from exports import digests_of, parts_by_card, sentences_in
from hinter.exports import rebuilt_texts


@pytest.mark.parametrize("redistribute", [False, True])
def test_the_card_finds_and_describes_what_the_study_has(
    exported: Exported, redistribute: bool
) -> None:
    parts = parts_by_card(exported.dataset(redistribute=redistribute))
    assert {row["input_id"] for row in parts["suite"]} == set(exported.texts)
    texts = {row["input_id"]: row["text"] for row in parts["suite"]}
    assert texts == (exported.texts if redistribute else dict.fromkeys(exported.texts))
    assert len(parts["verdicts"]) == 9
    assert {row["mutant_id"]: row["hidden"] for row in parts["cases"]} == {
        "both|gender:man>woman|race:Greek>Thai": True,
        "last|gender:man>woman": None,
        "last|gender:man>woman|race:Greek>Thai": False,
    }
    # The study has made neither.
    assert {row["tolerant"] for row in parts["cases"]} == {None}
    assert {row["sufficient_edits"] for row in parts["cases"]} == {None}


def test_no_sentence_stands_in_a_closed_dataset_and_all_texts_can_be_rebuilt(
    exported: Exported, tmp_path: Path
) -> None:
    folder = exported.dataset(redistribute=False)
    assert sentences_in(folder, list(exported.texts.values())) == []
    corpora = tmp_path / "corpora"
    corpora.mkdir()
    pq.write_table(pq.read_table(tmp_path / "corpus.parquet"), corpora / "notes.parquet")
    rebuilt = {key: text for _, key, text in rebuilt_texts(folder, corpora=corpora)}
    assert rebuilt == exported.texts


def test_the_same_study_gives_the_same_bytes(exported: Exported) -> None:
    first = digests_of(exported.dataset(redistribute=True))
    assert digests_of(exported.dataset(redistribute=True)) == first
