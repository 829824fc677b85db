"""Declarations of tables and figures: what planning reads of them, and what is derived."""

import re
from collections import Counter
from dataclasses import fields
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.declarations import (
    PUBLISHED,
    Declaration,
    Declared,
    declared,
    import_figure,
    import_table,
    jobs_of,
)
from hinter.errors import InputError
from hinter.tables.table import READERS
from write_pages import pages

TABLES, FIGURES = declared("tables"), declared("figures")
STUDY_TABLES = {table.name for table in TABLES if table.section != PUBLISHED}
CONFIG = Path(__file__).resolve().parents[2] / "config" / "schemas" / "config.schema.yaml"
WRITTEN = 'from ..table import Table\n\nTABLE = Table(title={title}, reads=("a",))\n'


@pytest.mark.parametrize("made", [*TABLES, *FIGURES], ids=lambda made: made.label)
def test_what_is_read_of_a_declaration_is_what_it_is(made: Declared) -> None:
    imported: Declaration = (
        import_table(made.module, made.name)
        if made in TABLES
        else import_figure(made.module, section=made.section, name=made.name)
    )
    for field in fields(Declaration):
        assert getattr(made, field.name) == getattr(imported, field.name)


def test_every_declaration_is_found() -> None:
    scripts = Path(import_module("hinter").__path__[0]).parent
    holding = Counter(
        path.relative_to(scripts).as_posix()
        for path in scripts.rglob("*.py")
        for _ in re.findall(
            r"^[A-Z0-9_]+ = \w*Table\(|^    \".*\": Figure\(", path.read_text(), flags=re.M
        )
    )
    assert Counter(made.module for made in [*TABLES, *FIGURES]) == holding
    assert (len(TABLES), len(FIGURES)) == (67, 19)


def test_no_two_tables_or_figures_have_one_name() -> None:
    for made in (TABLES, FIGURES):
        assert max(Counter(each.label for each in made).values()) == 1


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.label)
def test_what_a_table_reads_is_known(table: Declared) -> None:
    assert {*table.reads} <= READERS.keys() | STUDY_TABLES
    for setting in table.settings:
        schema: Any = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
        for key in setting.split("."):
            schema = schema["properties"][key]
    assert table.title and table.caption and table.empty


def test_the_sign_of_shifts_is_said_in_the_same_words() -> None:
    said = {
        re.search(r"A shift is negative .* outcome, and positive [^.]*\.", table.caption)[0]
        for table in TABLES
        if table.name in ("interaction_cells", "interactions", "shifts")
    }
    assert len(said) == 1


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.label)
def test_what_a_figure_reads_is_a_table_of_its_own_kind(figure: Declared) -> None:
    kind = figure.section == PUBLISHED
    assert {*figure.reads} <= {
        table.name for table in TABLES if (table.section == PUBLISHED) == kind
    }


def _table(name: str, *reads: str, section: str = "rq1", warned: bool = False) -> Declared:
    return Declared(name=name, section=section, module="", title="", reads=reads, warned=warned)


def test_a_job_makes_the_tables_of_a_section_that_need_no_more_than_one_another() -> None:
    tables = [
        _table("both", "late", "warnings"),
        _table("controls", "controls"),
        _table("late", "verdicts"),
        _table("warnings", "verdicts"),
        _table("early", "rated", warned=True),
        _table("rated", "verdicts", warned=True),
        _table("other", "verdicts", "left_out", section="rq2"),
    ]
    jobs = jobs_of(tables, inputs=("controls", "verdicts"))
    assert {name: {table.name for table in made} for name, made in jobs.items()} == {
        "rq1": {"controls"},
        "rq1_answers": {"both", "late", "warnings"},
        "rq1_rates": {"early", "rated"},
        "rq2_answers": {"other"},
    }
    assert jobs["rq1_answers"][-1].name == "both"
    assert jobs["rq1_rates"][-1].name == "early"


def test_jobs_of_tables_wait_for_one_another_in_one_order() -> None:
    tables = [table for table in TABLES if table.section != PUBLISHED]
    jobs = jobs_of(tables, inputs=READERS)
    assert Counter(table for made in jobs.values() for table in made) == Counter(tables)
    place = {table.name: name for name, made in jobs.items() for table in made}
    waits = {
        name: {
            place[read]
            for table in made
            for read in (*table.reads, *["warnings"] * table.warned)
            if read not in READERS
        }
        - {name}
        for name, made in jobs.items()
    }
    assert waits.keys() == {*TopologicalSorter(waits).static_order()}


@pytest.mark.parametrize(
    ("listed", "reads", "settings"),
    [
        ("", ("verdicts", "margin"), ("seed",)),
        ('settings=("grammar.margin", "seed"), ', ("verdicts",), ("grammar.margin", "seed")),
        ('reads=("controls",), ', ("controls",), ("seed",)),
    ],
)
def test_what_a_table_does_not_list_is_named_by_parameters(
    listed: str, reads: tuple[str, ...], settings: tuple[str, ...], tmp_path: Path
) -> None:
    section = tmp_path / "hinter" / "tables" / "rq1"
    section.mkdir(parents=True)
    text = f"def count(verdicts, margin, *, seed): ...\nTABLE = Table({listed}title='A', "
    (section / "new.py").write_text(f"{text}compute=count)\n")
    (table,) = declared("tables", scripts=tmp_path)
    assert (table.reads, table.settings) == (reads, settings)


def test_a_declaration_that_is_not_literal_is_refused_with_its_place(tmp_path: Path) -> None:
    section = tmp_path / "hinter" / "tables" / "rq1"
    section.mkdir(parents=True)
    (section / "helper.py").write_text("A = 1\n")
    (section / "new.py").write_text(WRITTEN.format(title='"What it is"'))
    (table,) = declared("tables", scripts=tmp_path)
    assert (table.name, table.section, table.title) == ("new", "rq1", "What it is")
    text = WRITTEN.format(title='"One of several"').replace("TABLE =", "TABLE2_RATES =")
    (section / "several.py").write_text(text + text.replace("TABLE2_RATES", "ACCURACY"))
    (section / "new.py").unlink()
    assert [table.name for table in declared("tables", scripts=tmp_path)] == [
        "accuracy",
        "table2_rates",
    ]
    (section / "new.py").write_text(WRITTEN.format(title='f"What {it} is"'))
    with pytest.raises(InputError, match=r"new\.py, line 3, key 'title': found f'What \{it\} is'"):
        declared("tables", scripts=tmp_path)


@pytest.mark.parametrize(("page", "text"), pages().items(), ids=lambda value: Path(value).name[:12])
def test_a_page_is_what_the_code_makes(page: Path, text: str) -> None:
    assert page.read_text(encoding="utf-8") == text, "run `make docs`"
