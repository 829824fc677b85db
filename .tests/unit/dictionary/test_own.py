"""Word pairs and groups of a user's own: read, added to the sheets, or refused with their lines."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import build_dictionary
import pytest
import yaml
from hinter.config import read_config
from hinter.contents import check_contents
from hinter.dictionary import WordPair, build_pairs, read_own_pairs, read_pairs
from hinter.errors import InputError
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
AUTHORS = ROOT.parent / "shared" / "reference" / "hinter" / "word_pairs.csv"
NEEDED = "attribute,source,target"
SMALL = ["gender,man,woman", "gender,woman,man", "race,Nigerian,Irish"]


def _file(folder: Path, *rows: str, columns: str = NEEDED) -> Path:
    path = folder / "mine.csv"
    path.write_text("\n".join([columns, *rows, ""]), encoding="utf-8")
    return path


def _refusal(folder: Path, *rows: str, columns: str = NEEDED) -> str:
    with pytest.raises(InputError) as refused:
        read_own_pairs(_file(folder, *rows, columns=columns), attributes=["gender", "race"])
    return str(refused.value).removeprefix(f"{folder}/")


def test_rows_are_directed_pairs_of_the_studys_attributes(tmp_path: Path) -> None:
    path = _file(tmp_path, *SMALL, "body,tall,short")
    pairs = build_pairs(read_own_pairs(path, attributes=["gender", "race"]))
    assert [pair.pair_id for pair in pairs] == [
        "gender:man>woman",
        "gender:woman>man",
        "race:Nigerian>Irish",
    ]
    assert {(pair.attribute, pair.source_group, pair.target_group) for pair in pairs} == {
        ("gender", "gender", "gender"),
        ("race", "race", "race"),
    }


def test_groups_are_read_and_other_columns_are_not(tmp_path: Path) -> None:
    columns = "note,target_group,attribute,source,target,source_group"
    path = _file(tmp_path, "x,european,race,Nigerian,Irish,african", columns=columns)
    (pair,) = build_pairs(read_own_pairs(path, attributes=["race"]))
    assert (pair.source_group, pair.target_group) == ("african", "european")
    assert (pair.source, pair.target) == ("Nigerian", "Irish")


@pytest.mark.parametrize("missing", ["attribute", "source", "target", "source_group"])
def test_a_missing_column_is_named(missing: str, tmp_path: Path) -> None:
    columns = [*NEEDED.split(","), "source_group", "target_group"]
    columns.remove(missing)
    row = ",".join("a" for _ in columns)
    said = _refusal(tmp_path, row, columns=",".join(columns))
    assert said.startswith(f"mine.csv, line 1: found the columns {', '.join(columns)};")
    assert f"expected a column '{missing}'. Add it: " in said


def test_an_empty_file_has_no_pairs(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.touch()
    with pytest.raises(InputError, match="found pairs of no attribute; expected pairs of each"):
        read_own_pairs(path, attributes=["gender"])


def test_pairs_are_read_as_spreadsheets_write_them_and_all_faults_are_told(tmp_path: Path) -> None:
    path = _file(tmp_path, *SMALL)
    expected = read_own_pairs(path, attributes=["gender", "race"])
    path.write_text("\ufeff" + path.read_text().replace(",", ";"), encoding="utf-8")
    assert read_own_pairs(path, attributes=["gender", "race"]) == expected
    first, second, third = _refusal(tmp_path, "gender,man,", "Gender,a,b").splitlines()
    assert first == "mine.csv: found 2 faults; expected none. These are all:"
    assert ("line 2, column 'target'" in second, "line 3, column 'attribute'" in third) == (
        True,
        True,
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("gender,man,", "line 5, column 'target': found nothing; expected words of"),
        ("gender,man", "line 5: found 2 fields; expected the 3 fields of the header"),
        ("gender,ma.*n,woman", "line 5, column 'source': found 'ma.*n'; expected words of"),
        ("Gender,man,women", "line 5, column 'attribute': found 'Gender'; expected a name of"),
        ("gender,men,MEN", "line 5: found a pair of a term with itself (line 5);"),
        ("gender,Man,woman", "line 5: found a repeated pair (line 5);"),
        ("race,man,Irish", "line 5: found a term of two attributes (line 5);"),
        (
            'gender,"man,woman',
            "line 5: found broken quotes (unexpected end of data); expected a row of CSV.",
        ),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_with_its_line(
    row: str, said: str, tmp_path: Path
) -> None:
    assert _refusal(tmp_path, *SMALL, row).startswith(f"mine.csv, {said}")


def test_rows_to_remove_are_told_all_at_once(tmp_path: Path) -> None:
    rows = ["gender,man,man", *SMALL, "race,Irish,woman", "gender,man,Woman"]
    assert _refusal(tmp_path, *rows) == (
        "mine.csv, lines 2, 6, 7: found a pair of a term with itself (line 2) and a repeated pair "
        "(line 7) and a term of two attributes (line 6); expected pairs of two terms, each pair "
        "once and each term in one attribute. Remove these rows."
    )


def test_an_attribute_without_pairs_is_refused(tmp_path: Path) -> None:
    said = _refusal(tmp_path, SMALL[0])
    assert "found pairs of gender; expected pairs of each attribute of the study" in said


def _study(pairs: Path, folder: Path, **changes: Any) -> Study:
    config: dict[str, Any] = {
        "seed": 1,
        "datasets": ["imdb"],
        "models": ["minilm"],
        "attributes": ["gender", "race"],
        "orders": [1, 2],
        "pairs": str(pairs),
        "folder": str(folder),
    }
    return Study(read_config(config | changes))


def test_a_study_of_own_pairs_is_refused_while_it_is_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(ROOT)
    check_contents(_study(_file(tmp_path, *SMALL), tmp_path))
    with pytest.raises(InputError, match=r"mine.csv, line 5: found a pair of a term with itself"):
        check_contents(_study(_file(tmp_path, *SMALL, "race,Irish,irish"), tmp_path))
    with pytest.raises(InputError, match="key 'pairs': found nothing at"):
        _study(tmp_path / "none.csv", tmp_path)
    # Neutral words stay neutral beside terms of the user's own.
    assert not caplog.text
    check_contents(_study(_file(tmp_path, *SMALL, "race,movie,Irish"), tmp_path))
    assert "terms of yours have their words: movie" in caplog.text


def test_own_pairs_take_the_place_of_the_curated_ones(tmp_path: Path) -> None:
    study = _study(_file(tmp_path, *SMALL), tmp_path)
    assert [Path(path).stem for path in study.curations()["dictionary"]] == ["control"]
    groups, pairs = tmp_path / "groups.csv", tmp_path / "pairs.csv"
    build_dictionary.main(
        dictionary=[str(ROOT / path) for path in study.curations()["dictionary"]],
        posts=str(ROOT / "data" / "sbic" / "group_posts.csv"),
        attributes=["gender", "race"],
        operators=["literal"],
        own=str(tmp_path / "mine.csv"),
        groups=str(groups),
        pairs=str(pairs),
    )
    sensitive = [pair for pair in read_pairs(pairs) if pair.attribute != "control"]
    assert [f"{pair.attribute},{pair.source},{pair.target}" for pair in sensitive] == SMALL
    with groups.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["attribute"] == "race"]
    assert [(row["term"], row["posts"]) for row in rows] == [("Irish", "0"), ("Nigerian", "0")]


def test_what_a_study_wrote_can_be_read_as_own_pairs(tmp_path: Path) -> None:
    test_own_pairs_take_the_place_of_the_curated_ones(tmp_path)
    again = read_own_pairs(tmp_path / "pairs.csv", attributes=["gender", "race"])
    assert build_pairs(again) == [
        pair for pair in read_pairs(tmp_path / "pairs.csv") if pair.attribute != "control"
    ]


def test_the_authors_list_is_read_once_the_refused_rows_are_removed(tmp_path: Path) -> None:
    if not AUTHORS.is_file():
        pytest.skip(f"the authors' word pairs are not here ({AUTHORS.name})")
    attributes = ["body", "gender", "race"]
    with pytest.raises(InputError) as refused:
        read_own_pairs(AUTHORS, attributes=attributes)
    told = str(refused.value).partition(", lines ")[2].partition(":")[0]
    removed = {int(number) for number in told.split(", ")}
    assert removed == {4052, 4055, 4080, 4604, 4607, 4632, 5763, 5880}
    lines = AUTHORS.read_text(encoding="utf-8").splitlines()
    kept = [line for number, line in enumerate(lines, start=1) if number not in removed]
    path = _file(tmp_path, *kept[1:], columns=kept[0])
    pairs = build_pairs(read_own_pairs(path, attributes=attributes))
    assert len(pairs) == 5886 - len(removed)


HOUSING = {"owner": ["car owner", "home owner"], "tenant": ["tenant"]}
Build = Callable[..., list[WordPair]]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Return a function that makes the word pairs of a study with a sheet of own groups."""
    monkeypatch.chdir(ROOT)

    def built(attributes: Sequence[str], *, operator: str, **sheet: Any) -> list[WordPair]:
        own = tmp_path / "mine.yaml"
        own.write_text(yaml.safe_dump(sheet, sort_keys=False), "utf-8")
        default = yaml.safe_load((ROOT / "config" / "config.yaml").read_text("utf-8"))
        changes = {"attributes": attributes, "own_groups": [str(own)], "orders": [1]}
        changes |= {"mutation": {"operators": [operator]}}
        changes |= {"primary": {"order": 1, "measure": "bias"}}
        study = Study(read_config(default | changes))
        build_dictionary.main(
            **study.curations(),
            posts=str(ROOT / "data" / "sbic" / "group_posts.csv"),
            attributes=attributes,
            operators=[operator],
            persons=study.persons(),
            own_groups=study.config.own_groups,
            groups=str(tmp_path / "groups.csv"),
            pairs=str(tmp_path / "pairs.csv"),
        )
        described = study.mutation()[0].get("persons") or {"descriptors": []}
        assert operator != "describe" or sheet["attribute"] in {
            one["attribute"] for one in described["descriptors"]
        }
        return read_pairs(tmp_path / "pairs.csv")

    return built


def _targets(pairs: Sequence[WordPair], *, of: str) -> set[tuple[str, str]]:
    return {(pair.target_group, pair.target) for pair in pairs if pair.attribute == of}


def test_two_keys_make_a_new_attribute_beside_those_of_the_project(build: Build) -> None:
    groups = {"owner": ["home-owning"], "tenant": ["renting"]}
    pairs = build(["age", "housing"], operator="describe", attribute="housing", groups=groups)
    assert _targets(pairs, of="housing") == {("owner", "home-owning"), ("tenant", "renting")}
    assert {pair.attribute for pair in pairs} == {"age", "housing", "control"}
    [pair] = [pair for pair in pairs if pair.pair_id == "housing:doctor>renting"]
    assert (pair.source_group, pair.target_group) == ("undescribed", "tenant")


def test_groups_are_added_to_those_of_an_attribute_of_the_project(build: Build) -> None:
    alone = {"uyghur": ["Uyghur"], "korean": ["North-Korean"]}
    pairs = build(["race"], operator="describe", attribute="race", groups=alone)
    targets = _targets(pairs, of="race")
    assert {("uyghur", "Uyghur"), ("korean", "North-Korean"), ("korean", "Korean")} <= targets
    assert len({group for group, _ in targets}) > 10


@pytest.mark.parametrize("attribute", ["housing", "body"])
def test_terms_are_replaced_by_those_of_other_groups(build: Build, attribute: str) -> None:
    pairs = build(
        [attribute],
        operator="literal",
        attribute=attribute,
        groups=HOUSING,
        word_class="noun_singular",
    )
    found = {pair.pair_id for pair in pairs}
    assert {f"{attribute}:car_owner>tenant", f"{attribute}:tenant>home_owner"} <= found
    assert f"{attribute}:car_owner>home_owner" not in found
    assert ("body:able-bodied>deaf" in found) == (attribute == "body")


def test_a_neutral_term_with_an_own_word_is_left_out_and_named(
    build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    pairs = build(["housing"], operator="literal", attribute="housing", groups=HOUSING)
    neutral = {pair.source for pair in pairs if pair.attribute == "control"}
    assert "film" in neutral
    assert neutral.isdisjoint({"automobile", "car"})
    assert "terms of yours have their words: car" in caplog.text


def test_a_neutral_descriptor_with_an_own_word_is_left_out_and_named(
    build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    groups = {"near": ["local"], "far": ["foreign-born"]}
    pairs = build(["origin"], operator="describe", attribute="origin", groups=groups)
    assert ("near", "local") in _targets(pairs, of="origin")
    assert "local" not in {target for _, target in _targets(pairs, of="control")}
    assert "left out, as groups of yours have them: local" in caplog.text


def test_made_up_descriptors_are_further_controls(build: Build) -> None:
    sheet = yaml.safe_load((ROOT / "config" / "nonce.yaml").read_text("utf-8"))
    pairs = build(["age"], operator="describe", **sheet)
    groups = _targets(pairs, of="control")
    assert {("nonce_bolvic", "bolvic"), ("local", "local")} <= groups
    assert len(groups) == 31 + len(sheet["groups"])


def test_own_neutral_terms_are_further_controls(build: Build) -> None:
    groups = {"sofa": ["sofa"], "couch": ["couch"]}
    pairs = build(
        ["age"], operator="literal", attribute="control", groups=groups, word_class="noun_singular"
    )
    assert {"couch", "movie"} <= {target for _, target in _targets(pairs, of="control")}


@pytest.mark.parametrize("operator", ["describe", "literal"])
def test_a_new_attribute_has_two_groups(build: Build, operator: str) -> None:
    groups = {"owner": ["home-owning"]}
    with pytest.raises(InputError, match="the only group 'owner'; expected two groups or more"):
        build(["housing"], operator=operator, attribute="housing", groups=groups)


def test_groups_have_their_rows_in_the_table_of_groups(build: Build, tmp_path: Path) -> None:
    build(["housing"], operator="literal", attribute="housing", groups=HOUSING)
    with (tmp_path / "groups.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["group"], row["term"]) for row in csv.DictReader(file)}
    assert {("owner", "car owner"), ("tenant", "tenant")} <= rows
