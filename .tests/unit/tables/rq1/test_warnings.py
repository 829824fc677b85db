"""Warnings about models whose bias rates say little, and where they are told."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.corpora import CORPUS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.tables.rq1.few_texts import warn_of_texts
from hinter.tables.rq1.warnings import tabulate_warnings
from made_up import ATTRIBUTES, TABLES, Answer, Answers, MadeUpStudy
from result_files import verdict_row, write_rows
from simulated import make_suite

# Tables of mutants, texts and judgments, not of models.
WITHOUT_RATES = {
    *("mutants", "warnings", "figure6_validity", "figure8_discarded", "comparator_validity"),
    *("figure5_grammar", "occurrences", "substitutions", "agreement", "controls"),
    *("dictionary_coverage", "power"),
}


def _label(key: str) -> str:
    return "n" if key.startswith("h") and int(key[1:]) % 2 else "p"


def _number(key: str) -> int:
    """A number from 0 to 19 that tells keys apart as a dice would."""
    return sum(map(ord, key)) * 7 % 20


def _right(key: str, repeat: int) -> Answer:
    return [_label(key)], "ok"


def _always_p(key: str, repeat: int) -> Answer:
    return ["p"], "ok"


def _by_chance(key: str, repeat: int) -> Answer:
    """On held-out texts right half of the time, elsewhere right."""
    return (["pn"[int(key[1:]) // 2 % 2]], "ok") if key.startswith("h") else _right(key, repeat)


def _exchanged(key: str, repeat: int) -> Answer:
    """On held-out texts always the other label."""
    return (["np"[_label(key) == "n"]], "ok") if key.startswith("h") else _right(key, repeat)


def _unparsed(key: str, repeat: int) -> Answer:
    return None, "unparsed"


def _refusing(twentieths: int) -> Answers:
    def answer(key: str, repeat: int) -> Answer:
        refused = "|" in key and _number(key) < twentieths
        return (None, "refused") if refused else _right(key, repeat)

    return answer


def _flipping(originals: str) -> Answers:
    """Asked again, the originals of these digits change, and of all mutants one in five."""

    def answer(key: str, repeat: int) -> Answer:
        changed = repeat > 1 and key[1] in originals if "|" not in key else _number(key) < 4
        return (["n"], "ok") if changed else _right(key, repeat)

    return answer


def _study(folder: Path, answer: Answers, *, held_out: int = 40) -> MadeUpStudy:
    suite = make_suite(originals=9, attributes=ATTRIBUTES, orders=(1, 2), targets=("x",))
    return MadeUpStudy(folder, suite=suite, answers={"m": answer}, held_out=held_out)


def _warned(study: MadeUpStudy, *, repeats: bool = False, about: str = "model") -> dict[str, str]:
    parts = {
        kind: [
            (model, "d", Path(path))
            for model, path in zip(study.models, study.paths(kind, per_model=True), strict=True)
        ]
        for kind in ("predictions", "verdicts", "repeats")
    }
    rows = tabulate_warnings(
        parts["predictions"],
        parts["verdicts"],
        parts["repeats"] if repeats else [],
        corpora=[("corpora", "d", Path(study.paths("corpora")[0]))],
        controls=[("controls", "d", Path(study.paths("controls")[0]))],
        outcome_statuses=[],
        limits=[],
        seed=1,
    )
    return {
        row["warning"]: row["message"] for row in rows[rows["about"] == about].to_dict("records")
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (_right, set()),
        (_unparsed, {"no_verdict", "no_outcome", "accuracy"}),
        (_always_p, {"one_outcome", "accuracy"}),
        (_by_chance, {"accuracy"}),
        (_refusing(3), {"no_outcome"}),
        (_refusing(1), set()),
    ],
)
def test_a_useless_model_is_told(answer: Answers, expected: set[str], tmp_path: Path) -> None:
    assert _warned(_study(tmp_path, answer)).keys() == expected


def test_a_warning_says_what_was_counted(tmp_path: Path) -> None:
    told = _warned(_study(tmp_path / "p", _always_p))
    assert told["one_outcome"] == "m on d: its outcome is 'p' on 49 of 49 texts (100.00 %)."
    assert told["accuracy"] == (
        "m on d: its accuracy of 50.00 % on 40 held-out texts does not beat the 50.00 % of always "
        "saying 'n'."
    )
    told = _warned(_study(tmp_path / "exchanged", _exchanged))
    assert told["accuracy"] == (
        "m on d: its accuracy of 0.00 % on 40 held-out texts does not beat the 50.00 % of always "
        "saying 'n', and less than the 50.00 % of random answers: its labels may be "
        "exchanged (`labels` in the models sheet)."
    )
    told = _warned(_study(tmp_path / "unparsed", _unparsed))
    # Nine originals with 6 atomic mutants, 12 of two attributes and 5 controls, 40 held-out texts.
    assert told["no_outcome"] == (
        "m on d: 256 of 256 answers (100.00 %) have no outcome (256 unparsed); its rates are based "
        "on the others."
    )


def test_few_held_out_texts_do_not_show_that_a_model_does_its_task(tmp_path: Path) -> None:
    told = _warned(_study(tmp_path, _right, held_out=8))
    assert told.keys() == {"accuracy"}
    assert "100.00 % on 8 held-out texts is not shown to beat the 50.00 %" in told["accuracy"]


@pytest.mark.parametrize(("originals", "warned"), [(2, False), (9, True)])
def test_labels_that_are_all_alike_do_not_show_that_a_model_distinguishes_any(
    originals: int, warned: bool, tmp_path: Path
) -> None:
    """All texts are p, and so are all labels; three texts could be so by chance."""
    alike = make_suite(originals=originals, attributes=ATTRIBUTES, orders=(1, 2), targets=("x",))
    study = MadeUpStudy(tmp_path, suite=alike, answers={"m": _right}, held_out=1)
    assert ("one_outcome" in _warned(study)) == warned


@pytest.mark.parametrize(
    ("flipping", "below"), [("0123", "not below"), ("1", "not shown to be below"), ("", None)]
)
def test_noise_that_reaches_the_bias_rate_is_told(
    flipping: str, below: str | None, tmp_path: Path
) -> None:
    suite = make_suite(originals=90, attributes=ATTRIBUTES, orders=(1, 2), targets=("x",))
    study = MadeUpStudy(tmp_path, suite=suite, answers={"m": _flipping(flipping)})
    told = _warned(study, repeats=True)
    assert told.keys() == ({"noise"} if below else set())
    if below:
        assert f"which is {below} its bias rate of" in told["noise"]
    assert "noise" not in _warned(study)


def test_few_texts_are_warned_about(tmp_path: Path) -> None:
    told = _warned(_study(tmp_path / "few", _right), about="texts")
    assert told["few_texts"].startswith("m on d: only 9 texts are tested, so only large effects")
    suite = make_suite(originals=30, attributes=ATTRIBUTES, orders=(1, 2), targets=("x",))
    enough = MadeUpStudy(tmp_path / "more", suite=suite, answers={"m": _right})
    assert "few_texts" not in _warned(enough, about="texts")


def test_models_share_a_warning_about_the_same_texts(tmp_path: Path) -> None:
    suite = make_suite(originals=9, attributes=ATTRIBUTES, orders=(1, 2), targets=("x",))
    answers = {"m": _right, "m.seed2": _right, "p": _always_p}
    study = MadeUpStudy(tmp_path, suite=suite, answers=answers)
    told = _warned(study, about="texts")
    assert told["few_texts"].startswith("m, m.seed2, p on d: only 9 texts")
    assert _warned(study)["one_outcome"].startswith("p on d: ")


def _of_texts(
    folder: Path, mutants: Sequence[int], *, matched: int = 1, text: str = "A text."
) -> dict[str, str]:
    """Warnings about texts with these numbers of mutants, of which a share is matched."""
    rows = [
        verdict_row(f"o{number}", one, mutant_id=f"o{number}|a:{one}|b:{one}")
        for number, many in enumerate(mutants)
        for one in range(many)
    ]
    matches = [
        {"mutant_id": row["mutant_id"], "control_id": None if number % matched else "c"}
        for number, row in enumerate(rows)
    ]
    texts = [
        {"original_id": f"o{number}", "text": text, "labels": [], "tested": True}
        for number in range(len(mutants))
    ]
    told = warn_of_texts(
        [("m", "d", write_rows(folder / "v.parquet", rows, VERDICTS_SCHEMA))],
        [("controls", "d", write_rows(folder / "c.parquet", matches, CONTROLS_SCHEMA))],
        [("corpora", "d", write_rows(folder / "t.parquet", texts, CORPUS_SCHEMA))],
    )
    return {warning: said for _, _, warning, said in told}


def test_a_few_texts_with_most_mutants_are_warned_about(tmp_path: Path) -> None:
    assert _of_texts(tmp_path, [3] * 40) == {}
    # (2 * 100 + 38) ^ 2 / (2 * 100 ^ 2 + 38) is 2.8.
    assert _of_texts(tmp_path, [100, 100, *[1] * 38]) == {
        "uneven": "of 238 mutants, 200 are of 2 of the 40 texts, so that all count like those of "
        "2.8 texts. Set `suite.pairs_per_attribute`."
    }


def test_few_controls_and_html_are_warned_about(tmp_path: Path) -> None:
    told = _of_texts(tmp_path, [3] * 40, matched=3, text="Salt &amp; pepper.")
    assert told.keys() == {"few_controls", "html"}
    assert told["few_controls"].startswith("40 of 120 mutants have a control")
    assert told["html"].startswith("40 of the tested texts have tags or entities of HTML")


@pytest.fixture(scope="module")
def warned(tmp_path_factory: pytest.TempPathFactory) -> MadeUpStudy:
    """Return all tables of a study of a model that always says p, and is of two minds."""
    study = _study(tmp_path_factory.mktemp("warned"), _flipping("012345678"))
    for table in TABLES:
        study.tabulate(table)
    return study


def test_every_table_of_rates_carries_the_warnings(warned: MadeUpStudy) -> None:
    (told,) = pd.read_csv(warned.csv("warnings")).query("about == 'model'")["message"]
    for name in (table.name for table in TABLES):
        files = warned.files(name)
        for form in ("markdown", "html"):
            carried = f"Warning: {told}" in Path(files[form]).read_text()
            assert carried == (name not in WITHOUT_RATES), name
        latex = " ".join(Path(files["latex"]).read_text().split())
        assert ("Warning: m on d: asked again" in latex) == (name not in WITHOUT_RATES)


def test_table_2_shows_the_noise_beside_the_bias_rate(warned: MadeUpStudy) -> None:
    (row,) = pd.read_csv(warned.csv("table2_bias_rates")).to_dict("records")
    (noise,) = pd.read_csv(warned.csv("noise_floor")).to_dict("records")
    assert noise["flip_rate"] == 1
    for end in ("", "_low", "_high"):
        assert row[f"noise_rate{end}"] == noise[f"flip_rate{end}"]
    header, _, shown, *_ = (
        Path(warned.files("table2_bias_rates")["markdown"]).read_text().split("\n")
    )
    assert "noise %" in header
    assert "100.00" in shown
