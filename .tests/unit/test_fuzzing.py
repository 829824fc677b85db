"""Whatever a reader is given, it reads or refuses with one line; any answer has a reading.

In the tests, examples are few and the same each time. With `FUZZ_TIMES=50` before `pytest
.tests/unit/test_fuzzing.py`, 50 times as many are drawn, others each time, which takes about ten
minutes; `--hypothesis-show-statistics` tells how many they were.
"""

import copy
import gzip
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from bad_inputs import answers, pairs
from bad_inputs.case import DATASET, ROOT, write
from described import PERSONS
from hinter.assessments import OF_FORM
from hinter.assessments import read_answers as read_annotators_answers
from hinter.config import (
    Config,
    Datasets,
    DescriptorSheet,
    DictionarySheet,
    JudgeSheet,
    Models,
    OccurrencesSheet,
    Prices,
    ProbeSheet,
    PromptSheet,
    Registry,
    RelationsSheet,
    check_sheet,
    read_config,
    read_sheet,
)
from hinter.corpora import check_judge_prompt, check_prompt, prepare_corpus
from hinter.dictionary import check_curation, check_descriptions, count_posts, read_own_pairs
from hinter.errors import InputError
from hinter.models import AnswerParser, Status
from hinter.models.answers import FreeTextParser
from hinter.probes import import_probe
from hinter.probes.adult import read_adult, read_prompts
from hinter.relations import check_articles
from hinter.resources import read_registry
from hinter.resources.registry import read_lock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import adult_lines
from prompted import small_sheet

TIMES = int(os.environ.get("FUZZ_TIMES", "1"))
few, many = (
    settings(
        max_examples=examples * TIMES,
        deadline=None,
        derandomize=TIMES == 1,
        suppress_health_check=list(HealthCheck),
    )
    for examples in (30, 300)
)
ResponseParser = Callable[[Path], object]
LABELS = ["bad", "good"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzing")


def _reads_or_refuses(read: Callable[[], object]) -> None:
    """Fail for any error but the one line that users read."""
    try:
        read()
    except InputError as error:
        message, *faults = str(error).splitlines()
        assert all(line.isprintable() for line in (message, *faults))
        where, found, rest = message.partition(": found ")
        assert where and found and "; expected " in rest


# Values in the place of others in a sound sheet.


def _sheet(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def _check_prompt(document: Any) -> None:
    sheet = check_sheet(document, PromptSheet, where="sheet").model_dump()
    check_prompt(sheet, path="sheet", labels=LABELS)


def _check_judge(document: Any) -> None:
    sheet = check_sheet(document, JudgeSheet, where="sheet")
    check_judge_prompt(sheet, path="sheet", labels=LABELS)


def _check_relations(document: Any) -> None:
    check_articles(check_sheet(document, RelationsSheet, where="sheet"), path="sheet")


def _check_dictionary(document: Any) -> None:
    sheet = check_sheet(document, DictionarySheet, where="sheet").model_dump()
    check_curation(sheet, path=Path("race.yaml"))


def _check_descriptors(document: Any) -> None:
    sheet = check_sheet(document, DescriptorSheet, where="sheet").model_dump()
    check_descriptions({"sheet": sheet}, persons=PERSONS, where="persons")


def _check(model: type[Any], document: Any) -> None:
    check_sheet(document, model, where="sheet")


SHEETS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "config": (lambda: _sheet("config/paper.yaml"), read_config),
    "datasets": (lambda: _sheet("config/datasets.yaml"), partial(_check, Datasets)),
    "models": (lambda: _sheet("config/models.yaml"), partial(_check, Models)),
    "prices": (lambda: _sheet("config/prices.yaml"), partial(_check, Prices)),
    "occurrences": (lambda: _sheet("config/occurrences.yaml"), partial(_check, OccurrencesSheet)),
    "probe": (lambda: _sheet("config/probes/gender_income.yaml"), partial(_check, ProbeSheet)),
    "registry": (lambda: _sheet("data/registry.yaml"), partial(_check, Registry)),
    "prompt": (lambda: _sheet("config/prompts/imdb.yaml"), _check_prompt),
    "judge": (lambda: _sheet("config/prompts/judge.yaml"), _check_judge),
    "dictionary": (lambda: _sheet("config/dictionary/race.yaml"), _check_dictionary),
    "descriptors": (lambda: _sheet("config/descriptors/body.yaml"), _check_descriptors),
    "relations": (small_sheet, _check_relations),
}
SOUND_SHEETS = cache(lambda name: SHEETS[name][0]())
TEXTS = st.text(st.characters(exclude_categories=[]), max_size=12) | st.sampled_from(
    ["{text}", "{labels}", "{", "}", "{name}", "{person}", "..", "a/b", "a" * 5000, "yes", "None"]
)
NUMBERS = st.integers() | st.floats() | st.sampled_from([10**400, -(10**400), 2**31])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container of a document with each of its keys or numbers."""
    inner = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in inner:
        yield document, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _change(document: Any, data: st.DataObject) -> None:
    """Replace, remove or add a value somewhere in a document."""
    part, key = data.draw(st.sampled_from(list(_places(document))))
    change = data.draw(st.sampled_from(["replace", "remove", "add"]))
    if change == "remove":
        del part[key]
    elif change == "add" and isinstance(part, dict):
        part[data.draw(TEXTS)] = data.draw(VALUES)
    else:
        part[key] = data.draw(VALUES)


@pytest.mark.parametrize("name", SHEETS)
@few
@given(st.data())
def test_a_changed_sheet_is_read_or_refused(name: str, data: st.DataObject) -> None:
    document = copy.deepcopy(SOUND_SHEETS(name))
    for _ in range(data.draw(st.integers(1, 3))):
        if document:
            _change(document, data)
    _reads_or_refuses(lambda: SHEETS[name][1](document))


# Bytes in the place of others in a sound file.


def _edited(content: bytes, pieces: list[bytes], data: st.DataObject) -> bytes:
    """Return bytes of which some are others, or that are others altogether."""
    if data.draw(st.integers(0, 9)) == 0:
        return data.draw(st.binary(max_size=200))
    piece = st.binary(max_size=4) | st.sampled_from(pieces)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = start + data.draw(st.integers(0, 8))
        content = content[:start] + data.draw(piece) + content[end:]
    return content


def _texts(path: Path) -> None:
    sheet = check_sheet({"mine": DATASET}, Datasets, where="mine.yaml").root["mine"].model_dump()
    prepare_corpus(path, sheet=sheet, examples={}, seed=1)


def _archived_texts(path: Path) -> None:
    changed = DATASET | {"file": "texts.tar.gz", "member": "*.csv"}
    sheet = check_sheet({"mine": changed}, Datasets, where="mine.yaml").root["mine"].model_dump()
    prepare_corpus(path, sheet=sheet, examples={}, seed=1)


def _parquet() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"text": ["one", "two"], "label": ["0", "1"]}), file)
    return file.getvalue()


def _tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("texts.csv")
        member.size = len(CSV)
        archive.addfile(member, io.BytesIO(CSV))
    return file.getvalue()


def _packed(path: Path) -> None:
    """Read an archive whose checksum fits, whatever it holds."""
    path.write_bytes(gzip.compress(path.read_bytes()))
    _archived_texts(path)


def _winogender(path: Path) -> None:
    sheet = ProbeSheet(**_sheet("config/probes/winogender.yaml"))
    import_probe("winogender").prompts(path, sheet=sheet, name="winogender", seed=1)


def _norms(path: Path) -> None:
    sheet = ProbeSheet(**_sheet("config/probes/professional.yaml"))
    import_probe("professional").prompts(path, sheet=sheet, name="professional", seed=1)


CSV = b"text,label\none,0\ntwo,1\n"
PAIRS = f"{pairs.HEADER}race,Greek,Thai\nrace,Thai,Greek\n".encode()
CELLS = [b",", b"\n", b"\r", b'"', b"\0", b"\xff", b"\xef\xbb\xbf", b"-1", b"9" * 5000, b"nan"]
SIGNS = [*CELLS, b"[" * 5000, b"{", b"}", b"\\ud83d", b"null", b"1e999", b": ", b"!!bool ", b"&a "]
SIGNS += [
    b"*a",
    b"<<: ",
    b"? ",
    b"- ",
    b"!!map ",
    b"!!set ",
    b"!!timestamp ",
    b"!!binary ",
    b"--- ",
]
FILES: dict[str, tuple[str, bytes, ResponseParser]] = {
    "texts as CSV": ("texts.csv", CSV, _texts),
    "texts as JSON lines": ("texts.jsonl", b'{"text": "one", "label": ["0"]}\n', _texts),
    "texts as Parquet": ("texts.parquet", _parquet(), _texts),
    "an archive": ("texts.tar.gz", gzip.compress(_tarred()), _archived_texts),
    "what an archive holds": ("texts.tar.gz", _tarred(), _packed),
    "pairs": ("pairs.csv", PAIRS, lambda path: read_own_pairs(path, attributes=["race"])),
    "SBIC": (
        "SBIC.csv",
        b'post,targetCategory,targetMinority\na,"[""race""]","[""b""]"\n',
        lambda path: count_posts([path]),
    ),
    "a reader's answers": (
        "ada.csv",
        b"mutant_id,grammar,meaning\nm1,yes,no\n",
        lambda path: read_annotators_answers(OF_FORM, [path], known={"m1"}),
    ),
    "persons": (
        "adult.data",
        "\n".join(adult_lines(range(30, 31))).encode(),
        lambda path: list(read_adult(path)),
    ),
    "prompts about persons": (
        "prompts.jsonl",
        b'{"input": "age 39, workclass Private", "label": "yes"}\n',
        lambda path: list(read_prompts(path)),
    ),
    "templates of a probe": (
        "templates.tsv",
        b"occupation(0)\tother-participant(1)\tanswer\tsentence\n"
        b"chef\tguest\t0\tThe $OCCUPATION saw that $NOM_PRONOUN fell.\n",
        _winogender,
    ),
    "norms of a probe": (
        "norms.csv",
        (ROOT / "data" / "kotek" / "occupation_pairs.csv").read_bytes(),
        _norms,
    ),
    "a lock": ("jars.sha256", b"0" * 64 + b"  a/b.jar\n", read_lock),
    "a registry": ("registry.yaml", (ROOT / "data" / "registry.yaml").read_bytes(), read_registry),
    "a configuration": (
        "config.yaml",
        (ROOT / "config" / "config.yaml").read_bytes(),
        lambda path: read_sheet(path, Config),
    ),
    "models": (
        "models.yaml",
        (ROOT / "config" / "models.yaml").read_bytes(),
        lambda path: read_sheet(path, Models),
    ),
}


@pytest.mark.parametrize("name", FILES)
@few
@given(data=st.data())
def test_a_changed_file_is_read_or_refused(name: str, data: st.DataObject, folder: Path) -> None:
    file, content, read = FILES[name]
    path = write(folder / file, _edited(content, SIGNS, data))
    _reads_or_refuses(lambda: read(path))


# Answers from elsewhere.


@pytest.fixture(scope="module")
def given_answers(folder: Path) -> list[dict[str, Any]]:
    """Return sound answers to a suite that was exported to the folder."""
    return answers.sound(folder)


@few
@given(data=st.data())
def test_changed_answers_are_read_or_refused(
    data: st.DataObject, folder: Path, given_answers: list[dict[str, Any]]
) -> None:
    rows = copy.deepcopy(given_answers)
    row = data.draw(st.sampled_from(rows))
    for name in ("label", "scores", "answer", "input_id", "suite"):
        if data.draw(st.booleans()):
            row[name] = data.draw(
                VALUES.map(lambda value: json.loads(json.dumps(value, default=str)))
            )
    lines = "".join(f"{json.dumps(each)}\n" for each in rows).encode()
    edited = _edited(lines, SIGNS, data) if data.draw(st.booleans()) else lines
    path = write(folder / "answers.jsonl", edited)
    _reads_or_refuses(lambda: answers.read(folder, path))


# Answers in words.

NAMES = [LABELS, ["Article 3", "Article 8", "Article 10"], ["C++", "a.b", "(x)", "Straße", "No 4"]]
READERS = [
    (set(names), AnswerParser(names, multi_label=multi_label, none="None"))
    for names in NAMES
    for multi_label in (True, False)
]
WORDS = ["Article", "3", "8", "10", "not", "no", "None", "neither", "I'm sorry", "cannot", "and"]
SEPARATORS = [
    "\n\n",
    ", ",
    ".",
    ":",
    "-",
    "' ",
    "(x)",
    "C++",
    "İ",
    "ß",
    "\0",
    "Question:",
    "Answer:",
]
PIECES = st.sampled_from([*LABELS, *WORDS, *SEPARATORS])
ANSWERS = st.text(st.characters(exclude_categories=[])) | st.lists(PIECES, max_size=40).map(
    " ".join
)


@many
@given(ANSWERS, st.booleans())
def test_any_answer_has_a_reading_inside_the_labels(answer: str, cut: bool) -> None:
    for labels, reader in READERS:
        status, outcome, words, scores = reader.read(answer, cut=cut)
        assert status in (Status.OK, Status.NONE, Status.REFUSED, Status.UNPARSED)
        assert (words, scores) == (answer, None)
        assert (status == Status.OK) == (outcome is not None)
        assert set(outcome or ()) <= labels
    assert FreeTextParser().read(answer, cut=cut).answer == answer
