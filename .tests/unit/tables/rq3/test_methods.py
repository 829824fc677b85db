"""Methods side by side: finished studies of the same texts and models in one table."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import make_tables
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.assessments import ASSESSED_SCHEMA
from hinter.compared import compared_files
from hinter.errors import InputError
from hinter.mutation import RULES
from hinter.tables.rq3 import compared_studies, methods
from made_up import INPUTS, SETTINGS, TABLES, Answer, MadeUpStudy
from simulated import make_suite

DECLARED = {table.name: table for table in TABLES}
PAPER, OURS = "the paper's method", "this study"
ALL_RULES = {"operators": ["coherent"], "occurrences": [*RULES]}
# Original, pairs, and changes to a mutant of the test half that was read and is sound.
READ: list[tuple[str, dict[str, Any]]] = [
    ("o0|a:s>x", {}),
    ("o1|a:s>y", {}),
    # Read twice, it counts once.
    ("o1|a:s>y", {"sample": "comparators"}),
    ("o1|a:t>x", {}),
    ("o2|a:s>x", {"sound": False}),
    ("o2|a:t>x", {"half": "development"}),
    ("o3|a:t>x", {"tolerant": "pos"}),
    ("o3|a:s>x|b:s>z", {}),
    ("elsewhere|a:s>x", {}),
    ("o4|a:s>x", {"sample": "coherent", "about_operator": "coherent"}),
    ("o5|a:s>x", {"sample": "coherent", "about_operator": "coherent", "sound": False}),
]


def _changing(key: str, repeat: int) -> Answer:
    """A model that some pairs change alone, and others only together."""
    changed = "a:t>x" in key or ("a:s>x" in key and "b:s>x" in key)
    right = "n" if key.startswith("h") and int(key[1:]) % 2 else "p"
    return ["n" if changed else right], "ok"


def _assessed() -> pa.Table:
    rows = [
        {"mutant_id": key, "original_id": key.split("|")[0], "order": key.count("|")}
        | {"sample": "literal", "dataset": "d", "half": "test", "weight": 3.0, "tolerant": "valid"}
        | dict.fromkeys(("grammar", "meaning", "sound"), True)
        | changes
        for key, changes in READ
    ]
    return pa.Table.from_pylist(rows, schema=ASSESSED_SCHEMA)


def _needed(name: str) -> set[str]:
    reads = {*DECLARED[name].reads} | ({"warnings"} if DECLARED[name].warned else set())
    return {name}.union(*(_needed(read) for read in (reads & DECLARED.keys()) - INPUTS))


def _study(
    folder: Path, *, targets: Sequence[str], answer: Any = _changing, **settings: Any
) -> Path:
    """Return the folder of a finished study, with all that is read of it."""
    suite = make_suite(originals=6, attributes=("a", "b"), orders=(1, 2), targets=targets)
    suite = suite.assign(valid=[not key.endswith("t>x") for key in suite["mutant_id"]])
    folder.mkdir()
    study = MadeUpStudy(folder / "results", suite=suite, answers={"m": answer})
    pq.write_table(_assessed(), folder / "results" / "assessed.parquet")
    names = set[str]().union(*(_needed(name) for name in DECLARED["methods"].reads[6:]))
    for table in TABLES:
        if table.name in names:
            study.tabulate(table)
    config = json.dumps(SETTINGS | settings)
    (folder / "results" / "config.json").write_text(config, encoding="utf-8")
    return folder


def _own_files(folder: Path) -> dict[str, list[str]]:
    return compared_files(str(folder), datasets=["d"], runs=[("m", "d")])


def _tabulate(own: Path, *, compared: dict[str, str], **settings: Any) -> tuple[pd.DataFrame, str]:
    """Return the table of the study in `own`, and what stands below it."""
    files = _own_files(own)
    inputs = {name: files[name] for name in ("corpora", "counts", "predictions", "recipes")}
    single = {name: files[name][0] for name in files if name not in inputs}
    warnings = str(own / "results" / "tables" / "warnings.csv")
    written = [str(own / f"methods.{end}") for end in ("csv", "md", "tex", "html")]
    given = SETTINGS | {"compared": compared} | settings
    make_tables.main(
        modules={"methods": DECLARED["methods"].module},
        inputs={**inputs, **single, "studies": [], "warnings": warnings},
        settings={name: given[name] for name in DECLARED["methods"].settings},
        files={"methods": written},
    )
    table = pd.read_csv(written[0])
    return table, (own / "methods.md").read_text(encoding="utf-8").split("|\n\n", 1)[-1]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folders of a literal study and of a coherent one with fewer mutants."""
    folder = tmp_path_factory.mktemp("studies")
    literal = _study(folder / "literal", targets=("x", "y", "z"))
    return literal, _study(folder / "ours", targets=("x",), mutation=ALL_RULES)


def _row(table: pd.DataFrame, method: str, order: int) -> pd.Series:
    (row,) = (
        row for _, row in table.iterrows() if (row["method"], row["order"]) == (method, order)
    )
    return row


def test_each_method_has_its_own_numbers(studies: tuple[Path, Path]) -> None:
    literal, ours = studies
    table, below = _tabulate(ours, compared={PAPER: str(literal)}, mutation=ALL_RULES)
    assert table.columns.tolist() == list(methods.COLUMNS)
    assert table[["method", "order"]].values.tolist() == [
        [PAPER, 1],
        [PAPER, 2],
        [OURS, 1],
        [OURS, 2],
    ]
    how = table[["operators", "rules"]].drop_duplicates().values.tolist()
    assert how == [["literal", 0], ["coherent", len(RULES)]]
    # Of two attributes with two sources each, a third of the targets are left in ours.
    assert table["originals"].tolist() == [6, 6, 6, 6]
    assert table["mutants"].tolist() == [6 * 12, 6 * 36, 6 * 4, 6 * 4]
    assert table["valid"].tolist() == [6 * 10, 6 * 30, 6 * 2, 6 * 2]
    assert table["valid_share"].tolist() == [0.833333, 0.833333, 0.5, 0.5]
    # What was read of literal mutants says nothing of coherent ones, and the other way round.
    assert table["read"].fillna(0).tolist() == [5, 1, 2, 0]
    assert table["precision"].fillna(-1).tolist() == [0.8, 1, 0.5, -1]
    assert "differs" not in below


def test_recall_is_of_the_sound_literal_mutants_of_texts_that_are_tested(
    studies: tuple[Path, Path],
) -> None:
    literal, ours = studies
    table, _ = _tabulate(ours, compared={PAPER: str(literal)}, mutation=ALL_RULES)
    # o1|a:t>x and o2|a:t>x are discarded, and ours makes neither o1|a:s>y nor that of two pairs.
    assert table["sound_literal"].tolist() == [4, 1, 4, 1]
    assert table["sound_literal_test"].tolist() == [3, 1, 3, 1]
    assert table["kept"].tolist() == [2, 1, 1, 0]
    assert table["recall"].tolist() == [0.5, 1, 0.25, 0]
    several = table[table["recall_low"].notna()]
    assert several["order"].tolist() == [1, 1]
    assert (several["recall_low"] < several["recall"]).all()
    assert (several["recall"] < several["recall_high"]).all()


def test_rates_are_those_of_the_tables_of_each_study(studies: tuple[Path, Path]) -> None:
    literal, ours = studies
    table, _ = _tabulate(ours, compared={PAPER: str(literal)}, mutation=ALL_RULES)
    for method, folder in ((PAPER, literal), (OURS, ours)):
        tables = folder / "results" / "tables"
        (of_more,) = pd.read_csv(tables / "table2_bias_rates.csv").to_dict("records")
        row = _row(table, method, 2)
        for name in methods.TESTED:
            assert row[name] == of_more[name], name
        rates = pd.read_csv(tables / "corrected_rates.csv").query("level == 'atomic'")
        (atomic,) = rates.to_dict("records")
        row = _row(table, method, 1)
        for name in ("n", "biased", "bias_rate", "bias_rate_cluster_low"):
            assert row[name] == atomic[name] or pd.isna(atomic[name]), name
        assert pd.isna(row["hidden"]) and pd.isna(row["hidden_rate"])
    # Hidden bias needs s>x of both attributes, which both studies have.
    assert table["hidden"].tolist()[1::2] == [6, 6]


@pytest.mark.parametrize(
    ("mutation", "read"),
    [
        ({"operators": ["coherent"], "occurrences": []}, 0),
        ({"operators": ["coherent"], "occurrences": [*RULES][1:]}, 0),
        ({"operators": ["literal"], "occurrences": [*RULES]}, 0),
        ({"operators": ["coherent"], "occurrences": [*RULES][::-1]}, 2),
    ],
)
def test_what_was_read_tells_only_of_mutants_made_alike(
    mutation: dict[str, Any], read: int, studies: tuple[Path, Path]
) -> None:
    _, ours = studies
    table, _ = _tabulate(ours, compared={}, mutation=mutation)
    assert table["read"].fillna(0).sum() == read
    assert table["precision"].notna().sum() == (read > 0)
    table, _ = _tabulate(ours, compared={}, mutation=mutation, invariant={"comparator": "heads"})
    assert table["precision"].isna().all()


def test_an_order_without_mutants_has_its_row(studies: tuple[Path, Path]) -> None:
    _, ours = studies
    table, _ = _tabulate(ours, compared={}, sample={"orders": [3], "mutants": 5})
    row = _row(table, OURS, 3)
    assert row[["originals", "mutants", "valid", "n", "biased"]].tolist() == [0, 0, 0, 0, 0]
    assert pd.isna(row["valid_share"]) and pd.isna(row["bias_rate"]) and pd.isna(row["recall"])


def test_other_differences_are_told_below(studies: tuple[Path, Path], tmp_path: Path) -> None:
    def other(key: str, repeat: int) -> Answer:
        return (["n"], "ok") if key in ("h0", "o3") else _changing(key, repeat)

    _, ours = studies
    changed = {"seed": 7, "suite": {**SETTINGS["suite"], "originals": 5}}
    literal = _study(tmp_path / "literal", targets=("x",), answer=other, **changed)
    _, below = _tabulate(ours, compared={PAPER: str(literal)})
    assert "The study 'the paper's method' also differs in seed: 7 there, 1 here." in below
    assert "also differs in suite.originals: 5 there, null here." in below
    assert below.count("also differs") == 2
    assert (
        "The model 'm' of the study 'the paper's method' is another model or is asked differently: "
        "it differs on 2 of the 46 texts of 'd' that are in both." in below
    )


def test_a_study_of_other_texts_is_refused(studies: tuple[Path, Path], tmp_path: Path) -> None:
    _, ours = studies
    literal = _study(tmp_path / "literal", targets=("x",))
    path = literal / "results" / "corpora" / "d.parquet"
    corpus = pq.read_table(path)
    keys = ["another" if key == "o0" else key for key in corpus["original_id"].to_pylist()]
    pq.write_table(corpus.set_column(0, "original_id", pa.array(keys)), path)
    with pytest.raises(
        InputError, match=r"the tested texts of 'd' in .*literal: found other texts"
    ):
        _tabulate(ours, compared={PAPER: str(literal)})


def test_the_settings_of_which_differences_are_told_are_given_to_the_table() -> None:
    given = {*DECLARED["methods"].settings}
    assert given == {*compared_studies.SETTINGS, "mutation", "compared"}
