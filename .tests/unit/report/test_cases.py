"""The cases of a page: each part as the oracle saw it, and the texts that the models were given."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.corpora import CORPUS_SCHEMA
from hinter.lattice import lattice_of
from hinter.oracle import VERDICTS_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.report.cases import read_cases
from hinter.report.prompts import Prompts
from judged import GENDER, RACE
from literal import word_pairs
from recipes import edits_of
from reported import BAD, CONTROL, GOOD, MODEL, TEXTS, Reported
from result_files import verdict_row, write_rows


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    return Reported(tmp_path_factory.mktemp("study"))


def _rendered(study: Reported, case: dict[str, Any], changes: list[Any]) -> str:
    """Return the mutant as a browser makes it, which counts in UTF-16."""
    (passage,) = study.cases().originals["d"][case["original"]]["passages"]
    start, text = passage
    assert start == 0
    units = text.encode("utf-16-le")
    parts, at = [], 0
    for first, last, replacement, _ in changes:
        parts += [units[2 * at : 2 * first].decode("utf-16-le"), replacement]
        at = last
    return "".join([*parts, units[2 * at :].decode("utf-16-le")])


def test_every_biased_mutant_is_a_case_and_hidden_ones_come_first(study: Reported) -> None:
    cases = study.cases()
    told = [(case["original"], case["pairs"], case["hidden"]) for case in cases.listed]
    assert told[0] == ("both", [GENDER, RACE], True)
    assert sorted(told[1:]) == [("last", [GENDER], False), ("last", [GENDER, RACE], False)]
    assert (cases.total, cases.hidden, cases.sampled) == (3, 1, False)


def test_a_case_has_the_outcome_of_each_part(study: Reported) -> None:
    cases = study.cases()
    case = cases.listed[0]
    readings = [cases.readings[number] for number in case["readings"]]
    assert [reading["outcome"] for reading in readings] == [[GOOD], [GOOD], [GOOD], [BAD]]
    assert [reading.get("biased") for reading in readings] == [None, False, False, True]
    predictions = pq.read_table(study.files["predictions"][0]).to_pylist()
    hashes = {row["input_id"]: row["input_hash"] for row in predictions}
    assert readings[3]["seen"] == hashes[f"both|{GENDER}|{RACE}"]
    assert case["model"] == MODEL
    assert case["checks"] == {"tolerant": "valid", "strict": "pos", "heads": "dep"}


def test_its_changes_make_the_text_that_the_model_was_given(study: Reported) -> None:
    cases = study.cases()
    case = cases.listed[0]
    mutant = TEXTS["both"].replace("man", "woman").replace("Greek", "Thai")
    assert _rendered(study, case, case["changes"]) == mutant
    control = TEXTS["both"].replace("man", "woman").replace("film", "movie")
    assert case["control"]["pairs"] == [CONTROL, GENDER]
    assert _rendered(study, case, case["control"]["changes"]) == control
    assert cases.readings[case["control"]["reading"]]["outcome"] == [GOOD]


def test_what_cases_share_is_told_once(study: Reported) -> None:
    cases = study.cases()
    one, two = [case for case in cases.listed if case["original"] == "last"]
    assert one["readings"][0] == two["readings"][0]
    named = {number for case in cases.listed for number in case["readings"]}
    named |= {case["control"]["reading"] for case in cases.listed if "control" in case}
    assert named - {None} == set(range(len(cases.readings)))


def test_with_less_room_the_first_ranks_are_kept(study: Reported) -> None:
    whole = study.cases()
    for cases in (study.cases(most=1), study.cases(most_bytes=5000)):
        assert cases.listed == whole.listed[: len(cases.listed)]
        assert 0 < len(cases.listed) < 3
        assert cases.sampled
        assert cases.total == 3
        assert set(cases.originals["d"]) == {case["original"] for case in cases.listed}


def test_the_seed_decides_which_of_the_others_are_kept(study: Reported) -> None:
    seconds = {tuple(study.cases(most=2, seed=seed).listed[1]["pairs"]) for seed in range(12)}
    assert seconds == {(GENDER,), (GENDER, RACE)}


def test_a_study_without_bias_has_no_case(tmp_path: Path) -> None:
    study = Reported(tmp_path)
    study.files["verdicts"] = [
        path.replace("verdicts", "benign") for path in study.files["verdicts"]
    ]
    place = Path(study.files["verdicts"][0])
    place.parent.mkdir(parents=True)
    verdicts = tmp_path / "verdicts.parquet"
    rows = pq.read_table(verdicts).to_pylist()
    benign = [row | {"biased": False, "hidden": False} for row in rows]
    pq.write_table(pa.Table.from_pylist(benign, schema=VERDICTS_SCHEMA), place)
    cases = study.cases()
    assert (cases.total, cases.listed) == (0, [])


def test_a_sub_mutant_that_is_no_part_of_its_mutant_has_changes_of_its_own(tmp_path: Path) -> None:
    text, pair_ids = "An old man and a man.", ("age:old man>young man", "gender:man>woman")
    parts = lattice_of("o", pair_ids)
    verdicts = [
        verdict_row(
            "o",
            1,
            mutant_id=key,
            order=len(part),
            visible_order=len(part),
            attributes="+".join(pair_id.partition(":")[0] for pair_id in part),
            pair_ids=part,
            edits=edits_of(text, *part),
            biased=part == pair_ids,
            hidden=part == pair_ids,
        )
        for key, part in list(parts.items())[1:]
    ]
    predictions = [{"input_id": key, "outcome": [GOOD], "status": "ok"} for key in parts]
    corpus = {"original_id": "o", "split": "tested", "tested": True, "text": text, "labels": []}
    cases = read_cases(
        verdicts=[("m", "d", write_rows(tmp_path / "v.parquet", verdicts, VERDICTS_SCHEMA))],
        predictions=[
            ("m", "d", write_rows(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))
        ],
        corpora=[("corpora", "d", write_rows(tmp_path / "t.parquet", [corpus], CORPUS_SCHEMA))],
        others=dict.fromkeys(("controls", "comparators", "cases"), ()),
        prompts=Prompts(),
        pairs={pair.pair_id: pair for pair in word_pairs(pair_ids)},
        seed=1,
    )
    (case,) = cases.listed
    assert case["changes"] == [[3, 10, "young man", 0], [17, 20, "woman", 1]]
    # Alone, the pair of man changes the old man as well.
    assert case["others"] == {2: [[7, 10, "woman", 1], [17, 20, "woman", 1]]}
