"""A digest of the code changes with the behaviour that a script can use, and with nothing else."""

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import pytest
from hinter import provenance
from hinter.declarations import declared
from hinter.provenance import VARIABLES, code_digest, inert, run_times

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "prepare_corpus.py"
USED = "hinter/corpora/rows.py"
UNUSED = "hinter/oracle/verdicts.py"

Library = Callable[[Mapping[str, str]], Path]
# Follows functions, classes and modules from global to global, as they really are when loaded.
REACHED = """
import importlib, inspect, sys
todo, seen = [importlib.import_module(sys.argv[1])], set()
while todo:
    for value in list(vars(todo.pop()).values()):
        module = inspect.getmodule(value) if callable(value) or inspect.ismodule(value) else None
        if module is not None and module.__name__.startswith("hinter.") and module not in seen:
            seen.add(module)
            todo.append(module)
print(*sorted(module.__file__ for module in seen), sep="\\n")
"""


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the scripts and the library that may be changed."""
    folder = tmp_path / "scripts"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "workflow" / "scripts", folder, ignore=ignored)
    monkeypatch.setattr(provenance, "SCRIPTS", folder)
    return folder


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Write a small library, code by path, with an empty `__init__.py` where a folder has none."""

    def write(files: Mapping[str, str]) -> Path:
        for name, code in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code, encoding="utf-8")
        for folder in [tmp_path / "hinter", *(tmp_path / "hinter").rglob("*/")]:
            (folder / "__init__.py").touch()
        monkeypatch.setattr(provenance, "SCRIPTS", tmp_path)
        _forget()
        return tmp_path

    return write


def _forget() -> None:
    """Have modules read again: a run reads each once, and so do its digests."""
    provenance._read.cache_clear()
    provenance._imported.cache_clear()


def _write(path: Path, code: str) -> None:
    path.write_text(code, encoding="utf-8")
    _forget()


def _append(path: Path, code: str) -> None:
    _write(path, path.read_text(encoding="utf-8") + code)


def _is_changed_by(path: Path, code: str, *, script: str = SCRIPT) -> bool:
    before = code_digest(script)
    _append(path, code)
    return code_digest(script) != before


def test_digest_is_twelve_hexadecimal_digits_and_stable(scripts: Path) -> None:
    assert re.fullmatch("[0-9a-f]{12}", code_digest(SCRIPT))
    assert code_digest(SCRIPT) == code_digest(SCRIPT)


def test_digest_does_not_depend_on_where_the_code_lies(
    scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = code_digest(SCRIPT)
    monkeypatch.setattr(provenance, "SCRIPTS", ROOT / "workflow" / "scripts")
    assert code_digest(SCRIPT) == copied


@pytest.mark.parametrize(
    "code",
    [
        "\nEXTRA = 1\n",
        "\n\ndef extra() -> int:\n    return 1\n",
        "\nimport math\n",
        "\nassert True\n",
    ],
)
def test_code_of_a_used_module_counts(code: str, scripts: Path) -> None:
    assert _is_changed_by(scripts / USED, code)


def test_data_of_a_used_module_count(scripts: Path) -> None:
    data = scripts / "hinter" / "exports" / "parts.yaml"
    assert _is_changed_by(data, "\nmore: 1\n", script="export_dataset.py")


def test_changed_constant_inside_a_function_counts(scripts: Path) -> None:
    before = code_digest(SCRIPT)
    path = scripts / USED
    code = path.read_text(encoding="utf-8")
    assert "batch_size=1000" in code
    _write(path, code.replace("batch_size=1000", "batch_size=1001"))
    assert code_digest(SCRIPT) != before


def test_comments_and_empty_lines_do_not_count(scripts: Path) -> None:
    assert not _is_changed_by(scripts / USED, "\n\n\n# A remark.\n")


def test_layout_does_not_count(scripts: Path) -> None:
    before = code_digest(SCRIPT)
    path = scripts / USED
    code = ast.unparse(ast.parse(path.read_text(encoding="utf-8")))
    assert code != path.read_text(encoding="utf-8")
    _write(path, code)
    assert code_digest(SCRIPT) == before


def test_docstrings_do_not_count(library: Library) -> None:
    code = '"{0}"\nclass A:\n    "{0}"\n    def f(self) -> int:\n        "{0}"\n        return 1\n'
    code += 'async def g() -> int:\n    "{0}"\n    return 2\ndef h() -> None:\n    "{0}"\n'
    digests = set()
    for text in ("one", "two"):
        library({"run.py": "from hinter.a import A\n", "hinter/a.py": code.format(text)})
        digests.add(code_digest("run.py"))
    assert len(digests) == 1


def test_strings_that_are_no_docstrings_count(library: Library) -> None:
    digests = set()
    for text in ("one", "two"):
        code = f'def f() -> str:\n    "What it does."\n    return "{text}"\n'
        library({"run.py": "from hinter.a import f\n", "hinter/a.py": code})
        digests.add(code_digest("run.py"))
    assert len(digests) == 2


def test_unused_module_does_not_count(scripts: Path) -> None:
    assert not _is_changed_by(scripts / UNUSED, "\nEXTRA = 1\n")
    assert _is_changed_by(scripts / UNUSED, "\nEXTRA = 2\n", script="judge_mutants.py")


def test_script_itself_is_left_to_snakemake(scripts: Path) -> None:
    assert not _is_changed_by(scripts / SCRIPT, "\nEXTRA = 1\n")


def test_module_named_like_the_script_counts(library: Library) -> None:
    folder = library(
        {"run.py": "from hinter.run import f\n", "hinter/run.py": "def f(): return 1\n"}
    )
    assert _is_changed_by(folder / "hinter" / "run.py", "EXTRA = 1\n", script="run.py")


@pytest.mark.parametrize(
    ("importing", "imported"),
    [
        ("from hinter.b import f\n", "hinter/b.py"),
        ("from hinter import b\n", "hinter/b.py"),
        ("from .b import f\n", "hinter/b.py"),
        ("from . import b\n", "hinter/b.py"),
        ("from .sub import f\n", "hinter/sub/__init__.py"),
        ("from .sub.c import f\n", "hinter/sub/c.py"),
        ("from .sub import c as d\n", "hinter/sub/c.py"),
        ("def late() -> None:\n    from .b import f\n", "hinter/b.py"),
    ],
)
def test_imports_are_followed_from_module_to_module(
    importing: str, imported: str, library: Library
) -> None:
    function = "def f() -> int:\n    return 1\n"
    folder = library(
        {
            "run.py": "from hinter.a import x\n",
            "hinter/a.py": "from .middle import x\n",
            "hinter/middle.py": f"{importing}x = 1\n",
            "hinter/b.py": function,
            "hinter/sub/c.py": "from ..deep import x\n" + function,
            "hinter/deep.py": "x = 1\n",
        }
    )
    assert _is_changed_by(folder / imported, "EXTRA = 1\n", script="run.py")
    if imported.endswith("c.py"):
        assert _is_changed_by(folder / "hinter" / "deep.py", "EXTRA = 1\n", script="run.py")


@pytest.mark.parametrize(
    ("importing", "door"),
    [
        ("from hinter.room import f\n", "from .used import f\nfrom .other import g\n"),
        ("from hinter.room import h\n", "from .other import g\nfrom .used import f as h\n"),
        ("from hinter.house import f\n", "from .used import f\nfrom .other import g\n"),
    ],
)
def test_names_are_followed_through_doors_to_the_module_that_defines_them(
    importing: str, door: str, library: Library
) -> None:
    folder = library(
        {
            "run.py": importing,
            "hinter/house/__init__.py": "from ..room import f\n",
            "hinter/room/__init__.py": door,
            "hinter/room/used.py": "def f() -> int:\n    return 1\n",
            "hinter/room/other.py": "def g() -> int:\n    return 1\n",
        }
    )
    room = folder / "hinter" / "room"
    assert _is_changed_by(room / "used.py", "EXTRA = 1\n", script="run.py")
    assert not _is_changed_by(room / "other.py", "EXTRA = 1\n", script="run.py")


def test_door_that_defines_the_name_counts(library: Library) -> None:
    folder = library(
        {
            "run.py": "from hinter.room import TABLE\n",
            "hinter/room/__init__.py": "from . import a\nTABLE = {'a': a.f}\n",
            "hinter/room/a.py": "def f() -> int:\n    return 1\n",
        }
    )
    room = folder / "hinter" / "room"
    assert _is_changed_by(room / "__init__.py", "EXTRA = 1\n", script="run.py")
    assert _is_changed_by(room / "a.py", "EXTRA = 1\n", script="run.py")


def test_modules_that_import_each_other_are_followed_once(library: Library) -> None:
    folder = library(
        {
            "run.py": "from hinter.a import x\n",
            "hinter/a.py": "x = 1\nfrom .b import y\n",
            "hinter/b.py": "y = 1\nfrom .a import x\n",
        }
    )
    assert _is_changed_by(folder / "hinter" / "b.py", "EXTRA = 1\n", script="run.py")


@pytest.mark.parametrize("script", [SCRIPT, "build_dictionary.py", "count_posts.py"])
def test_every_module_that_a_script_reaches_counts(script: str, scripts: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", REACHED, Path(script).stem],
        cwd=scripts,
        capture_output=True,
        text=True,
        check=True,
    )
    reached = [Path(line) for line in done.stdout.splitlines()]
    assert len(reached) > 3
    silent = [path for path in reached if not _is_changed_by(path, "\nEXTRA = 1\n", script=script)]
    assert silent == []


def test_every_script_has_a_digest(scripts: Path) -> None:
    names = [path.name for path in scripts.glob("*.py")]
    assert len({code_digest(name) for name in names}) > len(names) / 2


MAKER, TABLES = "make_tables.py", "hinter/tables"


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("rq1/answers.py", True),
        ("shown.py", True),
        ("table.py", True),
        ("rq1/excess.py", False),
        ("rq3/corrected_rates.py", False),
        ("published/erratum.py", False),
    ],
)
def test_a_table_is_made_anew_for_its_own_code_only(
    changed: str, counts: bool, scripts: Path
) -> None:
    before = code_digest(MAKER, f"{TABLES}/rq1/answers.py")
    _append(scripts / TABLES / changed, "\nEXTRA = 1\n")
    assert (code_digest(MAKER, f"{TABLES}/rq1/answers.py") != before) == counts


def test_every_module_of_tables_or_figures_has_a_digest_of_its_own(scripts: Path) -> None:
    for script, room in ((MAKER, "tables"), ("plot_figures.py", "figures")):
        modules = {made.module for made in declared(room, scripts=scripts)}
        assert len({code_digest(script, module) for module in modules}) == len(modules)


HOSTILE = "</script><script>var timeline_spec = {}"
JOBS = [
    {"rule": "second", "starttime": "2026-01-01T12:30:00", "endtime": "2026-01-01T13:00:00.5"},
    {"rule": "first", "starttime": "2026-01-01T12:00:00", "endtime": "2026-01-01T12:10:00"},
]


@pytest.fixture
def page() -> str:
    data = {name: {"text": HOSTILE} for name in VARIABLES} | {
        "timeline_spec": {"data": {"values": JOBS}}
    }
    lines = [f"var {name} = {json.dumps(value)};" for name, value in data.items()]
    return "<script>\n" + "\n".join(lines) + "\n</script>"


def test_times_are_those_of_the_first_and_the_last_job(page: str) -> None:
    began, ended = run_times(page)
    assert began == datetime(2026, 1, 1, 12).astimezone()
    assert ended == datetime(2026, 1, 1, 13, microsecond=500_000).astimezone()


def test_data_end_no_script_and_stay_the_same(page: str) -> None:
    safe = inert(page)
    assert safe.count("</script>") == 1
    assert run_times(safe) == run_times(page)
    mark = "var results = "
    value, _ = json.JSONDecoder().raw_decode(safe, safe.index(mark) + len(mark))
    assert value == {"text": HOSTILE}
