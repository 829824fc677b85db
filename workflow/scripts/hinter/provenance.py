"""How results were made: digests of the code and data behind them, and Snakemake's report.

The report is a page with its data as JSON in a script.
"""

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SCRIPTS = Path(__file__).resolve().parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
VARIABLES = (
    *("workflow_desc", "results", "categories", "rulegraph_spec", "runtimes_spec"),
    *("timeline_spec", "rules", "packages", "metadata"),
)
DATA = re.compile(rf'^ *var (?:{"|".join(VARIABLES)}) = ["{{].*;$', re.MULTILINE)
"""A line of the report with the data of a variable as JSON."""
TIME = re.compile(r'"(?:start|end)time": "([^"]+)"')


def code_digest(script: str, *modules: str) -> str:
    """Return a digest of the library modules that `script` (a path in workflow/scripts) uses.

    `modules` are others, which it imports by name at run time. Imports are followed through the
    library, and through the `__init__.py` of its packages to the modules that define the imported
    names. Comments, layout and docstrings do not count, so only a change in behaviour re-runs a
    rule.
    The data that a module keeps in a YAML file of its own name do.
    """
    used = used_modules(script, *modules)
    # Snakemake itself detects changes of the script.
    del used[SCRIPTS / script]
    return _digest(used)


def module_digest(module: str) -> str:
    """Return a digest of a library module (a name in workflow/scripts) and everything it uses."""
    return _digest(used_modules(module))


def folder_state(folder: str) -> str:
    """Return a digest of the names, sizes and times of the files in a folder, if it exists.

    Snakemake only checks the time of the folder, which does not change with a file inside it.
    """
    states = [(str(path), path.stat()) for path in sorted(Path(folder).rglob("*"))]
    rows = [f"{path} {state.st_size} {state.st_mtime_ns}" for path, state in states]
    return _short("\n".join(rows))


def sha256_of(path: str | Path) -> str:
    """Return the sha256 of a file in hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(**parts: Any) -> str:
    """Return a digest of named parts that JSON can write."""
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).hexdigest()


class Module(NamedTuple):
    """A library module: a digest of its code, and the imports in it."""

    code: str
    imports: list[ast.ImportFrom]


def used_modules(*files: str) -> dict[Path, Module]:
    """Return the files (paths in workflow/scripts) and the library modules that they use."""
    found: dict[Path, Module] = {}
    for file in files:
        _follow(SCRIPTS / file, found)
    return found


def _digest(modules: Mapping[Path, Module]) -> str:
    lines = (f"{path.relative_to(SCRIPTS)} {module.code}" for path, module in modules.items())
    return _short("\n".join(sorted(lines)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _follow(path: Path, found: dict[Path, Module]) -> None:
    if path not in found:
        found[path] = _read(path)
        for module in _imported(path):
            _follow(module, found)


# Cached, as a study asks for the digests of many rules, which share most modules.
@cache
def _read(path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = []
    for node in _statements(tree):
        if isinstance(node, ast.ImportFrom):
            imports.append(node)
        elif isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    data = path.with_suffix(".yaml")
    content = data.read_text(encoding="utf-8") if data.is_file() else ""
    return Module(code=_short(ast.dump(tree) + content), imports=imports)


@cache
def _imported(path: Path) -> list[Path]:
    """Return the library modules behind all imports of a module."""
    names = ((node, alias.name) for node in _read(path).imports for alias in node.names)
    modules = (module for node, name in names for module in _defining(node, name, importer=path))
    return list(dict.fromkeys(modules))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and the statements in it, without looking into expressions."""
    yield node
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(node, field, ())
        for statement in inner if isinstance(inner, list) else ():
            yield from _statements(statement)


def _defining(node: ast.ImportFrom, name: str, *, importer: Path) -> Iterator[Path]:
    """Yield the library modules behind `name` in an import statement of the file `importer`."""
    if not node.level and (node.module or "").split(".")[0] != "hinter":
        return
    folder = importer.parents[node.level - 1] if node.level else SCRIPTS
    module = folder.joinpath(*(node.module or "").split("."))
    door = module / "__init__.py"
    if module.with_suffix(".py").is_file():
        yield module.with_suffix(".py")
    elif (module / f"{name}.py").is_file():
        yield module / f"{name}.py"
    elif door.is_file():
        passed_on = [
            step
            for step in _read(door).imports
            if name in (alias.asname or alias.name for alias in step.names)
        ]
        for step in passed_on:
            yield from _defining(step, name, importer=door)
        if not passed_on:
            yield door


def inert(page: str) -> str:
    """Return the report without `<` in its data, as `</script>` would end the script."""
    return DATA.sub(lambda line: line[0].replace("<", r"\u003c"), page)


def run_times(page: str) -> tuple[datetime, datetime]:
    """Return when the first job of the report began and the last one ended, with time zone."""
    times = [datetime.fromisoformat(time) for time in TIME.findall(page)]
    # Snakemake records local times.
    return min(times).astimezone(), max(times).astimezone()
