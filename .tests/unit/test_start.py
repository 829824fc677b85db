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
# What most scripts use, and takes longest to import: once for all of them, after it was alone.
SHARED = "hinter.config"
ALONE = (*OFTEN, SHARED)
# Each script is imported in a process of its own, which begins with what many of them share.
IMPORT = f"""
import importlib, os, sys
import duckdb, pandas, pyarrow.dataset

def load_apart(names):
    for name in names.split():
        if not os.fork():
            importlib.import_module(name)
            print(name, *sys.modules, flush=True)
            os._exit(0)
        os.wait()

load_apart(sys.argv[1])
import {SHARED}
load_apart(sys.argv[2])
"""


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """Return the modules that are there once a script is imported, by its name."""
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
