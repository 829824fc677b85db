"""The form that people fill in: how it shows mutants, and what is answered in a browser."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from browser import dom, needs_browser
from forms import GREEK, HOSTILE, MAN, TEXTS, make_form, rows_of, write_study
from hinter.assessments import OF_FORM, Assessment, read_answers, read_form, sample_mutants
from hinter.assessments.form import LEFT_OUT, passages_of
from hinter.errors import InputError
from literal import word_pairs
from recipes import literal_mutant
from suites import mutant


def test_changed_sentences_stand_between_their_neighbours() -> None:
    text = "A one. B two! The man sat. D four. E five. F six.\nHe met a Greek  man. H."
    before, after = passages_of(literal_mutant("o", text, word_pairs([MAN])))
    assert [part.text for part in before if part.replaced] == ["man", "man"]
    assert [part.text for part in after if part.replaced] == ["woman", "woman"]
    shown = f"B two! The man sat. D four.{LEFT_OUT}F six.\nHe met a Greek  man. H."
    assert "".join(part.text for part in before) == shown
    assert "".join(part.text for part in after) == shown.replace("man", "woman")


# What a reader does at a first visit, and at a second one.
ANSWER = """
    const first = document.forms[0].elements, second = document.forms[1].elements;
    first.grammar[0].click();
    first.meaning[1].click();
    first.comment.value = '"quoted", {{ }}\\n<\\/script>';
    first.comment.dispatchEvent(new Event("input", {bubbles: true}));
    second.grammar[0].click();
    document.forms[1].querySelector("[type=reset]").click();
"""
EXPORT = """
    URL.createObjectURL = blob => {
        blob.text().then(text => {
            document.documentElement.setAttribute("exported", encodeURIComponent(text));
        });
        return "#";
    };
    document.getElementById("export").click();
"""


class _Page(HTMLParser):
    """The tags of a page with their attributes, and the texts that each kind of tag holds."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        if tag not in ("meta", "input"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in {*self._open}:
            self.texts[tag][-1] += data


def test_the_same_study_gives_the_same_form(tmp_path: Path) -> None:
    first, again, other = (
        make_form(tmp_path / name, seed=seed)
        for name, seed in (("first", 1), ("again", 1), ("other", 2))
    )
    for name in ("form.csv", "form.html"):
        assert (first / name).read_bytes() == (again / name).read_bytes()
        assert (first / name).read_bytes() != (other / name).read_bytes()


def test_the_form_does_not_depend_on_the_order_of_the_suite(tmp_path: Path) -> None:
    rows = [mutant(key, *pairs) for key in TEXTS for pairs in ((MAN,), (MAN, GREEK))]
    first, turned = (
        make_form(tmp_path / name, rows=given)
        for name, given in (("first", rows), ("turned", rows[::-1]))
    )
    assert (first / "form.csv").read_bytes() == (turned / "form.csv").read_bytes()


def test_edits_of_recipes_are_marked(tmp_path: Path) -> None:
    text = TEXTS["o1"]
    at = text.index("man")
    edit = {"attribute": "gender", "start": at, "end": at + 3, "role": "term", "text": "woman"}
    folder = make_form(tmp_path, rows=[mutant("o1", MAN) | {"edits": [edit]}])
    (row,) = rows_of(folder / "form.csv")
    assert row["after"] == "One. The Greek woman ran 1 times. End."
    assert _Page(folder / "form.html").texts["mark"] == ["man", "woman"]


def test_a_form_shows_hostile_texts_as_texts(tmp_path: Path) -> None:
    folder = make_form(tmp_path, mutants=18)
    (row,) = (row for row in rows_of(folder / "form.csv") if row["mutant_id"] == f"o0|{MAN}")
    assert row["before"] == HOSTILE
    assert row["after"] == HOSTILE.replace("man", "woman", 1)
    assert row["replacements"] == "man -> woman"
    assert [row[name] for name in ("grammar", "meaning", "comment")] == ["", "", ""]
    page = _Page(folder / "form.html")
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert not any(tag == "img" for tag, _ in page.tags)
    handlers = [name for _, given in page.tags for name in given if name.startswith("on")]
    links = [given for _, given in page.tags if {"src", "href"} & given.keys()]
    assert handlers == links == []
    # Line breaks of all kinds are one to HTML.
    assert HOSTILE.replace("\r", "\n") in page.texts["blockquote"]
    # Every question and every field has a name that is read out.
    assert page.texts["legend"][:2] == ["Does the grammar survive?", "Does the meaning survive?"]
    labels = Counter(tag for tag, _ in page.tags)
    assert labels["label"] == labels["input"] + labels["textarea"]


@needs_browser
def test_a_reader_answers_in_a_browser(tmp_path: Path) -> None:
    folder = make_form(tmp_path, mutants=18)
    page = folder / "form.html"
    text = page.read_bytes().decode()
    assert text.count("</body>") == 1
    for done in (ANSWER, EXPORT):
        script = f'<script>addEventListener("load", () => {{{done}}});</script></body>'
        page.write_text(text.replace("</body>", script), encoding="utf-8", newline="")
        told = dom(page, tmp_path / "profile")
    assert "<title>Assess mutants</title>" in told
    assert "1 of 18 answered" in told
    (exported,) = re.findall(r'<html[^>]* exported="([^"]*)"', told)
    (tmp_path / "ada.csv").write_text(unquote(exported), encoding="utf-8", newline="")
    form, answered = rows_of(folder / "form.csv"), rows_of(tmp_path / "ada.csv")
    comment = '"quoted", {{ }}\n</script>'
    form[0] |= {"grammar": "yes", "meaning": "no", "comment": comment}
    assert answered == form
    known = read_form(folder / "form.csv")
    (ada,) = read_answers(OF_FORM, [tmp_path / "ada.csv"], known=known)
    assert ada.assessments == {form[0]["mutant_id"]: Assessment(grammar=True, meaning=False)}


def _sampled(folder: Path, *, mutants: int) -> list[dict[str, Any]]:
    both = (MAN, GREEK)
    by_dataset = {
        # Many mutants of one original, few of the others.
        "large": [
            mutant("a", f"gender:x{n}>y", *more) for n in range(50) for more in ((), both[1:])
        ]
        + [mutant(f"b{n}", MAN) for n in range(9)],
        "small": [mutant(f"c{n}", *both) for n in range(4)],
        "same": [mutant(f"c{n}", *both) for n in range(4)] + [mutant("e", MAN)],
    }
    by_dataset["large"] += [
        mutant("f", MAN) | {"valid": False},
        mutant("f", GREEK) | {"valid": None},
        mutant("f", *both) | {"sampled": False},
    ]
    written = {
        name: Path(write_study(folder, name, rows)["suites"][0])
        for name, rows in by_dataset.items()
    }
    return sample_mutants(written, mutants=mutants, seed=1)


def test_datasets_orders_and_originals_take_turns(tmp_path: Path) -> None:
    sampled = _sampled(tmp_path, mutants=22)
    ids = [row["mutant_id"] for row in sampled]
    assert len({*ids}) == 22
    assert not any(row["original_id"] == "f" for row in sampled)
    # The four mutants of two datasets are read once, of the dataset whose name comes first.
    assert Counter(row["dataset"] for row in sampled) == {"large": 17, "same": 5}
    large = [row for row in sampled if row["dataset"] == "large"]
    assert sorted(Counter(len(row["pair_ids"]) for row in large).values()) == [8, 9]
    atomic = Counter(row["original_id"] for row in large if len(row["pair_ids"]) == 1)
    assert set(atomic.values()) == {1}


def test_where_there_are_too_few_all_are_drawn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    form = rows_of(make_form(tmp_path, mutants=60) / "form.csv")
    assert len(form) == 18
    assert "the form has 18 mutants instead of 60" in caplog.text


def test_without_a_valid_mutant_there_is_no_form(tmp_path: Path) -> None:
    rows = [mutant("o1", MAN) | {"valid": False}]
    with pytest.raises(InputError, match="found no valid mutant; expected at least one"):
        make_form(tmp_path, rows=rows)
