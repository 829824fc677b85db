"""Prompts of probes and relations as cases: in their data, and in a browser."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import accept, leave, needs_browser
from hinter.mutation import Mutant
from hinter.report.prompts import CONTEXT, changes_of, in_utf16, passages, rewording
from literal import word_pairs
from prompted_cases import ASKED, FOLLOW_UPS, PERSON, RACE, SEX, SOURCE, Prompted
from recipes import literal_mutant
from reported import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    return Prompted(folder).page(folder / "report.html")


def _reworded(text: str, other: str) -> str:
    """Return what a browser, which counts in UTF-16, makes of a text by its changes."""
    units, parts, at = text.encode("utf-16-le"), [], 0
    for first, last, replacement, _ in rewording(text, other):
        parts += [units[2 * at : 2 * first].decode("utf-16-le"), replacement]
        at = last
    return "".join([*parts, units[2 * at :].decode("utf-16-le")])


def test_the_changes_of_a_text_make_the_other() -> None:
    draw = random.Random(3)
    words = ["a", "bc", " ", " ", "😀", "<b>", "\n", ".", "é"]
    texts = ["".join(draw.choices(words, k=draw.randrange(30))) for _ in range(200)]
    for text, other in zip(texts, reversed(texts), strict=True):
        assert _reworded(text, other) == other
    assert rewording(SOURCE, SOURCE) == []


def _titles(page: "Page") -> list[str]:
    return [row.split("\n")[0] for row in page.locator("#rows [role=option]").all_inner_texts()]


def _texts(page: "Page") -> list[str]:
    return page.locator("#case .part .snippet").all_inner_texts()


@needs_browser
def test_mutants_and_prompts_stand_in_one_list(page: "Page") -> None:
    accept(page)
    assert page.locator("#count").inner_text() == "10 of 10 cases"
    assert page.locator("#cases > p").first.inner_text().startswith("The study compares")
    assert "7 prompts" in page.locator("#cases > p").first.inner_text()
    assert page.locator("#progress").inner_text() == "0 of 3 mutants judged"


@needs_browser
def test_a_person_is_shown_with_the_parts_of_the_change(page: "Page") -> None:
    accept(page)
    page.locator("[name=hidden]").select_option("yes")
    page.locator("[name=dataset]").select_option("p")
    assert _titles(page) == ["White → Black, Male → Female"]
    titles = page.locator("#case .part h4").all_inner_texts()
    assert titles == ["Original", "Only race", "Only sex", "Changed, all together"]
    keys = ["o", f"o|{RACE}", f"o|{SEX}", f"o|{RACE}|{SEX}"]
    assert _texts(page) == [ASKED[key][0] for key in keys]
    outcomes = page.locator("#case .part .outcome b").all_inner_texts()
    assert outcomes == [ASKED[key][1] for key in keys]
    assert page.locator("#case .part.changed").count() == 1
    # Nobody judges prompts: they are what their makers wrote.
    assert page.locator("#case .judge").count() == 0
    page.keyboard.press("y")
    assert page.locator("#progress").inner_text() == "0 of 3 mutants judged"


@needs_browser
def test_a_follow_up_is_shown_with_both_answers_and_their_ratings(page: "Page") -> None:
    accept(page)
    page.locator("[name=fault]").select_option("tone")
    assert _titles(page) == ["MR1: Addition of one attribute"]
    key = "s|MR1|s|age:>old"
    assert _texts(page) == [SOURCE, FOLLOW_UPS[key][0]]
    prompt, follow_up = page.locator("#case .part").all()
    assert "tone: happy" in prompt.inner_text()
    assert "answer: Well, thanks." in prompt.inner_text()
    told = follow_up.inner_text()
    assert "tone: sad" in told and "tone changed, shift -4.00" in told
    assert f"answer: {FOLLOW_UPS[key][1]}" in told
    page.get_by_text("Where this comes from").click()
    origin = page.locator("#case .origin")
    assert origin.locator("pre").first.inner_text() == f"Sad. {HOSTILE}"
    logs = origin.locator("a[href$='.log']").all_inner_texts()
    assert [log.split("/")[2] for log in logs] == [
        *("rewrite_prompts.log", "read_answers", "rate_answers", "judge_mutants")
    ]


@needs_browser
def test_what_has_no_rating_is_no_fault(page: "Page") -> None:
    accept(page)
    page.get_by_label("Search").fill("no nurse")
    assert page.locator("#count").inner_text() == "1 of 10 cases"
    part = page.locator("#case .part").last
    assert "tone: refused" in part.inner_text()
    assert "not compared" in part.inner_text()


@needs_browser
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("dataset=p&hit=yes", 2),
        ("dataset=p&question=lattice&combination=race%2Bsex&changed=yes&hidden=yes", 1),
        ("dataset=p&finding=nurse", 1),
        ("fault=tone&relation=MR1", 1),
        ("fault=none", 2),
        ("information=kept&attributes+of+the+source=job&family=paraphrasing", 1),
    ],
)
def test_a_link_leads_to_prompts(page: "Page", report: Path, filters: str, found: int) -> None:
    accept(page)
    page.goto(f"{report.as_uri()}#{filters}")
    page.locator("#count", has_text=f"{found} of 10 cases").wait_for()


@needs_browser
def test_a_prompt_without_a_change_is_shown_alone(page: "Page") -> None:
    accept(page)
    page.locator("[name=finding]").select_option("nurse")
    assert _titles(page) == [f"person {HOSTILE}"]
    assert page.locator("#case .part h4").all_inner_texts() == ["Original"]
    assert PERSON not in page.locator("#case").inner_text()


@needs_browser
def test_keys_go_through_prompts_and_a_link_leads_to_each(page: "Page", report: Path) -> None:
    accept(page)
    page.locator("[name=fault]").select_option("none")
    page.keyboard.press("j")
    link = page.get_by_role("link", name="Link to this case").get_attribute("href")
    chosen = _texts(page)
    leave(page)
    page.goto(f"{report.as_uri()}{link}")
    assert _texts(page) == chosen


MAN, OLD_MAN = "gender:man>woman", "age:old man>young man"


def mutant_of(text: str, *pair_ids: str) -> Mutant:
    return literal_mutant("o", text, word_pairs(pair_ids))


def test_changes_have_the_case_of_what_they_replace() -> None:
    mutant = mutant_of("A MAN, a Man.", MAN)
    assert changes_of(mutant, whole=mutant) == [[2, 5, "WOMAN", 0], [9, 12, "Woman", 0]]


def test_changes_have_the_number_of_their_pair_in_the_whole_mutant() -> None:
    text = "An old man and a man."
    whole, part = mutant_of(text, OLD_MAN, MAN), mutant_of(text, MAN)
    assert changes_of(whole, whole=whole) == [[3, 10, "young man", 0], [17, 20, "woman", 1]]
    # Alone, the pair of man changes the old man as well.
    assert changes_of(part, whole=whole) == [[7, 10, "woman", 1], [17, 20, "woman", 1]]


def test_a_long_text_is_kept_around_its_changes_only() -> None:
    text = "word " * 1000 + "man " + "word " * 1000 + "man"
    first, second = passages(text, changes_of(mutant_of(text, MAN), whole=mutant_of(text, MAN)))
    assert text[slice(*first)].split().count("man") == 1
    assert second[1] == len(text)
    for start, end in (first, second):
        assert end - start < 2 * CONTEXT + 20
        assert text[start:end] == text[start:end].strip()


@pytest.mark.parametrize("text", ["man", f"man {'x' * 2000} man", ""])
def test_passages_never_leave_the_text(text: str) -> None:
    spans = passages(text, changes_of(mutant_of(text, MAN), whole=mutant_of(text, MAN)))
    assert all(0 <= start < end <= len(text) for start, end in spans)


def test_positions_are_counted_as_browsers_do() -> None:
    text = "a😀b𝔘c"
    assert [in_utf16(text)(at) for at in range(6)] == [0, 1, 3, 4, 6, 7]
    assert in_utf16("aé漢")(2) == 2
    assert in_utf16("")(0) == 0
