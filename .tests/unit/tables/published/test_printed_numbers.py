"""The published counts give the paper's printed numbers, in tables and figures."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import make_tables
import pandas as pd
import plot_figures
import pytest
from hinter.declarations import PUBLISHED, Declared, declared, import_table
from hinter.tables import describe_agreement
from hinter.tables.published.counts import Published
from hinter.tables.published.exhibits import (
    figure4,
    figure6,
    figure7,
    figure9,
    figure10,
    show_table2,
    table2,
    truth_table,
)
from hinter.tables.published.numbers import show_numbers

KEYS = ["quantity", "model", "part"]
TABLES = [table2, figure4, figure6, figure7, figure9, figure10]
TABLES_OF_FILES, FIGURES = (
    [made for made in declared(room) if made.section == PUBLISHED] for room in ("tables", "figures")
)
FORMS = ("csv", "markdown", "latex", "html")
# Quoted in the erratum only, or not derivable.
NOT_COMPARED = {"discarded", "discarded_biased_times", "intersectional_only_times"}


@pytest.fixture(scope="module")
def numbers(published: Published) -> pd.DataFrame:
    return pd.concat([table(published) for table in TABLES], ignore_index=True)


def _count(numbers: pd.DataFrame, *key: str) -> tuple[int, int]:
    count, of = numbers.set_index(KEYS)[["count", "of"]].loc[key]
    return int(count), int(of)


def test_every_printed_number_is_reproduced_but_those_of_the_erratum(numbers: pd.DataFrame) -> None:
    failed = numbers[numbers["agrees"].eq(False)]
    encoders = ("legal-bert", "bert", "deberta", "roberta")
    assert {tuple(row) for row in failed[KEYS].to_numpy()} == {
        *(("hidden_rate", model, "ledgar") for model in encoders),
        ("bias_inducing_mutants", "all", "all"),
    }


def test_every_printed_number_is_compared(published: Published, numbers: pd.DataFrame) -> None:
    compared = numbers[numbers["agrees"].notna()]
    printed = published.printed[~published.printed["quantity"].isin(NOT_COMPARED)]
    assert len(compared) == len(printed)
    assert numbers.loc[numbers["quantity"] == "discarded", "agrees"].isna().all()


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (("bias_rate", "all", "all"), (850_270, 5_821_504)),
        (("hidden_rate", "all", "all"), (129_718, 780_430)),
        (("biased_originals", "all", "all"), (8_589, 21_537)),
        (("biased_originals", "deberta", "all"), (1_111, 5_804)),
        (("valid_share", "all", "all"), (1_764_516 + 1_443_179, 3_207_695 + 129_249_546)),
        (("valid_bias_rate", "all", "all"), (779_224, 4 * 1_764_516)),
        (("discarded_bias_rate", "all", "all"), (7_604_247, 61_247_712)),
        (("intersectional_only_as_published", "all", "all"), (57_160, 336_348)),
        (("intersectional_only", "all", "all"), (89_564, 336_348)),
        (("atomic_shared", "all", "all"), (58_925, 70_630)),
        (("first+second+intersectional", "all", "body+race"), (1_102, 2_220)),
    ],
)
def test_numbers_are_those_counted_by_hand(
    key: tuple[str, str, str], expected: tuple[int, int], numbers: pd.DataFrame
) -> None:
    assert _count(numbers, *key) == expected


def test_a_printed_number_that_differs_in_its_last_digit_is_told(published: Published) -> None:
    printed = published.printed.replace({"percent": {"39.88": "39.87"}})
    rows = figure4(replace(published, printed=printed))
    assert rows["agrees"].tolist() == [True] * 6 + [False]
    assert show_numbers(rows)["agrees"].tolist() == ["yes"] * 6 + ["no"]
    assert describe_agreement(rows).endswith("all but 1 (39.87 %) are reproduced.")
    assert describe_agreement(figure4(published)).startswith("The 7 numbers")


def test_table2_has_the_form_of_the_paper(published: Published) -> None:
    shown = show_table2(table2(published)).set_index(["dataset", "rate"])
    assert shown.shape == (12, 7)
    assert shown.loc[("ecthr_a", "I")].tolist() == [
        "51.74", "59.03", "5.02", "4.65", "5.10", "3.75", "11.37"
    ]  # fmt: skip
    assert shown.loc[("imdb", "H")].tolist() == ["28.38", "28.03", *["-"] * 4, "28.13"]
    assert shown.loc[("ledgar", "H"), "roberta"] == "- (printed 0.00)"


def test_the_truth_table_has_every_cell_and_total(published: Published) -> None:
    rows = truth_table(published)
    cells = rows.groupby(["combination", "model"])[["intersectional", "first", "second"]]
    every = {*product([True, False], repeat=3)}
    assert len(cells) == 4 * 4
    assert all({*map(tuple, group.to_numpy())} == every for _, group in cells)
    total = rows[(rows["combination"] == "all") & (rows["model"] == "all")]
    assert total["mutants"].sum() == published.truth_table["mutants"].sum()


@pytest.fixture(scope="module")
def tables(published_files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all tables."""
    folder = tmp_path_factory.mktemp("published")
    make_tables.main(
        modules={table.name: table.module for table in TABLES_OF_FILES},
        inputs={"published": published_files},
        settings={},
        files={
            table.name: [str(folder / f"{table.name}.{form}") for form in FORMS]
            for table in TABLES_OF_FILES
        },
    )
    return folder


def test_tables_are_written(tables: Path) -> None:
    assert all(path.stat().st_size for path in tables.iterdir())
    assert len([*tables.iterdir()]) == len(TABLES_OF_FILES) * len(FORMS) == 8 * 4
    for table in TABLES_OF_FILES:
        columns = import_table(table.module, table.name).columns
        assert pd.read_csv(tables / f"{table.name}.csv").columns.tolist() == list(columns)
    markdown = (tables / "table2_bias_rates.markdown").read_text(encoding="utf-8")
    # With the zeros that the paper prints.
    assert {"12.64", "0.00", "91.00", "19.60"} <= set(markdown.split())


@pytest.mark.long
@pytest.mark.parametrize(
    "figure",
    [*FIGURES[:1], *(pytest.param(figure, marks=pytest.mark.release) for figure in FIGURES[1:])],
    ids=lambda figure: figure.name,
)
def test_figures_are_drawn_alike(figure: Declared, tables: Path, tmp_path: Path) -> None:
    sampled = []
    for run in ("1", "2"):
        files = [tmp_path / f"{run}.{form}" for form in ("pdf", "png", "svg")]
        plot_figures.main(
            section=figure.section,
            modules={figure.name: figure.module},
            tables={name: str(tables / f"{name}.csv") for name in figure.reads},
            empty={figure.name: ""},
            files={figure.name: [*map(str, files)]},
        )
        sampled.append([path.read_bytes() for path in files])
    assert sampled[0] == sampled[1]
