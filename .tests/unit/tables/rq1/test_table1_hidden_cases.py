"""Hidden cases with their mutations marked."""

from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from hinter.cases import CASES_SCHEMA
from hinter.corpora import CORPUS_SCHEMA
from hinter.dictionary import WordPair
from hinter.lattice import lattice_of
from hinter.mutants import SUITE_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA, judge_mutants
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables.rq1.table1_hidden_cases import tabulate_hidden_cases
from hinter.tables.shown import MARK_END, MARK_START, write_table
from hinter.tables.table import Part
from recipes import edits_of
from result_files import Row, table_files, verdict_row, write_rows

TEXT = "A man smiled. Nothing happened. The MAN met a Greek."
PAIRS = {
    "gender:man>woman": WordPair("gender:man>woman", "gender", "m", "f", "man", "woman"),
    "race:Greek>Thai": WordPair("race:Greek>Thai", "race", "e", "a", "Greek", "Thai"),
}


def _corpora(folder: Path, text: str, *originals: str) -> list[Part]:
    rows = [
        {"original_id": original, "split": "tested", "tested": True, "text": text, "labels": []}
        for original in originals or ["o"]
    ]
    return [("corpora", "d", write_rows(folder / "t.parquet", rows, CORPUS_SCHEMA))]


def _verdicts(text: str, *pair_ids: str) -> list[Row]:
    """Return the verdicts on a hidden mutant and on its sub-mutants."""
    return [
        verdict_row(
            "o",
            1,
            mutant_id=key,
            attributes="+".join(pair_id.partition(":")[0] for pair_id in part),
            pair_ids=part,
            edits=edits_of(text, *part),
            biased=part == pair_ids,
            hidden=part == pair_ids,
        )
        for key, part in list(lattice_of("o", pair_ids).items())[1:]
    ]


def test_hidden_cases_show_the_changed_sentences_with_every_mutation_marked(tmp_path: Path) -> None:
    pair_ids = list(PAIRS)
    ids = ["o", f"o|{pair_ids[0]}", f"o|{pair_ids[1]}", "|".join(["o", *pair_ids])]
    outcomes = [["p"], ["p"], ["p"], ["n"]]
    predictions = [
        {"input_id": key, "outcome": outcome} for key, outcome in zip(ids, outcomes, strict=True)
    ]
    verdicts = _verdicts(TEXT, *pair_ids)
    cases = tabulate_hidden_cases(
        [("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
        [("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        cases=[],
        corpora=_corpora(tmp_path, TEXT),
        pairs=PAIRS,
        count=10,
        seed=1,
    )
    assert cases["role"].tolist() == ["original", "atomic", "atomic", "intersectional"]
    assert cases["biased"].tolist() == [False, False, False, True]
    marked = cases["excerpt"].str.replace(MARK_START, "<").str.replace(MARK_END, ">").tolist()
    assert marked == [
        "A man smiled. ... The MAN met a Greek.",
        "A <woman> smiled. ... The <WOMAN> met a Greek.",
        "A man smiled. ... The MAN met a <Thai>.",
        "A <woman> smiled. ... The <WOMAN> met a <Thai>.",
    ]


def test_robust_cases_come_first_and_each_outcome_has_its_margin(tmp_path: Path) -> None:
    pair_ids = tuple(PAIRS)
    margins = {"near": (0.1, 0.2, -0.05), "far": (0.8, 0.9, -0.7), "beside": (0.1, 0.2, -0.05)}
    verdicts = [
        row
        | {"original_id": name, "mutant_id": row["mutant_id"].replace("o|", f"{name}|")}
        | {"margin": margin, "shift": margin - 1}
        for name, told in margins.items()
        for row, margin in zip(_verdicts(TEXT, *pair_ids), told, strict=True)
    ]
    neutral = {"pair_ids": ["control:x"], "order": 1, "visible_order": 1, "control": True}
    verdicts += [
        verdict_row(f"c{number}", 1, mutant_id=f"c{number}|control:x", shift=shift, **neutral)
        for number, shift in enumerate((-0.1, 0.0, 0.1))
    ]
    ids = [*margins, *(row["mutant_id"] for row in verdicts)]
    predictions = [{"input_id": key, "outcome": ["p"]} for key in ids]
    cases = tabulate_hidden_cases(
        [("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
        [("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        cases=[],
        corpora=_corpora(tmp_path, TEXT, *margins),
        pairs=PAIRS,
        count=2,
        seed=1,
    )
    assert cases["original_id"].unique()[0] == "far" and cases["case"].nunique() == 2
    assert cases["margin"].tolist()[:4] == pytest.approx([1, 0.8, 0.9, -0.7])
    whole = cases[cases["role"] == "intersectional"]
    assert whole["robust"].tolist() == [True, False]
    assert whole["noise"].tolist() == [0.1483, 0.1483]
    assert cases.loc[cases["role"] != "intersectional", ["robust", "noise"]].isna().all(axis=None)


def test_answers_without_a_label_that_differ_are_told_apart(tmp_path: Path) -> None:
    pair_ids = list(PAIRS)
    ids = ["o", f"o|{pair_ids[0]}", f"o|{pair_ids[1]}", "|".join(["o", *pair_ids])]
    statuses = ["none", "none", "none", "refused"]
    predictions = [
        {"input_id": key, "status": status} for key, status in zip(ids, statuses, strict=True)
    ]
    verdicts = _verdicts(TEXT, *pair_ids)
    cases = tabulate_hidden_cases(
        [("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
        [("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        cases=[],
        corpora=_corpora(tmp_path, TEXT),
        pairs=PAIRS,
        count=10,
        seed=1,
    )
    assert cases["outcome"].tolist() == statuses
    assert cases["biased"].tolist() == [False, False, False, True]


def test_table_1_tells_biased_what_the_verdicts_do(tmp_path: Path) -> None:
    answers = [
        ("ok", ["a, b"]),
        ("ok", ["a", "b"]),
        ("ok", []),
        ("none", None),
        ("refused", None),
        ("unparsed", None),
    ]
    pair_ids = list(PAIRS)
    parts = [[], pair_ids[:1], pair_ids[1:], pair_ids]
    suite, predictions = [], []
    studied = {f"o{number}": told for number, told in enumerate(product(answers, repeat=4))}
    for original, told in studied.items():
        for part, (status, outcome) in zip(parts, told, strict=True):
            key = "|".join([original, *part])
            row = {"input_id": key, "status": status, "outcome": outcome}
            predictions.append(row | {"visible_order": len(part)})
            plain = {"mutant_id": key, "original_id": original, "order": len(part)}
            plain |= {"attributes": "", "pair_ids": part, "valid": True, "control": False}
            plain |= {"edits": edits_of(TEXT, *part)}
            suite += [plain] if part else []
    files = (
        write_rows(tmp_path / "s.parquet", suite, SUITE_SCHEMA),
        write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA),
    )
    verdicts = tmp_path / "v.parquet"
    judge_mutants(*files, verdicts, outcome_statuses=["none", "refused"])
    expected = {
        original: told
        for original, told in studied.items()
        if told[0] == told[1] == told[2] != told[3] and ("unparsed", None) not in told
    }
    cases = tabulate_hidden_cases(
        [("m", "d", verdicts)],
        [("m", "d", files[1])],
        cases=[],
        corpora=_corpora(tmp_path, TEXT, *studied),
        pairs=PAIRS,
        count=len(suite),
        seed=1,
    )
    assert set(cases["original_id"]) == set(expected)
    assert len(cases) == 4 * len(expected) == 4 * 5 * 4
    assert cases["biased"].tolist() == [False, False, False, True] * len(expected)
    words = {"no label": ("ok", []), "none": ("none", None), "refused": ("refused", None)}
    for original, group in cases.groupby("original_id"):
        for outcome, answer in zip(group["outcome"], expected[str(original)], strict=True):
            assert words.get(outcome, answer) == answer


def test_hidden_cases_show_what_changes_with_a_term(tmp_path: Path) -> None:
    text = "The widow lost her ring. It was Greek."
    edits = [
        {"attribute": "gender", "start": 4, "end": 9, "role": "term", "text": "widower"},
        {"attribute": "gender", "start": 15, "end": 18, "role": "determiner", "text": "his"},
    ]
    pair = WordPair("gender:widow>widower", "gender", "f", "m", "widow", "widower")
    verdict = verdict_row(
        "o", 1, mutant_id=f"o|{pair.pair_id}", pair_ids=[pair.pair_id], edits=edits, hidden=True
    )
    verdicts = [verdict]
    predictions = [{"input_id": key, "outcome": [key[:1]]} for key in ("o", f"o|{pair.pair_id}")]
    cases = tabulate_hidden_cases(
        [("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
        [("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        cases=[],
        corpora=_corpora(tmp_path, text),
        pairs={pair.pair_id: pair},
        count=10,
        seed=1,
    )
    marked = cases["excerpt"].str.replace(MARK_START, "<").str.replace(MARK_END, ">").tolist()
    assert marked == ["The widow lost her ring.", "The <widower> lost <his> ring."]


def test_a_text_with_the_private_characters_of_marks_is_marked_like_any_other(
    tmp_path: Path,
) -> None:
    own = f"{MARK_END}A man{MARK_START} smiled."
    verdicts = _verdicts(own, "gender:man>woman")
    predictions = [
        {"input_id": key, "outcome": [f"p{MARK_START}"]} for key in ("o", "o|gender:man>woman")
    ]
    cases = tabulate_hidden_cases(
        [("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
        [("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        cases=[],
        corpora=_corpora(tmp_path, own),
        pairs=PAIRS,
        count=10,
        seed=1,
    )
    files = table_files(tmp_path)
    write_table(cases, cases, files, caption="", empty="", marked="excerpt")
    read = pd.read_csv(files.csv)
    assert read["excerpt"].tolist() == [
        "\ufffdA man\ufffd smiled.",
        "\ufffdA [woman]\ufffd smiled.",
    ]
    assert read["outcome"].tolist() == ["p\ufffd", "p\ufffd"]
    assert files.markdown.read_text().count("**") == 2
    for mark in ("<b>", "</b>"):
        assert files.html.read_text().count(mark) == 1
    assert files.latex.read_text().count(r"\textbf{\underline{woman}}") == 1
    assert files.latex.read_text().count("}}") == 1


def test_examined_cases_say_whether_they_hold_and_which_places_suffice(tmp_path: Path) -> None:
    pair_ids = list(PAIRS)
    ids = ["o", f"o|{pair_ids[0]}", f"o|{pair_ids[1]}", "|".join(["o", *pair_ids])]
    told = [["p"], ["p"], ["p"], ["n"]]
    predictions = [
        {"input_id": key, "outcome": outcome} for key, outcome in zip(ids, told, strict=True)
    ]
    verdicts = _verdicts(TEXT, *pair_ids)
    start = TEXT.index("MAN")
    edit = {"attribute": "gender", "start": start, "end": start + 3, "role": "term"}
    edit |= {"text": "WOMAN"}
    examined = {"mutant_id": ids[3], "hidden": True, "sampled": False, "replaced": 3}
    found = {"sufficient": 1, "edits": [edit], "minimal": True, "status": "ok", "outcome": ["n"]}

    def shown(**of_case: object) -> pd.DataFrame:
        case = examined | found | of_case
        return tabulate_hidden_cases(
            [("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
            [("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
            cases=[("m", "d", write_rows(tmp_path / "c.parquet", [case], CASES_SCHEMA))],
            corpora=_corpora(tmp_path, TEXT),
            pairs=PAIRS,
            count=10,
            seed=1,
        )

    cases = shown(repeats=3, times_hidden=2)
    assert cases["holds"].tolist() == ["", "", "", "2 of 3 times", ""]
    last = cases.iloc[-1]
    assert (last["role"], last["attributes"]) == ("narrowed to 1 of 3 edits", "gender")
    assert (last["mutations"], last["outcome"], last["biased"]) == ("man -> woman", "n", True)
    marked = last["excerpt"].replace(MARK_START, "<").replace(MARK_END, ">")
    assert marked == "A man smiled. ... The <WOMAN> met a Greek."
    # Nothing could be left out, of a model that was asked once, or that always answers alike.
    assert shown(repeats=1, sufficient=3)["holds"].tolist() == [""] * 4
    assert shown(sufficient=3)["holds"].tolist() == ["", "", "", "always"]
