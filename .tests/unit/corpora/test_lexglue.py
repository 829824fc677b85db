"""The paper's datasets, in the archives that their authors publish, and samples as users' files."""

import gzip
import io
import json
import tarfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hinter.config import Datasets, check_sheet, read_sheet
from hinter.corpora import CORPUS_SCHEMA, Counts, label_names, prepare_corpus
from hinter.corpora.rows import read_rows
from hinter.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
FIXTURES = DATA / "lexglue_fixtures"
SPLITS = {"train": "training", "dev": "validation", "test": "held_out"}
# Dataset: file, text column, label column, and the labels of the six texts.
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
REVIEWS = {
    "aclImdb/README": "about the reviews",
    "aclImdb/imdb.vocab": "the and",
    "aclImdb/test/urls_pos.txt": "http://example.org",
    "aclImdb/test/neg/0_2.txt": "Dull.<br /><br />Very dull.",
    "aclImdb/test/pos/0_9.txt": "Fun caf\u00e9 scenes.",
    "aclImdb/train/unsup/0_0.txt": "Unrated.",
    "aclImdb/train/neg/10_1.txt": "Poor.",
    "aclImdb/train/neg/2_3.txt": "Worse.",
    "aclImdb/train/pos/1_8.txt": "Good.",
    "aclImdb/train/pos/0_7.txt": "Better.",
}


def _pack(path: Path, members: Mapping[str, str | bytes]) -> Path:
    """Write an archive with a folder, a link and these members, in their order."""
    with tarfile.open(path, "w:gz") as archive:
        for name, kind in [("sub", tarfile.DIRTYPE), ("sub/link.jsonl", tarfile.SYMTYPE)]:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "nowhere"
            archive.addfile(member)
        for name, content in members.items():
            data = content if isinstance(content, bytes) else content.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def _official(name: str) -> dict[str, Any]:
    return read_sheet(ROOT / "config" / "datasets.yaml", Datasets).root[name].model_dump()


def _sheet(**keys: Any) -> dict[str, Any]:
    document = {"about": "ours", "file": "texts.csv", "splits": {"tested": None}} | keys
    sheets = check_sheet({"mine": document}, Datasets, where="mine.yaml")
    return sheets.root["mine"].model_dump()


def _prepare(
    path: Path, sheet: Mapping[str, Any], **examples: tuple[str, ...]
) -> tuple[list[dict[str, Any]], Counts]:
    named = {name.replace("_", ":"): labels for name, labels in examples.items()}
    table, counts = prepare_corpus(path, sheet=sheet, examples=named, seed=1)
    assert table.schema == CORPUS_SCHEMA
    return table.to_pylist(), counts


def _refusal(path: Path, *, member: str | None) -> str:
    """The one line on an archive (or another file) that cannot be read."""
    with pytest.raises(InputError) as caught:
        list(read_rows(path, member=member))
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def _fixture(name: str) -> str:
    path = FIXTURES / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip("the samples of LexGLUE are not here")
    return path.read_text(encoding="utf-8")


def _sample(name: str) -> Path:
    path = DATA / name
    if not path.is_file():
        pytest.skip("the samples of the paper's datasets are not here")
    return path


# LexGLUE.


@pytest.mark.parametrize("dataset", LEXGLUE)
@pytest.mark.parametrize("folder", ["", "./"])
def test_official_archive_makes_the_corpus(folder: str, dataset: str, tmp_path: Path) -> None:
    name, text, label, labels = LEXGLUE[dataset]
    content = _fixture(name)
    path = _pack(tmp_path / f"{name}.tar.gz", {f"{folder}{name}.jsonl": content})
    sheet = _official(dataset)
    assert (sheet["file"], sheet["text"], sheet["label"]) == (path.name, text, label)
    rows, counts = _prepare(path, sheet)
    assert counts == Counts(rows=6, texts=6)
    read = [json.loads(line) for line in content.splitlines()]
    texts = [row[text] if isinstance(row[text], str) else "\n".join(row[text]) for row in read]
    found = {row["text"]: row for row in rows}
    assert found.keys() == set(texts)
    assert [set(found[key]["labels"]) for key in texts] == labels
    assert [found[key]["split"] for key in texts] == [SPLITS[row["data_type"]] for row in read]
    assert all(row["tested"] for row in rows)


def test_examples_of_an_official_archive_are_rows_of_its_splits(tmp_path: Path) -> None:
    path = _pack(tmp_path / "ecthr.tar.gz", {"ecthr.jsonl": _fixture("ecthr")})
    rows, _ = _prepare(path, _official("ecthr_a"), train_1=(), train_2=("Article 6",))
    assert Counter(row["split"] for row in rows) == {
        "examples": 2,
        "training": 1,
        "validation": 1,
        "held_out": 2,
    }
    (first,) = (row for row in rows if row["example"] == "train:1")
    assert "LIECHTENSTEIN" not in first["text"] and first["labels"] == []
    with pytest.raises(InputError, match=r"found the labels \(Article 6\); expected \(\)"):
        _prepare(path, _official("ecthr_a"), train_2=())
    with pytest.raises(InputError, match="found no row 3 of 'train'"):
        _prepare(path, _official("ecthr_a"), train_3=())


def test_labels_beside_those_of_a_dataset_of_one_label_each_are_refused(tmp_path: Path) -> None:
    path = _pack(tmp_path / "ledgar.tar.gz", {"ledgar.jsonl": _fixture("ledgar")})
    sheet = _official("ledgar")
    sheet["label_names"].remove("Erisa")
    with pytest.raises(InputError, match=r"jsonl, line 2, column 'clause_type': found the label"):
        _prepare(path, sheet)


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
    path = _pack(tmp_path / "aclImdb_v1.tar.gz", REVIEWS)
    rows, counts = _prepare(path, _official("imdb_50k"), train_3=("positive",))
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


def test_text_files_are_rows_in_the_archives_order(tmp_path: Path) -> None:
    path = _pack(tmp_path / "a.tar.gz", REVIEWS)
    rows = list(read_rows(path, member="aclImdb/train/[np]*/*.txt"))
    names = [name for name in REVIEWS if "/train/neg/" in name or "/train/pos/" in name]
    assert [place for place, _ in rows] == [f"{path}, member {name}" for name in names]
    assert rows[0][1] == {
        "folder": "aclImdb/train/neg",
        "folder_1": "aclImdb",
        "folder_2": "train",
        "folder_3": "neg",
        "text": "Poor.",
    }


@pytest.mark.parametrize(
    ("pattern", "number"),
    [
        ("aclImdb/*/*/*.txt", 7),
        ("./aclImdb/*/pos/*.txt", 3),
        ("aclImdb/*.txt", 0),
        ("aclImdb/*", 2),
        ("*.txt", 0),
        ("*/*/*.txt", 1),
        ("aclImdb/train/pos/0_7.txt", 1),
        ("train/pos/0_7.txt", 0),
    ],
)
def test_star_stands_for_names_within_one_folder(pattern: str, number: int, tmp_path: Path) -> None:
    path = _pack(tmp_path / "a.tar.gz", REVIEWS)
    if number:
        assert len(list(read_rows(path, member=pattern))) == number
    else:
        assert f"found no member '{pattern}'" in _refusal(path, member=pattern)


def test_lines_of_a_text_file_are_kept_as_they_are(tmp_path: Path) -> None:
    text = "\ufeffone\r\ntwo \u2028 three\n\n four"
    path = _pack(tmp_path / "a.tar.gz", {"a.txt": text})
    ((_, row),) = read_rows(path, member="a.txt")
    assert row == {"folder": "", "text": text[1:]}


# Members, good and bad.


def test_csv_and_json_members_give_their_rows(tmp_path: Path) -> None:
    members = {
        "a.csv": '\ufefftext,label\r\n"one\r\ntwo, ""three""",1\r\n',
        "b.jsonl": '{"text": "four", "label": 0}\n',
    }
    path = _pack(tmp_path / "a.tar.gz", members)
    assert list(read_rows(path, member="a.csv")) == [
        (f"{path}, member a.csv, line 2", {"text": 'one\r\ntwo, "three"', "label": "1"})
    ]
    assert list(read_rows(path, member="?.*"))[1] == (
        f"{path}, member b.jsonl, line 1",
        {"text": "four", "label": 0},
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"text": "a"}\n{"text": }\n', "line 2: found broken JSON (Expecting value at column 10)"),
        ('{"text": "a"}\n[]\n', "line 2: found []; expected one JSON object per line."),
        (b'{"text": "a"}\n{"text": "caf\xe9"}\n', "line 2: found the byte 0xe9; expected UTF-8"),
    ],
)
def test_broken_line_of_a_member_is_named(content: str | bytes, said: str, tmp_path: Path) -> None:
    path = _pack(tmp_path / "a.tar.gz", {"a/texts.jsonl": content})
    assert f"{path}, member a/texts.jsonl, {said}" in _refusal(path, member="a/texts.jsonl")


def test_broken_text_file_is_named(tmp_path: Path) -> None:
    path = _pack(tmp_path / "a.tar.gz", {"a/0.txt": "fine", "a/1.txt": b"fine\n\xff"})
    said = f"{path}, member a/1.txt, line 2: found the byte 0xff; expected UTF-8 text."
    assert said in _refusal(path, member="a/*.txt")


@pytest.mark.parametrize(
    ("content", "said"), [("a\0b", "the character U+0000"), (" \n", "no text"), ("", "no text")]
)
def test_text_file_without_a_usable_text_is_refused(
    content: str, said: str, tmp_path: Path
) -> None:
    path = _pack(tmp_path / "a.tar.gz", {"a/0.txt": content})
    place = f"{path}, member a/0.txt, column 'text': found {said}; expected a text."
    with pytest.raises(InputError) as caught:
        _prepare(path, _sheet(member="a/*.txt", text="text"))
    assert str(caught.value).startswith(place)


def test_missing_member_is_told_with_what_is_there(tmp_path: Path) -> None:
    members = {name: "" for name in ("a.txt", "b/c.txt", "d.txt", "e.txt")}
    path = _pack(tmp_path / "a.tar.gz", members)
    found = "found no member 'ecthr.jsonl' (it begins with a.txt, b/c.txt, d.txt); expected"
    assert found in _refusal(path, member="ecthr.jsonl")


def test_archive_without_a_member_and_member_without_an_archive_are_refused(
    tmp_path: Path,
) -> None:
    assert "found no `member`;" in _refusal(_pack(tmp_path / "a.tar.gz", {}), member=None)
    (tmp_path / "a.csv").write_text("text\na\n", encoding="utf-8")
    assert "found the member 'a.csv';" in _refusal(tmp_path / "a.csv", member="a.csv")


def _damaged(whole: bytes) -> dict[str, bytes]:
    unpacked = gzip.decompress(whole)
    half = len(unpacked) // 1024 * 512
    broken = unpacked[:half] + b"?" * 512 + unpacked[half + 512 :]
    return {
        "nothing": b"",
        "no archive": b"text,label\na,1\n",
        "not packed": unpacked,
        "half of it": whole[: len(whole) // 2],
        "all but its end": whole[:-4],
        "another checksum": whole[:-8] + bytes(4) + whole[-4:],
        "half of the members": gzip.compress(unpacked[:half]),
        "a member cut off": gzip.compress(unpacked[: half + 100]),
        "a broken header": gzip.compress(broken),
    }


@pytest.mark.parametrize("damage", _damaged(gzip.compress(b"")))
def test_damaged_archive_is_refused_and_nothing_of_it_is_lost_in_silence(
    damage: str, tmp_path: Path
) -> None:
    # Empty files, so that each block is a header.
    whole = _pack(tmp_path / "a.tar.gz", {f"{number}.txt": "" for number in range(40)})
    assert len(list(read_rows(whole, member="*.txt"))) == 40
    path = tmp_path / "b.tar.gz"
    path.write_bytes(_damaged(whole.read_bytes())[damage])
    assert "; expected a whole .tar.gz archive. Fetch" in _refusal(path, member="*.txt")


# Samples of the paper's datasets as users' own files.


def _users_corpus(path: Path, sheet: dict[str, Any]) -> Sequence[dict[str, Any]]:
    rows, counts = _prepare(path, sheet)
    assert len(rows) == counts.texts == counts.rows - counts.duplicates - counts.left_out_by_filter
    return rows


def test_sample_of_ecthr_is_a_users_file() -> None:
    names = label_names(_official("ecthr_a"))
    sheet = _sheet(
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
    sheet = _sheet(text="provision", label="label", label_names=names)
    rows = _users_corpus(_sample("ledgar/ledgar_500.parquet"), sheet)
    assert all(len(row["labels"]) == 1 for row in rows)
    assert len(rows) > 490


def test_sample_of_scotus_is_a_users_file() -> None:
    names = {f"{key}.0": name for key, name in _official("scotus")["label_names"].items()}
    sheet = _sheet(
        text="text", label="issueArea", label_names=names, where={"issueArea": list(names)}
    )
    rows = _users_corpus(_sample("scotus/scotus_opinions.parquet"), sheet)
    assert {label for row in rows for label in row["labels"]} <= set(names.values())
    assert len(rows) > 200


def test_sample_of_eurlex_is_a_users_file() -> None:
    sheet = _sheet(
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
    from_archive, _ = _prepare(_pack(tmp_path / "a.tar.gz", members), sheet)
    pq.write_table(table, tmp_path / "a.parquet")
    own = _sheet(
        text="text",
        label="label",
        label_names={"0": "negative", "1": "positive"},
        replacements={"<br />": " "},
        split_column="split",
        splits={"tested": None, "training": "train"},
    )
    assert _prepare(tmp_path / "a.parquet", own)[0] == from_archive
