"""The form that people fill in: which mutants it has, how they are shown, and what is answered."""

import csv
import re
from collections import Counter
from html.parser import HTMLParser
from math import isnan
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import pytest
import write_form
from browser import dom, needs_browser
from hinter.assessments import Answers, Assessment, draw_mutants, read_answers, read_form
from hinter.assessments.passages import LEFT_OUT, passages_of
from hinter.declarations import import_declaring
from hinter.dictionary import WordPair
from hinter.errors import InputError
from hinter.mutation import place_pairs
from hinter.tables import TableFiles
from hinter.tables.assessment.agreement import show_agreement, tabulate_agreement
from suites import PAIRS, Study, mutant

ROOT = Path(__file__).resolve().parents[3]
MAN, GREEK = "gender:man>woman", "race:Greek>Thai"
HOSTILE = (
    "Before it all. The Greek man said \"</script><script>document.title='ran'</script>\" & "
    "{{ 7*7 }} {% raw %} '<img src=x onerror=\"document.title='ran'\">' <!-- ]]> ${name} `\\`.\r"
    "=1+1, and \ue000 more."
)
TEXTS = {"o0": HOSTILE} | {f"o{n}": f"One. The Greek man ran {n} times. End." for n in range(1, 9)}
# What a reader does, first before the page is loaded again, then after it.
READ = """<script>
addEventListener("load", async () => {
    const first = document.forms[0].elements, second = document.forms[1].elements;
    if (!sessionStorage.getItem("read")) {
        sessionStorage.setItem("read", "yes");
        first.grammar[0].click();
        first.meaning[1].click();
        first.comment.value = '"quoted", {{ }}\\n<\\/script>';
        first.comment.dispatchEvent(new Event("input", {bubbles: true}));
        second.grammar[0].click();
        document.forms[1].querySelector("[type=reset]").click();
        setTimeout(() => location.reload(), 100);
        return;
    }
    URL.createObjectURL = blob => {
        blob.text().then(text => {
            document.documentElement.setAttribute("exported", encodeURIComponent(text));
        });
        return "#";
    };
    document.getElementById("export").click();
});
</script></body>"""


def _write_study(folder: Path, name: str, rows: list[dict[str, Any]]) -> dict[str, list[str] | str]:
    folder.joinpath(name).mkdir(parents=True)
    study = Study(folder / name, texts=TEXTS, rows=rows)
    suite = (study.folder / "suite.parquet").rename(study.folder / f"{name}.parquet")
    return {
        "corpora": [str(study.folder / "corpus.parquet")],
        "suites": [str(suite)],
        "pairs": str(study.folder / "pairs.csv"),
    }


def _write_form(folder: Path, *, mutants: int = 8, seed: int = 1, rows: Any = None) -> Path:
    rows = rows or [mutant(key, *pairs) for key in TEXTS for pairs in ((MAN,), (MAN, GREEK))]
    write_form.main(
        **_write_study(folder, "d", rows),
        guideline=str(ROOT / "data/validity/guideline.md"),
        template=str(ROOT / "workflow/scripts/hinter/assessments/form.html"),
        mutants=mutants,
        seed=seed,
        form=str(folder / "form.csv"),
        page=str(folder / "form.html"),
    )
    return folder


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


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
        _write_form(tmp_path / name, seed=seed)
        for name, seed in (("first", 1), ("again", 1), ("other", 2))
    )
    for name in ("form.csv", "form.html"):
        assert (first / name).read_bytes() == (again / name).read_bytes()
        assert (first / name).read_bytes() != (other / name).read_bytes()


def test_the_form_does_not_depend_on_the_order_of_the_suite(tmp_path: Path) -> None:
    rows = [mutant(key, *pairs) for key in TEXTS for pairs in ((MAN,), (MAN, GREEK))]
    first, turned = (
        _write_form(tmp_path / name, rows=given)
        for name, given in (("first", rows), ("turned", rows[::-1]))
    )
    assert (first / "form.csv").read_bytes() == (turned / "form.csv").read_bytes()


def _drawn(folder: Path, *, mutants: int) -> list[dict[str, Any]]:
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
        mutant("f", *both) | {"drawn": False},
    ]
    written = {
        name: Path(_write_study(folder, name, rows)["suites"][0])
        for name, rows in by_dataset.items()
    }
    return draw_mutants(written, mutants=mutants, seed=1)


def test_datasets_orders_and_originals_take_turns(tmp_path: Path) -> None:
    drawn = _drawn(tmp_path, mutants=22)
    ids = [row["mutant_id"] for row in drawn]
    assert len({*ids}) == 22
    assert not any(row["original_id"] == "f" for row in drawn)
    # The four mutants of two datasets are read once, of the dataset whose name comes first.
    assert Counter(row["dataset"] for row in drawn) == {"large": 17, "same": 5}
    large = [row for row in drawn if row["dataset"] == "large"]
    assert sorted(Counter(len(row["pair_ids"]) for row in large).values()) == [8, 9]
    atomic = Counter(row["original_id"] for row in large if len(row["pair_ids"]) == 1)
    assert set(atomic.values()) == {1}


def test_where_there_are_too_few_all_are_drawn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    form = _rows(_write_form(tmp_path, mutants=60) / "form.csv")
    assert len(form) == 18
    assert "the form has 18 mutants instead of 60" in caplog.text


def test_without_a_valid_mutant_there_is_no_form(tmp_path: Path) -> None:
    rows = [mutant("o1", MAN) | {"valid": False}]
    with pytest.raises(InputError, match="found no valid mutant; expected at least one"):
        _write_form(tmp_path, rows=rows)


def _pair(pair_id: str) -> WordPair:
    attribute, source, target = PAIRS[pair_id]
    return WordPair(pair_id, attribute, "g", "h", source, target)


def test_changed_sentences_stand_between_their_neighbours() -> None:
    text = "A one. B two! The man sat. D four. E five. F six.\nHe met a Greek  man. H."
    (changes,) = place_pairs(text, [_pair(MAN)])
    before, after = passages_of(text, changes)
    assert [part.text for part in before if part.replaced] == ["man", "man"]
    assert [part.text for part in after if part.replaced] == ["woman", "woman"]
    shown = f"B two! The man sat. D four.{LEFT_OUT}F six.\nHe met a Greek  man. H."
    assert "".join(part.text for part in before) == shown
    assert "".join(part.text for part in after) == shown.replace("man", "woman")


def test_places_of_coherent_recipes_are_marked(tmp_path: Path) -> None:
    text = TEXTS["o1"]
    at = text.index("man")
    places = [{"start": at, "end": at + 3, "pair": 0, "role": "term"}]
    folder = _write_form(tmp_path, rows=[mutant("o1", MAN) | {"places": places}])
    (row,) = _rows(folder / "form.csv")
    assert row["after"] == "One. The Greek woman ran 1 times. End."
    assert _Page(folder / "form.html").texts["mark"] == ["man", "woman"]


def test_a_form_shows_hostile_texts_as_texts(tmp_path: Path) -> None:
    folder = _write_form(tmp_path, mutants=18)
    (row,) = (row for row in _rows(folder / "form.csv") if row["mutant_id"] == f"o0|{MAN}")
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


def _answered(folder: Path, name: str, rows: list[dict[str, str]]) -> Path:
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["mutant_id", "grammar", "meaning", "comment"])
        writer.writeheader()
        writer.writerows(rows)
    return path


def _answer(mutant_id: str, answers: str) -> dict[str, str]:
    grammar, meaning = ({"y": "yes", "n": "no", "-": ""}.get(said, said) for said in answers)
    return {"mutant_id": mutant_id, "grammar": grammar, "meaning": meaning, "comment": "x"}


FORM = {"o1|p": "d", "o1|p|q": "d", "o2|p": "e", "o2|p|q": "e"}


def test_answers_are_read_and_open_ones_left_out(tmp_path: Path) -> None:
    said = {"o1|p": "yn", "o1|p|q": "y-", "o2|p": "--"}
    path = _answered(tmp_path, "ada", [_answer(*item) for item in said.items()])
    expected = Answers("ada", {"o1|p": Assessment(grammar=True, meaning=False)})
    assert read_answers([path], form=FORM) == [expected]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([_answer("o3|p", "yy")], "line 2, column 'mutant_id': found 'o3|p'; expected a mutant of"),
        (
            [_answer("o1|p", "yy"), _answer("o1|p", "--")],
            "line 3, column 'mutant_id': found 'o1|p'; expected every mutant once",
        ),
        (
            [_answer("o1|p", "yy") | {"meaning": "Yes"}],
            "line 2, column 'meaning': found 'Yes'; expected yes or no. Correct the cell.",
        ),
        (
            [_answer("o1|p", "-y") | {"grammar": " "}],
            "line 2, column 'grammar': found ' '; expected yes or no",
        ),
    ],
)
def test_bad_answers_are_named(rows: list[dict[str, str]], told: str, tmp_path: Path) -> None:
    path = _answered(tmp_path, "ada", rows)
    with pytest.raises(InputError, match=re.escape(f"{path}, {told}")):
        read_answers([path], form=FORM)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ada.csv"
    path.write_text("mutant_id,grammar\no1|p,yes\n")
    with pytest.raises(InputError, match=r"line 2: found .* expected a column 'meaning'"):
        read_answers([path], form=FORM)


def test_readers_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    paths = [_answered(folder, "ada", []) for folder in (tmp_path, tmp_path / "b")]
    with pytest.raises(InputError, match=r"found two files named 'ada\.csv'"):
        read_answers(paths, form=FORM)


def _agreement(folder: Path, **said: str) -> pd.DataFrame:
    paths = [
        _answered(
            folder, name, [_answer(*item) for item in zip(FORM, answers.split(), strict=True)]
        )
        for name, answers in said.items()
    ]
    return tabulate_agreement(FORM, paths)


def test_agreement_by_hand(tmp_path: Path) -> None:
    table = _agreement(tmp_path, ada="yy yn yy nn", bob="yy yy nn nn", eve="-- -- -- y-")
    rows = {
        (row["reader"], row["other"], row["dataset"], row["order"]): row
        for row in table.to_dict("records")
    }
    assert len(rows) == len(table) == 6 * 9
    ada = rows["ada", "", "all", "all"]
    assert (ada["mutants"], ada["read"], ada["unanswered"], ada["sound"]) == (4, 4, 0, 2)
    # Wilson's interval of 2 in 4, from its formula with z = 1.959964.
    assert (ada["sound_share"], ada["sound_share_low"]) == (0.5, pytest.approx(0.150039, abs=1e-6))
    assert ada["sound_share_high"] == pytest.approx(0.849961, abs=1e-6)
    assert isnan(ada["sound_kappa"])
    assert rows["ada", "", "all", "1"]["sound_share"] == 1
    assert rows["ada", "", "e", "all"]["sound_share"] == 0.5
    eve = rows["eve", "", "all", "all"]
    assert (eve["read"], eve["unanswered"]) == (0, 4)
    assert isnan(eve["sound_share"])
    both = rows["ada", "bob", "all", "all"]
    assert (both["read"], both["sound"]) == (4, 1)
    # Grammar: ada y y y n, bob y y n n; by chance (3 * 2 + 1 * 2) / 16.
    assert (both["grammar_agreement"], both["grammar_kappa"]) == (0.75, 0.5)
    # Both questions: ada y n y n, bob y y n n.
    assert (both["sound_agreement"], both["sound_kappa"]) == (0.5, 0)
    assert rows["ada", "eve", "all", "all"]["read"] == 0
    assert show_agreement(table)["other"].tolist().count("-") == 27


def test_the_table_is_made_of_files(tmp_path: Path) -> None:
    folder = _write_form(tmp_path)
    answers = [
        _answered(folder, name, [_answer(key, said) for key in read_form(folder / "form.csv")])
        for name, said in (("ada", "yy"), ("bob", "yn"))
    ]
    files = {form: str(tmp_path / form) for form in ("csv", "markdown", "latex", "html")}
    table = import_declaring("hinter/tables/assessment/agreement.py").TABLE
    inputs = {"form": str(folder / "form.csv"), "answers": [str(path) for path in answers]}
    table.make(inputs=inputs, settings={}, files=TableFiles.of(files))
    written = pd.read_csv(tmp_path / "csv")
    assert written.columns.tolist() == list(table.columns)
    assert written["read"].tolist() == [8, 4, 4] * 3
    assert "| ada      | bob     | d " in (tmp_path / "markdown").read_text()


@needs_browser
def test_a_reader_answers_in_a_browser(tmp_path: Path) -> None:
    folder = _write_form(tmp_path, mutants=18)
    page = folder / "form.html"
    text = page.read_bytes().decode()
    assert text.count("</body>") == 1
    page.write_text(text.replace("</body>", READ), encoding="utf-8", newline="")
    told = dom(page, tmp_path / "profile")
    assert "<title>Assess mutants</title>" in told
    assert "1 of 18 answered" in told
    (exported,) = re.findall(r'<html[^>]* exported="([^"]*)"', told)
    (tmp_path / "ada.csv").write_text(unquote(exported), encoding="utf-8", newline="")
    form, answered = _rows(folder / "form.csv"), _rows(tmp_path / "ada.csv")
    comment = '"quoted", {{ }}\n</script>'
    form[0] |= {"grammar": "yes", "meaning": "no", "comment": comment}
    assert answered == form
    (ada,) = read_answers([tmp_path / "ada.csv"], form=read_form(folder / "form.csv"))
    assert ada.assessments == {form[0]["mutant_id"]: Assessment(grammar=True, meaning=False)}
