"""Begin a study: write its configuration from a file of texts and a model."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ..config import KINDS, AnyModel, Models, check_sheet
from ..errors import InputError
from .columns import Columns, find_columns

HELD_OUT = 0.25
"""The share of texts, at most, that a model needs for training or calibration."""
COMMAND = "snakemake --cores 2"
USAGE = f"{COMMAND} init --config texts=letters.csv model=decide:fair"
ABOUT = f"""\
# Written by `snakemake init`. What is not here is as in config/config.yaml.
# Run it: {COMMAND} --configfile {{study}}
"""
FAVOURABLE = """\
  # Name the labels that are good for the person in a text, to see who is treated worse:
  # favourable: [{label}]
"""
INSTRUCTION = "Each text is followed by its label, which is one of: {labels}.\n\n"
PROMPT = {
    "version": 1,
    "instruction": INSTRUCTION,
    "question": "Text: {text}\nLabel:",
    "examples": {},
}
FIRST = {
    "mutation": {"descriptors": 1},
    "suite": {"originals": 80, "pairs_per_attribute": 1},
    "shards": 1,
    "grammar": {"enabled": False},
    "assessment": {"assessed": False},
    "case_answers": 0,
}
"""A first study takes minutes: it has few mutants, and does without what can be added later."""

Sheet = dict[str, Any]


def begin_study(
    texts: str | None, model: str | None, *, known: Mapping[str, AnyModel], folder: Path
) -> list[str]:
    """Write the sheets of a study of the file `texts` and a model, and return lines about them.

    `model` is a name in the models sheet, whose entries are `known`; or it is what a kind of model
    makes an entry of, such as a folder, a function or an address. Raises `InputError` if the texts
    or the model are unknown, and for a sheet that exists already.
    """
    if texts is None or model is None:
        raise InputError(
            where="configuration, keys 'texts' and 'model'",
            found="neither" if texts is model else f"no '{'model' if texts else 'texts'}'",
            expected="a file of texts and a model",
            fix=f"Name them: {USAGE}.",
        )
    name = _slug(Path(texts).name.partition(".")[0])
    sheets, study = folder / name, folder / f"{name}.yaml"
    named, entry, models = _entry(model, known=known)
    columns, dataset = _dataset(Path(texts), named, entry, models=models, sheets=sheets)
    files = {study: _study(name, named, models=models, sheets=sheets)}
    example = FAVOURABLE.format(label=next(iter(dataset["label_names"]), "..."))
    files[sheets / "datasets.yaml"] = _yaml({name: dataset}) + example
    if models:
        files[sheets / "models.yaml"] = _yaml(models)
    if "prompt" in dataset:
        files[sheets / "prompt.yaml"] = _yaml(PROMPT)
    _write_new(files)
    return [
        *_found(columns, dataset, texts=texts, model=f"{named} ({entry.kind})"),
        *_faults(columns, window=entry.get("max_tokens")),
        "left out grammar, cases, assessed mutants (add each by removing its line)",
        f"wrote    {', '.join(map(str, files))}",
        *_next(dataset, study=study, sheets=sheets),
    ]


def _dataset(
    path: Path, named: str, entry: AnyModel, *, models: Sheet, sheets: Path
) -> tuple[Columns, Sheet]:
    """Return a file's columns and its entry in the datasets sheet.

    In the sheet `models` of the model `named`, labels that differ in case alone are renamed.
    """
    own = list(_own_labels(entry).values())
    columns = find_columns(path, names=own)
    lower = {label.lower(): label for label in columns.labels}
    renamed = {label: lower[label.lower()] for label in own if label.lower() in lower}
    if models and own and set(renamed) == set(own) and set(own) != set(renamed.values()):
        models[named]["labels"] = renamed
    labels = sorted(columns.labels) if set(renamed) == set(own) else own
    use = columns.label is not None and set(labels) >= set(columns.labels)
    needs, texts = entry.needs(), len(columns.words)
    most = max(1, round(HELD_OUT * texts))
    parts = {"calibration": 64, "validation": 64, "training": texts}
    splits = {name: min(size, most) for name, size in parts.items() if name in needs}
    keys = {
        "about": path.name,
        "file": str(path),
        "text": columns.text,
        "label": columns.label if use else None,
        "multi_label": (use and columns.listed) or None,
        "label_names": labels,
        "clean": "html" if columns.html else None,
        "prompt": f"{sheets}/prompt.yaml" if "prompt" in needs else None,
        "splits": splits | {"tested": None},
    }
    return columns, {key: value for key, value in keys.items() if value is not None}


def _entry(named: str, *, known: Mapping[str, AnyModel]) -> tuple[str, AnyModel, Sheet]:
    """Return the name of a model, its entry, and the sheet with it, empty if it has one already."""
    if named in known:
        return named, known[named], {}
    for kind, model in KINDS.items():
        keys = model.entry_of(named)
        if keys is not None:
            name = _slug(re.split(r"[:#/\\]", named.rstrip("/"))[-1])
            sheet = {name: {"about": named, "kind": kind, **keys}}
            return name, check_sheet(sheet, Models, where="model").root[name], sheet
    raise InputError(
        where="configuration, key 'model'",
        found=f"'{named}'",
        expected="a name in the models sheet, a folder with a model, MODULE:FUNCTION or "
        "ADDRESS#MODEL",
        fix=f"Correct it, as in {USAGE}; docs/models.md has an entry for each kind.",
    )


def _own_labels(entry: AnyModel) -> Mapping[str, str]:
    """Return the labels by which a classifier in a folder of the user names its outcomes."""
    path = Path(entry.get("folder") or "", "config.json")
    if entry.kind != "encoder" or entry.get("fine_tuning") or not path.is_file():
        return {}
    return dict(json.loads(path.read_text(encoding="utf-8")).get("id2label", {}))


def _slug(name: str) -> str:
    return re.sub("[^a-z0-9_-]+", "-", name.lower()).strip("-_") or "mine"


def _study(name: str, model: str, *, models: Sheet, sheets: Path) -> str:
    """Return the configuration of the study, which says how it is run."""
    sheet = {
        "datasets_sheet": f"{sheets}/datasets.yaml",
        **({"models_sheet": f"{sheets}/models.yaml"} if models else {}),
        "datasets": [name],
        "models": [model],
        "attributes": ["age", "body", "race"],
        **FIRST,
        "folder": f"studies/{name}",
    }
    return ABOUT.format(study=f"{sheets}.yaml") + _yaml(sheet)


def _write_new(files: Mapping[Path, str]) -> None:
    """Write files by path; raise `InputError` before, if one exists."""
    for path in files:
        if path.exists():
            raise InputError(
                where=str(path),
                found="a file",
                expected="none, as this study is begun",
                fix="Run the study that it describes, or move it away to begin again.",
            )
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def _yaml(sheet: Sheet) -> str:
    return yaml.safe_dump(sheet, sort_keys=False, default_flow_style=None, allow_unicode=True)


def _found(columns: Columns, dataset: Sheet, *, texts: str, model: str) -> list[str]:
    """Return lines about the texts, their labels and the model."""
    counted = ", ".join(f"{name} {number:,}" for name, number in columns.labels.most_common())
    lines = [
        f"texts    {len(columns.words):,} in {texts}, column '{columns.text}', "
        f"of {sum(columns.words) / len(columns.words):.0f} words on average",
        f"labels   {f'column {columns.label!r}: {counted}' if columns.label else 'none found'}",
        f"model    {model}",
    ]
    if columns.html:
        lines.append("         with HTML, which `clean: html` replaces by its characters")
    if columns.others:
        lines.append(f"         other columns that could be labels: {', '.join(columns.others)}")
    if columns.label and "label" not in dataset:
        lines.append(
            f"         not used, as the model's labels are {', '.join(dataset['label_names'])}: to "
            "measure accuracy, name them by the key `labels` in the models sheet"
        )
    return lines


def _faults(columns: Columns, *, window: int | None) -> list[str]:
    """Return lines about what makes texts or labels of little use, and what to do."""
    empty = columns.words.count(0)
    repeated = len(columns.words) - empty - columns.distinct
    longer = sum(words > window for words in columns.words) if window else 0
    said = {
        f"{empty:,} empty and {repeated:,} repeated texts are left out, {columns.distinct:,} stay; "
        "if these are not your texts, correct `text` in the datasets sheet": empty or repeated,
        f"{longer:,} texts are longer than the {window} tokens that the model sees, and their ends "
        "are cut: use parts of texts that decide, or raise `max_tokens`": longer,
        f"all texts have one value in {', '.join(columns.alike)}: as labels, such a column shows "
        "no accuracy; add texts with others": columns.alike and not columns.label,
    }
    return [f"caution  {line}" for line, true in said.items() if true]


def _next(dataset: Sheet, *, study: Path, sheets: Path) -> list[str]:
    """Return lines about the commands that come next."""
    lacking = "" if dataset["label_names"] else " write the model's labels in `label_names`,"
    return [
        f"next    {lacking} name `favourable` labels in {sheets}/datasets.yaml, then",
        f"         {COMMAND} plan --configfile {study}",
        f"         {COMMAND} --configfile {study}",
    ]
