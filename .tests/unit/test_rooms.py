"""The library's rooms: what each imports, and that the files of tests mirror their modules."""

import ast
import re
from pathlib import Path

import hinter
import pytest

LIBRARY = Path(__file__).resolve().parents[2] / "workflow" / "scripts" / "hinter"
# The map at the library's entrance: a line for each room, in their order.
ROOMS = re.findall(r"^    (\w+)  +\S", hinter.__doc__ or "", flags=re.MULTILINE)
TESTS = Path(__file__).resolve().parent
HALL = [
    "batches",
    "compared",
    "blocks",
    "database",
    "declarations",
    "dollars",
    "errors",
    "gpus",
    "job",
    "lattice",
    "limits",
    "lines",
    "markup",
    "model_files",
    "operators",
    "locations",
    "provenance",
    "yaml_files",
]
# Files of tests of several modules, and the question that each asks.
OF_SEVERAL_MODULES = {
    "controls/test_described_controls.py": "Do controls describe the same person as mutants?",
    "corpora/test_papers_datasets.py": "Do the paper's datasets make the corpora that they should?",
    "corpora/test_users_tables.py": "Do tables that people have go in, or say all that is wrong?",
    "dictionary/test_curated_dictionary.py": "Does the study's dictionary keep its promises?",
    "figures/test_scales_and_legends.py": "Can parts of a figure be compared, and is each named?",
    "figures/test_plotted_alike.py": "Are figures the same each time that they are drawn?",
    "grammar/test_languagetool.py": "What does one running LanguageTool say, and what if it fails?",
    "invariant/test_hard_texts.py": "Has every mutant of a hard text the literal check?",
    "invariant/test_transformer_parser.py": "Are checks literal with a transformer as well?",
    "models/endpoint/test_more_servers.py": "Do servers that the code was not written with work?",
    "models/test_foreign_code.py": "Is code in the folders of models and parsers left alone?",
    "models/test_language_models.py": "Do language models answer alike in any batch?",
    "models/test_zoo.py": "Is every architecture run in batches as alone, or refused in a line?",
    "mutation/test_texts_and_mutants.py": "What becomes of short texts of many kinds?",
    "mutants/test_several_operators.py": "Do operators together make what each makes alone?",
    "mutants/test_mutant_files.py": "Are files of mutants the same for any division of the work?",
    "predictions/test_paper_budget.py": "Do the paper's tests fit the budget of its study?",
    "predictions/test_scores.py": "Are scores the same however the work is divided?",
    "relations/test_grammar.py": "Are follow-ups as grammatical as their sources?",
    "relations/test_papers_examples.py": "Do relations make the paper's examples of them?",
    "tables/published/test_printed_numbers.py": "Do the published counts give the printed numbers?",
    "tables/test_audit.py": "Is planted bias found, and no other?",
    "tables/test_fair_models.py": "Does what is fair hold its level, and is what is not found?",
    "tables/test_recomputed.py": "Do verdicts and tables tell what their raw files come to?",
    "tables/test_same_rates.py": "Has a rate the same interval in every table?",
    "tables/test_degenerate_studies.py": "What is shown where there is next to nothing to count?",
    "test_bad_input.py": "Is bad input refused with one line, whoever reads it?",
    "test_benchmarks.py": "Does the watch on speed tell what became slower?",
    "test_peers.py": "Are other tools counted by the same rules, and their failures reported?",
    "test_clock.py": "Does no deadline hang on a clock that may jump?",
    "test_conda_solving.py": "Do conda environments ask for builds that run on GPUs?",
    "test_environments.py": "Do conda environments hold what their scripts import?",
    "test_fuzzing.py": "Is whatever a reader may be given read, or refused with one line?",
    "test_gpu_check.py": "Does the check of GPUs run all its parts?",
    "test_load.py": "Does the benchmark of load tell what each job of a study took?",
    "test_rooms.py": "Do modules and their tests stand where they should?",
    "test_site.py": "Are the pages of the project whole as a site, without a network?",
    "test_start.py": "Do jobs start without libraries that they may not need?",
    "test_terminal.py": "What does the terminal show of a run?",
}


def _imports_of_other_rooms(path: Path) -> set[tuple[str, ...]]:
    """Return the module paths, from the library's root, that `path` imports from outside its room.

    A file of a room `up` levels below the library reaches other rooms by `up + 1` leading dots.
    """
    up = len(path.relative_to(LIBRARY).parts)
    return {
        tuple(node.module.split("."))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level == up and node.module
    }


def test_every_room_is_known() -> None:
    found = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").is_file()}
    assert found == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_before_it_through_their_doors(room: str) -> None:
    before = {(name,) for name in [*HALL, *ROOMS[: ROOMS.index(room)]]}
    for path in sorted((LIBRARY / room).rglob("*.py")):
        assert _imports_of_other_rooms(path) <= before, path


def test_tests_stand_in_folders_like_the_rooms() -> None:
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    assert [folder for folder in folders if not (LIBRARY / folder).is_dir()] == []


def _is_of_a_module(path: Path) -> bool:
    """Return whether a file of tests has the name of a module, or begins with it."""
    words = path.stem.removeprefix("test_").split("_")
    names = ("_".join(words[:count]) for count in range(1, len(words) + 1))
    return any((LIBRARY / path.with_name(f"{name}.py")).is_file() for name in names)


def test_a_file_of_tests_is_named_after_a_module_or_asks_a_question_of_several() -> None:
    found = {path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    others = {path.as_posix() for path in found if not _is_of_a_module(path)}
    assert others == set(OF_SEVERAL_MODULES)


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_only_passes_on(room: str) -> None:
    tree = ast.parse((LIBRARY / room / "__init__.py").read_text(encoding="utf-8"))
    passed_on = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
    }
    assert passed_on
    for node in tree.body[1:]:
        if not isinstance(node, ast.ImportFrom):
            assert isinstance(node, ast.Assign)
            assert sorted(ast.literal_eval(node.value)) == sorted(passed_on)
