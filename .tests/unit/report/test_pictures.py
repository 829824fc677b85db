"""The pictures of the page: drawn from their tables, in a browser, and said where there is none."""

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from browser import accept, needs_browser
from hinter.declarations import declared
from hinter.report import Cases
from hinter.report.pictures import PLOTTED, by_columns, read_pictures, read_points
from hinter.tables import read_parts
from hinter.tables.rq4.interaction_terms import open_terms
from reported import HOSTILE, MODEL, Reported

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

NONE = Cases(total=0, hidden=0, prompts=0, pairs={}, originals={}, readings=[], listed=[])


def _missing(tables: dict[str, pd.DataFrame]) -> list[str]:
    pictures = read_pictures(tables, verdicts=[], cases=NONE, pairs={}, seed=1)
    assert not any(picture["data"] for picture in pictures)
    return [picture["missing"] for picture in pictures]


def _table(report: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(report.with_name(f"{name}.csv"), keep_default_na=False)


def _figure(page: "Page", name: str) -> "Locator":
    """Return a picture when it has been drawn."""
    figure = page.locator(f"[data-picture={name}]")
    figure.scroll_into_view_if_needed()
    figure.locator("svg").first.wait_for()
    return figure


def test_pictures_are_drawn_from_tables_that_are_made() -> None:
    assert {*PLOTTED} <= {table.name for table in declared("tables")}


def test_where_there_is_no_number_a_sentence_says_why() -> None:
    rates, shifts, exposure = _missing({})
    assert rates == "No mutant has a verdict, so there is no rate to show."
    assert shifts.startswith("The study has no table of mutants of two attributes, so no shift")
    assert exposure.startswith("The study has no table of mutants of two attributes, so texts")


def test_a_study_in_which_no_text_is_exposed_says_so() -> None:
    row = {"combination": "all", "model": "all", "first": False, "second": False}
    row |= {"intersectional": False, "originals": 4, "n": 4, "exposed": 0}
    assert _missing({"figure10_exposure": pd.DataFrame([row])})[2] == (
        "No mutant exposes a text: all of them are benign."
    )
    assert _missing({"figure10_exposure": pd.DataFrame([row | {"n": 0}])})[2] == (
        "No text has verdicts on mutants of two attributes and of each alone."
    )


def test_columns_hold_each_value_once() -> None:
    rows = [{"a": "x", "b": None}, {"a": "y", "b": 1.5}, {"a": "x", "b": None}]
    columns = by_columns(rows)
    assert columns == {"a": [["x", "y"], [0, 1, 0]], "b": [[None, 1.5], [0, 1, 0]]}
    assert by_columns([]) == {}


@needs_browser
def test_cells_are_the_lines_of_their_table(page: "Page", report: Path) -> None:
    accept(page)
    figure, lines = _figure(page, "groups"), _table(report, "groups_bias")
    cells = figure.locator("g[aria-label=cell]").first.locator("rect")
    assert cells.count() == (lines["source_group"] == "").sum()
    figure.locator("[name=lines]").select_option("gender")
    figure.locator("[name=level]").select_option("atomic")
    wanted = lines[(lines["attributes"] == "gender") & (lines["level"] == "atomic")]
    ((_, line),) = wanted[wanted["source_group"] != ""].iterrows()
    assert cells.count() == 1
    told = f"{line['biased']}/{line['n']}"
    assert figure.locator("g[aria-label=text]").text_content() == told
    cells.hover()
    tip = figure.locator("g[aria-label=tip]")
    tip.locator("text").wait_for()
    assert f"men {HOSTILE}"[:30] in (tip.text_content() or "")
    cells.click()
    page.locator("#count", has_text=f"{line['biased']} of 3 cases").wait_for()


@needs_browser
def test_points_are_mutants_and_one_opens_its_case(page: "Page", report: Path) -> None:
    accept(page)
    figure, table = _figure(page, "shifts"), _table(report, "interactions")
    whole = table[(table["attributes"] == "all") & (table["one_person"] == "all")]
    points = {kind: figure.locator(f".point-{kind} path") for kind in ("biased", "hidden")}
    assert points["hidden"].count() == whole["hidden"].sum() == 1
    assert sum(found.count() for found in points.values()) == whole["scored"].sum() == 2
    page.locator("#list").focus()
    page.keyboard.press("End")
    assert page.locator("#case .strong").count() == 0
    figure.locator(".point-hidden a").click()
    page.locator("#case .strong").wait_for()
    assert page.locator("#case h3").inner_text() == "man → woman, Greek → Thai"


@needs_browser
def test_bars_count_the_exposed_texts(page: "Page", report: Path) -> None:
    accept(page)
    figure, table = _figure(page, "exposure"), _table(report, "figure10_exposure")
    rows = table[(table["combination"] == "all") & (table["model"] == "all")]
    regions = rows[(rows["originals"] > 0) & (rows["share"] != "")]
    assert figure.locator("g[aria-label=bar] rect").count() == len(regions) == 2
    figure.locator("[name=model]").select_option(MODEL)
    assert figure.locator("g[aria-label=bar] rect").count() == 2
    exposed = rows["exposed"].iloc[0]
    assert f"{exposed} of 2 texts are exposed" in figure.locator(".said").inner_text()


@needs_browser
def test_a_picture_is_drawn_when_it_comes_into_sight(page: "Page") -> None:
    accept(page)
    assert page.locator("[data-picture=exposure] svg").count() == 0
    _figure(page, "exposure")


@needs_browser
def test_a_picture_has_a_text_and_leads_to_its_table(page: "Page") -> None:
    accept(page)
    figure = _figure(page, "groups")
    image = figure.get_by_role("img", name="Bias and excess, group by group")
    said = figure.locator(".said").inner_text()
    assert "cells; the largest bias rate is" in said
    assert image.get_attribute("aria-description") == said
    assert not page.locator("#table-groups_bias table").is_visible()
    figure.get_by_role("link", name="The table of these numbers").click()
    page.locator("#table-groups_bias table").wait_for()


@needs_browser
@pytest.mark.parametrize(("scheme", "lightness"), [("light", (0, 90)), ("dark", (180, 255))])
def test_labels_are_dark_on_light_and_light_on_dark(
    page: "Page", scheme: str, lightness: tuple[int, int]
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    accept(page)
    label = _figure(page, "groups").locator("g[aria-label=text] text").first
    colour = label.evaluate("each => getComputedStyle(each).fill")
    parts = [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    assert lightness[0] <= sum(parts) / 3 <= lightness[1]


@needs_browser
def test_all_pictures_are_printed(page: "Page") -> None:
    accept(page)
    assert page.locator("[data-picture] svg").count() < 4
    page.emulate_media(media="print", color_scheme="dark")
    assert page.pdf().startswith(b"%PDF")
    page.wait_for_function("document.querySelectorAll('[data-picture] svg').length === 4")
    assert not page.locator(".choices").first.is_visible()
    paper = page.locator(".picture").first.evaluate("each => getComputedStyle(each).colorScheme")
    assert paper == "light"


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
    scored = [(point["joint"], point["summed"]) for point in _points(study)]
    assert sorted(scored) == sorted((joint / 100, added / 100) for joint, added in terms)
    assert (-2.5, 0.0) in scored


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
