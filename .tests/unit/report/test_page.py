"""The page as its readers have it: in a browser, from disk, and with hostile texts."""

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pandas as pd
import pytest
from browser import accept, leave, needs_browser
from hinter.assessments import OF_CASES, Assessment, read_answers
from hinter.dictionary.curation import UNDESCRIBED
from hinter.report.page import read_libraries
from judged import GENDER, RACE
from reported import BAD, HOSTILE, MODEL, PAGE, TEXTS, Reported
from tries import alike

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HIDDEN = f"both|{GENDER}|{RACE}"
# Colours are drawn over one another, as they may be given in any notation and be translucent.
LUMINANCE = """([place, kind]) => {
  const brush = document.createElement("canvas").getContext("2d"), grounds = [];
  const paint = colour => {
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
  };
  for (let at = document.querySelector(place); at; at = at.parentElement) {
    grounds.unshift(getComputedStyle(at).backgroundColor);
  }
  grounds.forEach(paint);
  if (kind === "color") {
    paint(getComputedStyle(document.querySelector(place)).color);
  }
  return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


def _rows(page: "Page") -> list[str]:
    return page.locator("#rows [role=option]").all_inner_texts()


def test_the_same_study_gives_the_same_page(tmp_path: Path, report: Path) -> None:
    again = Reported(tmp_path).page(tmp_path / "report.html")
    assert again.read_bytes() == report.read_bytes()


def test_data_cannot_end_the_script_that_holds_them(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    # Two hold data; the others are the page's own two and the libraries.
    assert text.count("</script>") == text.count("<script") == 6
    (data,) = re.findall(r'id="cases-data">(.*)</script>', text)
    (sampled,) = re.findall(r'id="pictures-data">(.*)</script>', text)
    assert "<" not in data + sampled
    (passage,) = json.loads(data)["originals"]["d"]["both"]["passages"]
    assert passage == [0, TEXTS["both"]]


@needs_browser
def test_the_first_screen_tells_what_was_found(page: "Page") -> None:
    summary = page.locator("#summary").inner_text()
    assert "Is anybody treated worse" in summary
    assert f"{MODEL} on d: {HOSTILE}" in summary
    assert "Of 2 mutants of two attributes, 1 showed hidden bias; of as many controls" in summary
    assert "The difference may be chance (q = 0.5)." in summary


@needs_browser
def test_the_first_screen_tells_what_it_took_and_where_the_data_are(page: "Page") -> None:
    took = page.locator("#took").inner_text()
    assert "1 h 1 min in 3 measured jobs" in took
    assert "longest predict_suite with 1 h 1 min" in took
    assert "3 calls answered" in took
    assert "1,500 tokens asked, 50 said" in took
    assert "$0.0035" in took
    page.locator("#cost summary").first.click()
    assert page.locator("#cost tbody tr").all_inner_texts()[:2] == [
        "predict_suite\t2\t1 h 1 min\t900",
        "match_controls\t1\t0 s\t–",
    ]
    page.locator("#took").get_by_role("link", name="what is where").click()
    assert page.url.endswith("#data")


@needs_browser
def test_offensive_words_are_shown_once_the_notice_is_accepted(page: "Page", report: Path) -> None:
    assert not page.locator("#shown").is_visible()
    accept(page)
    assert not page.locator("#notice").is_visible()
    assert page.locator("#case h3").inner_text() == "man → woman, Greek → Thai"
    leave(page)
    page.goto(report.as_uri())
    assert page.locator("#case h3").is_visible()


@needs_browser
def test_a_case_shows_its_lattice_and_its_control_as_texts(page: "Page") -> None:
    accept(page)
    parts = page.locator("#case .part")
    assert [title.split(":")[0] for title in parts.locator("h4").all_inner_texts()] == [
        *("Original", "Only gender", "Only race", "Mutant, all together", "Control")
    ]
    marked = [parts.nth(i).locator(".snippet mark").all_inner_texts() for i in range(5)]
    assert marked == [
        ["man", "man", "Greek"],
        *(["woman", "woman"], ["Thai"], ["woman", "woman", "Thai"]),
        ["movie", "woman", "woman"],
    ]
    assert BAD in parts.nth(3).inner_text()
    assert "unchanged" in parts.nth(4).inner_text()
    parts.nth(3).locator("summary").click()
    mutant = TEXTS["both"].replace("man", "woman").replace("Greek", "Thai")
    assert parts.nth(3).locator("details .text").inner_text() == mutant


@needs_browser
def test_a_descriptor_is_named_with_the_person_that_it_describes(
    browser: "Browser", tmp_path: Path
) -> None:
    study = Reported(tmp_path)
    pairs = pd.read_csv(tmp_path / "pairs.csv")
    pairs.loc[pairs["attribute"] == "race", "source_group"] = UNDESCRIBED
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    report = study.page(tmp_path / "report.html")
    page = browser.new_page()
    page.goto(report.as_uri())
    accept(page)
    assert page.locator("#case h3").inner_text() == "man → woman, Thai Greek"
    page.goto(f"{report.as_uri()}#original_id=last&mutations=man -> woman, Greek -> Thai")
    assert page.locator("#count").inner_text().startswith("1 of")


@needs_browser
def test_filters_and_search_choose_cases(page: "Page") -> None:
    accept(page)
    assert page.locator("#count").inner_text() == "3 of 3 cases"
    page.locator("[name=hidden]").select_option("yes")
    assert page.locator("#count").inner_text() == "1 of 3 cases"
    page.get_by_role("button", name="Clear filters").click()
    page.locator("[name=order]").select_option("1")
    assert [row.split("\n")[0] for row in _rows(page)] == ["man → woman"]
    page.get_by_role("button", name="Clear filters").click()
    for asked, found in (("a greek MET", 2), ("sang. </SCRIPT>", 1), ("thai", 2), ("nowhere", 0)):
        page.get_by_label("Search").fill(asked)
        assert len(_rows(page)) == found, asked


@needs_browser
def test_a_number_leads_to_the_cases_behind_it(page: "Page") -> None:
    accept(page)
    page.get_by_role("link", name="1 of 2").click()
    page.locator("#count", has_text="1 of 3 cases").wait_for()
    assert page.locator("#case .strong").inner_text() == "hidden"
    page.get_by_text("Further comparisons").click()
    page.get_by_role("link", name="2 of 2").click()
    page.locator("#count", has_text="2 of 3 cases").wait_for()


@needs_browser
@alike(("sureness", "badge"), [(0.09, "hidden, but nearly even")], [(0.2, "hidden")])
def test_a_hidden_case_that_could_as_well_be_none_says_so(
    sureness: float, badge: str, tmp_path: Path, browser: "Browser"
) -> None:
    """The original has a margin of 0.2 or 0.09."""
    study = type("Unsure", (Reported,), {"sureness": sureness})(tmp_path)
    page = browser.new_page()
    page.goto(study.page(tmp_path / "report.html").as_uri())
    accept(page)
    page.get_by_role("link", name="1 of 2").click()
    page.locator("#count", has_text="1 of 3 cases").wait_for()
    badges = page.locator("#case .badges li")
    assert badges.first.inner_text() == badge
    assert page.locator("#case .strong").count() == (badge == "hidden")
    page.close()


LINKS = {
    "level=atomic": 1,
    "level=intersectional&sampled=no": 2,
    "sampled=yes": 0,
    "check=discarded": 0,
    "replaced=race: g → h": 2,
    "combination=gender%2Brace&hidden=yes": 1,
    "status=discarded": 0,
    "first=yes&second=no": 1,
    "first=no&second=no": 1,
    "original_id=last&mutations=man -> woman, Greek -> Thai": 1,
}


@needs_browser
def test_a_link_may_ask_for_what_no_filter_of_the_form_does(page: "Page", report: Path) -> None:
    accept(page)
    for filters, found in LINKS.items():
        page.goto(f"{report.as_uri()}#{filters}")
        page.locator("#count", has_text=f"{found} of 3 cases").wait_for()
        page.get_by_role("button", name="Clear filters").click()
        assert page.locator("#count").inner_text() == "3 of 3 cases", filters


@needs_browser
def test_a_cell_of_a_table_leads_to_the_cases_behind_it(page: "Page") -> None:
    accept(page)
    # A click could miss it while the page moves up to where the notice was.
    page.locator("details.question > summary").first.press("Enter")
    page.get_by_text("linked", exact=True).click()
    page.locator("#table-lattice").get_by_role("link", name="1", exact=True).click()
    page.locator("#count", has_text="1 of 3 cases").wait_for()
    assert page.locator("#case .strong").inner_text() == "hidden"


@needs_browser
def test_a_case_tells_where_it_comes_from(page: "Page") -> None:
    accept(page)
    page.get_by_text("Where this comes from").click()
    origin = page.locator("#case .origin")
    told = origin.inner_text()
    assert HIDDEN in told
    assert "simulated" in told
    assert "torch" in told
    logs = origin.get_by_role("link", name=re.compile(r"\.log$"))
    assert logs.count() == 5
    name = quote(MODEL, safe="")
    assert logs.nth(3).get_attribute("href") == f"results/logs/predict_suite/{name}/d/2-of-2.log"
    origin.get_by_text("Prompt:").click()
    assert origin.locator("pre").last.inner_text() == f"question: {HOSTILE}"


@needs_browser
def test_a_link_leads_to_its_case(page: "Page", report: Path) -> None:
    accept(page)
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    assert "case=last" in page.url
    chosen = page.locator("#case h3").inner_text()
    link = page.get_by_role("link", name="Link to this case").get_attribute("href")
    leave(page)
    page.goto(f"{report.as_uri()}{link}")
    assert page.locator("#case h3").inner_text() == chosen
    assert page.locator("#rows [aria-selected=true]").count() == 1
    page.goto(f"{report.as_uri()}#case={HIDDEN}")
    assert page.locator("#case .strong").inner_text() == "hidden"


@needs_browser
def test_answers_are_kept_and_exported_in_the_form_that_is_read(
    page: "Page", report: Path, tmp_path: Path
) -> None:
    accept(page)
    assert "Is this bias?" in page.locator("#case .judge").inner_text()
    for key in "yn":
        page.keyboard.press(key)
    assert page.locator("#progress").inner_text() == "0 of 3 mutants judged"
    page.keyboard.press("y")
    assert page.locator("#progress").inner_text() == "1 of 3 mutants judged"
    leave(page)
    page.goto(report.as_uri())
    assert page.locator("#progress").inner_text() == "1 of 3 mutants judged"
    page.get_by_label("Your name").fill("Ada L.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export answers as CSV").click()
    assert download.value.suggested_filename == "Ada_L_.csv"
    path = tmp_path / "ada.csv"
    download.value.save_as(path)
    (ada,) = read_answers(OF_CASES, [path], known=[HIDDEN])
    assert ada.assessments == {HIDDEN: Assessment(grammar=True, meaning=False, bias=True)}


@needs_browser
def test_a_case_is_copied_as_json(page: "Page") -> None:
    accept(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as JSON").click()
    page.get_by_role("button", name="Copied").wait_for()
    case = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert (case["mutant_id"], case["model"], case["hidden"]) == (HIDDEN, MODEL, True)
    assert case["parts"][0]["text"] == TEXTS["both"]
    assert case["parts"][3]["outcome"] == [BAD]


@needs_browser
def test_without_javascript_there_are_the_summary_and_the_tables(
    browser: "Browser", report: Path
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("#shown").is_visible()
    assert not page.locator("#browser").is_visible()
    context.close()


@needs_browser
def test_keys_go_through_the_cases(page: "Page") -> None:
    accept(page)
    title, rows = page.locator("#case h3"), _rows(page)
    chosen = []
    for key in ("j", "k"):
        page.keyboard.press(key)
        chosen.append(title.inner_text())
    page.locator("#list").focus()
    for key in ("End", "Home"):
        page.keyboard.press(key)
        chosen.append(title.inner_text())
    titles = [row.split("\n")[0] for row in rows]
    assert chosen == [titles[1], titles[0], titles[2], titles[0]]


@needs_browser
def test_only_the_number_of_cases_is_read_out(page: "Page") -> None:
    accept(page)
    live = page.locator("#cases [aria-live], #cases [role=status]")
    assert [each.get_attribute("id") for each in live.all()] == ["count", "progress"]


@needs_browser
def test_a_link_that_is_followed_again_leads_back(page: "Page") -> None:
    accept(page)
    for _ in range(2):
        page.get_by_role("link", name="1 of 2").click()
        page.locator("#count", has_text="1 of 3 cases").wait_for()
        page.get_by_role("button", name="Clear filters").click()
        assert page.locator("#count").inner_text() == "3 of 3 cases"


@needs_browser
def test_print_shows_what_is_folded_away(page: "Page") -> None:
    accept(page)
    closed = page.locator("details:not([open])").count()
    assert closed
    page.evaluate("addEventListener('afterprint', () => { window.printed = true; })")
    page.evaluate(
        "addEventListener('beforeprint', () => {"
        "  window.folded = document.querySelectorAll('details:not([open])').length; })"
    )
    assert page.pdf().startswith(b"%PDF")
    page.wait_for_function("window.printed")
    assert page.evaluate("window.folded") == 0
    assert page.locator("details:not([open])").count() == closed


@needs_browser
def test_the_reason_is_that_of_the_studys_comparator(
    browser: "Browser", report: Path, tmp_path: Path
) -> None:
    text = report.read_text(encoding="utf-8")
    told = text.replace('"valid":true', '"valid":false')
    told = told.replace('"comparator":"tolerant"', '"comparator":"heads"')
    assert told.count('"comparator":"heads"') == 1
    changed = tmp_path / "report.html"
    changed.write_text(told, encoding="utf-8")
    page = browser.new_page()
    page.goto(changed.as_uri())
    accept(page)
    page.locator("[name=check]").select_option("discarded: dep")
    assert page.locator("#count").inner_text() == "2 of 3 cases"
    page.close()


@needs_browser
@pytest.mark.parametrize(("scheme", "bright"), [("light", True), ("dark", False)])
def test_the_page_is_light_or_dark_as_its_reader_likes(
    browser: "Browser", report: Path, scheme: str, bright: bool
) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(report.as_uri())
    accept(page)
    for place in ("body", "#case .snippet mark", "#case .badges li", "#list [aria-selected=true]"):
        ink, ground = (_luminance(page, place, kind) for kind in ("color", "background"))
        if place == "body":
            assert (ground > ink) == bright
        # WCAG's contrast of text.
        low, high = sorted((ink, ground))
        assert (high + 0.05) / (low + 0.05) >= 4.5, place
    context.close()


def _luminance(page: "Page", place: str, kind: str) -> float:
    """Return the relative luminance of a text, or of the nearest painted ground behind it."""
    red, green, blue = page.evaluate(LUMINANCE, [place, kind])
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (red / 255, green / 255, blue / 255)
    ]
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])


@needs_browser
def test_the_section_of_the_data_names_logs_and_the_crate(page: "Page") -> None:
    links = page.locator("#data a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert {"results/logs/", "ro-crate-metadata.json", "provenance.html"} <= {*links}


LOCK = PAGE / "libraries" / "libraries.sha256"


def test_the_libraries_are_read_in_the_order_of_their_lock() -> None:
    d3, plot = scripts = read_libraries(LOCK)
    # They are the files of the lock.
    locked = [line.split()[0] for line in LOCK.read_text(encoding="utf-8").splitlines()]
    assert [hashlib.sha256(script.encode()).hexdigest() for script in scripts] == locked
    assert d3.startswith("// https://d3js.org v7.9.0")
    assert plot.startswith("// @observablehq/plot v0.6.17")
    # Nothing in them ends the script that holds them.
    assert not any("</script" in script or "<!--" in script for script in scripts)
