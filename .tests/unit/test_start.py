"""How jobs start: none imports libraries that take seconds before it knows that it needs them."""

import subprocess
import sys

import pytest
from hinter.provenance import SCRIPTS

# They may also look for GPUs at once: by then, a job must have claimed its own.
SLOW = {"cupy", "openai", "scipy.stats", "spacy", "torch", "transformers"}
# What a script needs of them, whatever it is given.
NEEDED = {name: {"openai"} for name in ("check_endpoint", "plan_calls", "plan_judging")}
# Seaborn loads it.
NEEDED |= {"plot_figures": {"scipy.stats"}}
# Of the scripts that a study runs most often, few runs read a sheet.
OFTEN = ("plot_figures", "make_tables")
# Weights are converted by torch, always.
NAMES = sorted({path.stem for path in SCRIPTS.glob("*.py")} - {"convert_gguf"})
# Those that may need more, or must need less, are imported in processes of their own; the others one
# after the other, where each is told with what it was the first to import.
ALONE = sorted({*OFTEN, *NEEDED})
IMPORT = """
import importlib, os, sys
import duckdb, pandas, pyarrow.dataset

def load(name, known):
    importlib.import_module(name)
    print(name, *(sys.modules.keys() - known), flush=True)

alone, others = (names.split() for names in sys.argv[1:])
for name in alone:
    if not os.fork():
        load(name, set())
        os._exit(0)
    os.wait()
for name in others:
    load(name, set(sys.modules))
"""


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """Return the modules that a script imports, by its name."""
    others = [name for name in NAMES if name not in ALONE]
    command = [sys.executable, "-c", IMPORT, " ".join(ALONE), " ".join(others)]
    told = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=True)
    return {name: set(modules) for name, *modules in map(str.split, told.stdout.splitlines())}


@pytest.mark.parametrize("name", NAMES)
def test_a_job_starts_without_libraries_that_it_may_not_need(
    name: str, imported: dict[str, set[str]]
) -> None:
    assert not (SLOW - NEEDED.get(name, set())) & imported[name]


@pytest.mark.parametrize("name", OFTEN)
def test_tables_and_figures_start_without_the_types_of_sheets(
    name: str, imported: dict[str, set[str]]
) -> None:
    assert "pydantic" not in imported[name]
