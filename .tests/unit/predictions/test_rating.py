"""Answers rated by a classifier."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq
from hinter.models import ParsedAnswer, Status, Window
from hinter.predictions import PREDICTIONS_SCHEMA, write_ratings
from hinter.responses import ResponseStore
from result_files import Row, write_rows


class Mood:
    """A classifier that calls an answer happy if it says so, and sees its first 20 characters."""

    fingerprint = "mood"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def windows(self, texts: Sequence[str]) -> list[Window]:
        return [Window(min(20, len(text)), text[:20]) for text in texts]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        self.asked += texts
        yield [(number, text[:20]) for number, text in enumerate(texts)]

    def read(self, response: str) -> ParsedAnswer:
        label = "happy" if "happy" in response else "sad"
        return ParsedAnswer(Status.OK, (label,), None, {"happy": 1.0, "sad": -1.0})


def _answer(input_id: str, answer: str | None, status: str = "ok") -> Row:
    return {
        "input_id": input_id,
        "outcome": [] if status == "ok" else None,
        "status": status,
        "answer": answer,
        "scores": None,
        "visible_order": input_id.count("|"),
        "input_hash": input_id,
    }


def test_given_answers_are_rated_once_and_others_keep_their_status(tmp_path: Path) -> None:
    answers = [
        _answer("a", "I am happy."),
        _answer("a|MR4", "I am not."),
        _answer("a|MR5", "I am happy."),
        _answer("b", "I cannot say.", "refused"),
        _answer("b|MR4", "", "unparsed"),
        _answer("b|MR5", None, "identical"),
    ]
    path, mood = tmp_path / "ratings.parquet", Mood()
    store = ResponseStore(tmp_path / "store", fingerprint=mood.fingerprint)
    given = write_rows(tmp_path / "answers.parquet", answers, PREDICTIONS_SCHEMA)
    write_ratings(mood, answers=given, store=store, path=path)
    assert sorted(mood.asked) == ["I am happy.", "I am not."]
    rows = pq.read_table(path).to_pylist()
    assert [(row["status"], row["outcome"]) for row in rows] == [
        *(("ok", ["happy"]), ("ok", ["sad"]), ("ok", ["happy"])),
        *(("refused", None), ("unparsed", None), ("identical", None)),
    ]
    assert [row["answer"] for row in rows] == [row["answer"] for row in answers]
    assert dict(rows[0]["scores"]) == {"happy": 1.0, "sad": -1.0} and rows[3]["scores"] is None
    write_ratings(mood, answers=given, store=store, path=path)
    assert len(mood.asked) == 2
