"""The paper's datasets, in the archives that their authors publish, and samples as users' files.

Texts in the schemas of these archives are the rehearsal's, which are made up, and samples of the
real ones where they are present.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hinter.config import Datasets, read_sheet
from hinter.corpora import Counts, label_names
from hinter.errors import InputError
from packing import REVIEWS, pack, prepare_packed
from users_files import users_sheet

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
MADE_UP, SAMPLES = ROOT / "data" / "rehearsal", DATA / "lexglue_fixtures"
SPLITS = {"train": "training", "dev": "validation", "test": "held_out"}
# Dataset: file, text column, label column, and the labels of the six texts of its sample.
LEXGLUE: dict[str, tuple[str, str, str, list[set[str]]]] = {
    "ecthr_a": (
        "ecthr",
        "facts",
        "violated_articles",
        [{"Article 8"}, set(), {"Article 6"}, set(), {"Article 3"}, {"Article 8"}],
    ),
    "scotus": (
        "scotus",
        "text",
        "issueArea",
        [
            {"Economic Activity"},
            {"Economic Activity"},
            {"Criminal Procedure"},
            {"Economic Activity"},
            {"Criminal Procedure"},
            {"Due Process"},
        ],
    ),
    "eurlex": (
        "eurlex",
        "text",
        "labels",
        [
            {
                "monetary economics",
                "Europe",
                "budget",
                "political geography",
                "public finance and budget policy",
                "economic geography",
            },
            {"international trade", "cooperation policy", "tariff policy", "plant product"},
            {"prices", "plant product", "agricultural policy"},
            {
                "deterioration of the environment",
                "research and intellectual property",
                "documentation",
                "European Union law",
                "technology and technical regulations",
                "energy policy",
                "environmental policy",
            },
            {
                "Europe",
                "political geography",
                "international security",
                "international affairs",
                "economic geography",
            },
            {"prices", "trade", "plant product", "agricultural policy"},
        ],
    ),
    "ledgar": (
        "ledgar",
        "text",
        "clause_type",
        [
            {"Waivers"},
            {"Erisa"},
            {"Amendments"},
            {"Amendments"},
            {"Construction"},
            {"Specific Performance"},
        ],
    ),
}


def _official(name: str) -> dict[str, Any]:
    return read_sheet(ROOT / "config" / "datasets.yaml", Datasets).root[name].model_dump()


# The same of the first and the last made-up text.
FIRST_AND_LAST: dict[str, list[set[str]]] = {
    "ecthr_a": [{"Article 5"}, set()],
    "scotus": [{"Criminal Procedure"}, {"Judicial Power"}],
    "eurlex": [
        {"health", "labour market"},
        {"tariff policy", "iron, steel and other metal industries"},
    ],
    "ledgar": [{"Waivers"}, {"Headings"}],
}


def _lines(name: str, *, folder: Path = MADE_UP) -> str:
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip("the samples of LexGLUE are not here")
    return path.read_text(encoding="utf-8")


def _sample(name: str) -> Path:
    path = DATA / name
    if not path.is_file():
        pytest.skip("the samples of the paper's datasets are not here")
    return path


@pytest.mark.parametrize("dataset", LEXGLUE)
@pytest.mark.parametrize("texts", [MADE_UP, SAMPLES], ids=lambda path: path.name)
@pytest.mark.parametrize("folder", ["", "./"])
def test_official_archive_makes_the_corpus(
    folder: str, texts: Path, dataset: str, tmp_path: Path
) -> None:
    name, text, label, labels = LEXGLUE[dataset]
    content = _lines(name, folder=texts)
    path = pack(tmp_path / f"{name}.tar.gz", {f"{folder}{name}.jsonl": content})
    sheet = _official(dataset)
    assert (sheet["file"], sheet["text"], sheet["label"]) == (path.name, text, label)
    rows, counts = prepare_packed(path, sheet)
    read = [json.loads(line) for line in content.splitlines()]
    assert replace(counts, other_labels=0) == Counts(rows=len(read), texts=len(read))
    keys = [row[text] if isinstance(row[text], str) else "\n".join(row[text]) for row in read]
    found = {row["text"]: row for row in rows}
    assert found.keys() == set(keys)
    given = [set(found[key]["labels"]) for key in keys]
    if texts == SAMPLES:
        assert given == labels
    else:
        assert [given[0], given[-1]] == FIRST_AND_LAST[dataset]
    assert [found[key]["split"] for key in keys] == [SPLITS[row["data_type"]] for row in read]
    assert all(row["tested"] for row in rows)


@pytest.mark.parametrize("name", [name for name, *_ in LEXGLUE.values()])
def test_made_up_texts_have_the_columns_of_real_ones(name: str) -> None:
    made_up, real = (
        {tuple(json.loads(line)) for line in _lines(name, folder=folder).splitlines()}
        for folder in (MADE_UP, SAMPLES)
    )
    assert made_up == real


@pytest.mark.parametrize(
    ("texts", "first", "sizes"),
    [
        (MADE_UP, "The applicant company", {"training": 12, "validation": 4, "held_out": 6}),
        (SAMPLES, "Liechtenstein", {"training": 1, "validation": 1, "held_out": 2}),
    ],
    ids=["rehearsal", "samples"],
)
def test_examples_of_an_official_archive_are_rows_of_its_splits(
    texts: Path, first: str, sizes: dict[str, int], tmp_path: Path
) -> None:
    path = pack(tmp_path / "ecthr.tar.gz", {"ecthr.jsonl": _lines("ecthr", folder=texts)})
    sheet = _official("ecthr_a")
    rows, _ = prepare_packed(path, sheet, train_1=(), train_2=("Article 6",))
    assert Counter(row["split"] for row in rows) == {"examples": 2, **sizes}
    (found,) = (row for row in rows if row["example"] == "train:1")
    assert first in found["text"] and found["labels"] == []
    with pytest.raises(InputError, match=r"found the labels \(Article 6\); expected \(\)"):
        prepare_packed(path, sheet, train_2=())
    with pytest.raises(InputError, match="found no row 33 of 'train'"):
        prepare_packed(path, sheet, train_33=())


@pytest.mark.parametrize("texts", [MADE_UP, SAMPLES], ids=lambda path: path.name)
def test_labels_beside_those_of_a_dataset_of_one_label_each_are_refused(
    texts: Path, tmp_path: Path
) -> None:
    content = _lines("ledgar", folder=texts)
    path = pack(tmp_path / "ledgar.tar.gz", {"ledgar.jsonl": content})
    sheet = _official("ledgar")
    sheet["label_names"].remove("Erisa")
    with pytest.raises(InputError, match=r"jsonl, line 2, column 'clause_type': found the label"):
        prepare_packed(path, sheet)


@pytest.mark.parametrize(
    ("dataset", "first", "last", "number"),
    [
        ("ecthr_a", "Article 2", "Article 1 of Protocol 1", 10),
        ("scotus", "Criminal Procedure", "Private Action", 14),
        ("eurlex", "political framework", "United Nations", 100),
        ("ledgar", "Adjustments", "Withholdings", 100),
        ("imdb_50k", "negative", "positive", 2),
    ],
)
def test_labels_of_the_papers_datasets_are_all_there_in_order(
    dataset: str, first: str, last: str, number: int
) -> None:
    names = list(dict.fromkeys(label_names(_official(dataset)).values()))
    assert (names[0], names[-1], len(names)) == (first, last, number)


def test_labels_of_ledgar_are_the_published_ones() -> None:
    published = json.loads(_sample("ledgar/ledgar_label_options.json").read_text(encoding="utf-8"))
    assert list(label_names(_official("ledgar"))) == published


@pytest.mark.parametrize(
    ("concept", "name"),
    [
        ("100163", "political framework"),
        ("100170", "international affairs"),
        ("100174", "EU institutions and European civil service"),
        ("100252", "fisheries"),
        ("100277", "Europe"),
        ("100285", "United Nations"),
    ],
)
def test_concepts_of_eurovoc_have_their_names(concept: str, name: str) -> None:
    assert label_names(_official("eurlex"))[concept] == name


# The Large Movie Review Dataset: an archive of text files.


def test_archive_of_text_files_makes_the_corpus(tmp_path: Path) -> None:
    path = pack(tmp_path / "aclImdb_v1.tar.gz", REVIEWS)
    rows, counts = prepare_packed(path, _official("imdb_50k"), train_3=("positive",))
    assert counts == Counts(rows=7, left_out_by_filter=1, texts=6)
    assert {row["text"]: (row["split"], row["labels"]) for row in rows} == {
        "Dull.  Very dull.": ("held_out", ["negative"]),
        "Fun caf\u00e9 scenes.": ("held_out", ["positive"]),
        "Poor.": ("training", ["negative"]),
        "Worse.": ("training", ["negative"]),
        "Good.": ("training", ["positive"]),
        "Better.": ("examples", ["positive"]),
    }
    assert [row["text"] for row in rows if not row["tested"]] == ["Better."]


# Samples of the paper's datasets as users' own files.


def _users_corpus(path: Path, sheet: dict[str, Any]) -> Sequence[dict[str, Any]]:
    rows, counts = prepare_packed(path, sheet)
    assert len(rows) == counts.texts == counts.rows - counts.duplicates - counts.left_out_by_filter
    return rows


def test_sample_of_ecthr_is_a_users_file() -> None:
    names = label_names(_official("ecthr_a"))
    sheet = users_sheet(
        text="facts",
        label="violated_articles_regex",
        multi_label=True,
        label_names=names,
        other_labels="leave_out",
    )
    rows = _users_corpus(_sample("ecthr/ecthr_facts.parquet"), sheet)
    assert len(rows) == 200
    assert {label for row in rows for label in row["labels"]} <= set(names.values())


def test_sample_of_ledgar_is_a_users_file() -> None:
    names = _official("ledgar")["label_names"]
    sheet = users_sheet(text="provision", label="label", label_names=names)
    rows = _users_corpus(_sample("ledgar/ledgar_500.parquet"), sheet)
    assert all(len(row["labels"]) == 1 for row in rows)
    assert len(rows) > 490


def test_sample_of_scotus_is_a_users_file() -> None:
    names = {f"{key}.0": name for key, name in _official("scotus")["label_names"].items()}
    sheet = users_sheet(
        text="text", label="issueArea", label_names=names, where={"issueArea": list(names)}
    )
    rows = _users_corpus(_sample("scotus/scotus_opinions.parquet"), sheet)
    assert {label for row in rows for label in row["labels"]} <= set(names.values())
    assert len(rows) > 200


def test_sample_of_eurlex_is_a_users_file() -> None:
    sheet = users_sheet(
        text="text",
        label="eurovoc_ids",
        multi_label=True,
        label_names={"1301": "registration of a company"},
        other_labels="leave_out",
        splits={"tested": 100, "held_out": 50, "validation": 50, "training": None},
    )
    path = _sample("eurlex/eurlex_eurovoc.parquet")
    rows = _users_corpus(path, sheet)
    assert Counter(row["split"] for row in rows)["training"] == len(rows) - 200
    assert {label for row in rows for label in row["labels"]} == {"registration of a company"}


def test_sample_of_imdb_gives_the_reviews_that_an_archive_gives(tmp_path: Path) -> None:
    table = pq.read_table(_sample("imdb/imdb_train.parquet")).slice(0, 40)
    kept = table.to_pylist()
    names = {0: "neg", 1: "pos"}
    members = {
        f"aclImdb/train/{names[row['label']]}/{row['id']}_0.txt": row["text"] for row in kept
    }
    sheet = _official("imdb_50k")
    sheet["splits"] = {"tested": None, "training": "train"}
    from_archive, _ = prepare_packed(pack(tmp_path / "a.tar.gz", members), sheet)
    pq.write_table(table, tmp_path / "a.parquet")
    own = users_sheet(
        text="text",
        label="label",
        label_names={"0": "negative", "1": "positive"},
        replacements={"<br />": " "},
        split_column="split",
        splits={"tested": None, "training": "train"},
    )
    assert prepare_packed(tmp_path / "a.parquet", own)[0] == from_archive
