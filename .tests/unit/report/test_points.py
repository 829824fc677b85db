"""Mutants of two attributes by their shift and by the shifts of their parts."""

from pathlib import Path

import pytest
from hinter.report.points import read_points
from hinter.tables import read_parts
from hinter.tables.rq4.interaction_terms import open_terms
from reported import Reported


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    return Reported(tmp_path_factory.mktemp("study"))


def _points(study: Reported, most: int = 9) -> list[dict[str, object]]:
    verdicts = read_parts(study.files["verdicts"])
    return read_points(verdicts, cases=study.cases(), pairs=study.pairs, seed=1, most=most)


def test_points_have_the_terms_that_the_table_of_interactions_counts(study: Reported) -> None:
    (verdicts,), (predictions,) = (
        read_parts(study.files[name]) for name in ("verdicts", "predictions")
    )
    terms = open_terms(verdicts, predictions).sql("SELECT joint, additive FROM terms").fetchall()
    drawn = [(point["joint"], point["summed"]) for point in _points(study)]
    assert sorted(drawn) == sorted((joint / 100, added / 100) for joint, added in terms)
    assert (-2.5, 0.0) in drawn


def test_a_point_is_its_case(study: Reported) -> None:
    points, cases = _points(study), study.cases()
    assert [point["kind"] for point in points] == ["biased", "hidden"]
    numbers = [point["case"] for point in points]
    assert [cases.listed[int(str(number))]["hidden"] for number in numbers] == [False, True]
    assert points[1]["replaced"] == ["gender: man → woman", "race: Greek → Thai"]


def test_of_many_hidden_ones_are_drawn_first(study: Reported) -> None:
    assert [point["kind"] for point in _points(study, most=1)] == ["hidden"]


def test_a_model_without_scores_has_no_points(study: Reported, tmp_path: Path) -> None:
    import duckdb

    place = tmp_path / "m" / "d.parquet"
    place.parent.mkdir()
    (verdicts,) = study.files["verdicts"]
    shiftless = f"FROM read_parquet('{verdicts}') SELECT * REPLACE (NULL::FLOAT AS shift)"
    duckdb.sql(f"COPY ({shiftless}) TO '{place}'")
    assert not read_points(read_parts([str(place)]), cases=study.cases(), pairs=study.pairs, seed=1)
