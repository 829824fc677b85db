"""Digests that tell whether the code behind a result has changed."""

import ast
import hashlib
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent


def code_digest(script: str) -> str:
    """Return a digest of the library modules that `script` (a name in workflow/scripts) uses.

    Imports are followed through the library. Comments, layout and docstrings do not count, so
    that only a change of behaviour re-runs a rule.
    """
    found: dict[Path, ast.Module] = {}
    _follow(SCRIPTS / script, found)
    trees = (
        f"{path.relative_to(SCRIPTS)} {ast.dump(_without_docstrings(tree))}"
        for path, tree in sorted(found.items())
        if path.name != script
    )
    return hashlib.sha256("\n".join(trees).encode()).hexdigest()[:12]


def _follow(path: Path, found: dict[Path, ast.Module]) -> None:
    if path in found:
        return
    found[path] = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(found[path]):
        if isinstance(node, ast.ImportFrom):
            for module in _modules_of(node, importer=path):
                _follow(module, found)


def _modules_of(node: ast.ImportFrom, *, importer: Path) -> list[Path]:
    if node.level:
        folder = importer.parents[node.level - 1]
    elif (node.module or "").split(".")[0] == "hinter":
        folder = SCRIPTS
    else:
        return []
    base = folder.joinpath(*(node.module or "").split("."))
    candidates = [base, *(base / alias.name for alias in node.names)]
    files = [path.with_suffix(".py") for path in candidates]
    files += [path / "__init__.py" for path in candidates]
    return [path for path in files if path.is_file()]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree
