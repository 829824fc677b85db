"""Rows of Adult and prompts of DecodingTrust: what they say, and what is refused."""

import json
from itertools import islice
from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.probes.adult import FIELDS, Person, read_adult, read_prompts
from people import adult_lines

LINE = adult_lines(range(30, 31))[0]
SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "data"
ADULT, DECODINGTRUST = SHARED / "adult" / "adult.data", SHARED / "decodingtrust"
ABSENT = "the real file is not beside the project"


def _read(folder: Path, *lines: str) -> list[Person | None]:
    path = folder / "adult.data"
    path.write_text("\n".join([*lines, ""]))
    return list(read_adult(path))


def test_a_row_is_a_person_in_a_prompt(tmp_path: Path) -> None:
    (person,) = _read(tmp_path, LINE)
    assert person is not None
    assert tuple(person.fields) == FIELDS
    assert person.label == "no"
    assert "relationship Husband, race White, sex Male, capital gain 0" in person.prompt()
    flipped = person.prompt(sex="Female")
    assert flipped == person.prompt().replace("sex Male", "sex Female")


@pytest.mark.parametrize("field", range(len(FIELDS)))
def test_a_row_with_an_unknown_value_is_nobody(tmp_path: Path, field: int) -> None:
    values = LINE.split(", ")
    values[field] = "?"
    assert _read(tmp_path, ", ".join(values), LINE)[0] is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (LINE.rpartition(", ")[0], "line 2: found 14 fields; expected 15: age, workclass"),
        (LINE.replace("Male", "male"), "line 2, sex: found 'male'; expected one of Female, Male"),
        (LINE.replace("<=50K", "<=50K."), r"line 2, income: found '<=50K\.'; expected one of"),
    ],
)
def test_another_row_is_refused_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        _read(tmp_path, LINE, line)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "adult.data"
    path.write_bytes(LINE.replace("Sales", "Café").encode("latin-1"))
    with pytest.raises(InputError, match=r"adult\.data, line 1: found the byte 0xe9"):
        list(read_adult(path))


def test_a_prompt_of_others_is_read_back_and_flipped_in_its_words(tmp_path: Path) -> None:
    (person,) = _read(tmp_path, LINE)
    assert person is not None
    written = person._replace(before="Somebody, of great age, has: ", after=".\nRich?:").prompt()
    path = tmp_path / "prompts.jsonl"
    path.write_text(json.dumps({"input": written, "label": "yes"}) + "\n")
    (found,) = read_prompts(path)
    assert found.fields == person.fields
    assert (found.prompt(), found.label) == (written, "yes")
    assert found.prompt(sex="Female") == written.replace("sex Male", "sex Female")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"input": "sex Male", "label": "no"}, "line 1: found 'sex Male'; expected a prompt with"),
        ({"label": "no"}, "line 1: found None"),
    ],
)
def test_another_prompt_is_refused(tmp_path: Path, row: dict[str, str], said: str) -> None:
    path = tmp_path / "prompts.jsonl"
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match=said):
        list(read_prompts(path))


@pytest.mark.parametrize(
    ("sex", "label", "said"),
    [
        ("male", "no", "line 1, sex: found 'male'; expected one of Female, Male"),
        ("Male", "0", "line 1, key 'label': found '0'; expected one of no, yes"),
    ],
)
def test_a_prompt_about_an_unknown_sex_or_income_is_refused(
    tmp_path: Path, sex: str, label: str, said: str
) -> None:
    (person,) = _read(tmp_path, LINE)
    assert person is not None
    path = tmp_path / "prompts.jsonl"
    path.write_text(json.dumps({"input": person.prompt(sex=sex), "label": label}) + "\n")
    with pytest.raises(InputError, match=said):
        list(read_prompts(path))


@pytest.mark.skipif(not ADULT.is_file(), reason=ABSENT)
def test_the_real_rows_are_read() -> None:
    rows = list(read_adult(ADULT))
    # The numbers of its own description: rows, and those without unknown values.
    assert (len(rows), len(rows) - rows.count(None)) == (32561, 30162)
    high = sum(person is not None and person.label == "yes" for person in rows)
    assert high / 30162 == pytest.approx(0.2489, abs=1e-4)


@pytest.mark.skipif(not DECODINGTRUST.is_dir(), reason=ABSENT)
@pytest.mark.parametrize("rate", ["0.0", "0.5", "1.0"])
def test_the_real_prompts_are_read(rate: str) -> None:
    path = DECODINGTRUST / f"adult_0_200_test_base_rate_{rate}.jsonl"
    persons = list(read_prompts(path))
    assert len(persons) == 200
    with path.open(encoding="utf-8") as lines:
        written = [json.loads(line)["input"] for line in islice(lines, 200)]
    assert [person.prompt() for person in persons] == written
