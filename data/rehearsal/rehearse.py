"""Rehearse the paper's study: tiny models, made-up texts, a stand-in for the paid endpoint.

`make rehearsal` runs it in the project's folder. It makes the inputs that `config/rehearsal.yaml`
names, serves the stand-in, and runs Snakemake with the arguments that it is given. `--study FILE`
rehearses another study of these datasets and models.
"""

import argparse
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from stand_in import HOST, standing_in
from tiny_models import CONFIGS, write_encoder, write_llama

HERE = Path(__file__).resolve().parent
CONFIG = Path("config")
INPUTS = Path("studies", "rehearsal", "inputs")
DATASETS, MODELS = INPUTS / "datasets.yaml", INPUTS / "models.yaml"
ENDPOINT, LLAMA, PORT = "gpt-3.5", "llama2", 8350
POSITIONS, LLAMA_POSITIONS = 514, 4096
REVIEWS = "imdb_50k"
# The examples of prompts, rows of the made-up texts as the paper's are of the real ones.
EXAMPLES = {
    "ecthr_a": {"train:2": ["Article 6"], "train:8": ["Article 11"], "train:1": []},
    "scotus": {
        "train:1": ["Federalism"],
        "train:2": ["Judicial Power"],
        "train:4": ["Interstate Relations"],
    },
    "eurlex": {
        "train:1": ["monetary economics", "budget", "Europe"],
        "train:2": ["prices", "agricultural policy", "plant product"],
        "train:8": ["documentation", "energy policy"],
    },
    "ledgar": {"train:1": ["Erisa"], "train:2": ["Amendments"], "train:6": ["Governing Laws"]},
    REVIEWS: {"train:1": ["negative"], "train:2": ["negative"], "train:7": ["positive"]},
}
Sheet = dict[str, dict[str, Any]]


def main() -> None:
    """Run the study in the working folder, and end as it does."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--study", default="config/paper.yaml", metavar="FILE")
    asked, arguments = parser.parse_known_args()
    models = read(CONFIG / "models.yaml")
    if not MODELS.exists():
        make_inputs(datasets=read(CONFIG / "datasets.yaml"), models=models)
    command = [sys.executable, "-m", "snakemake", *arguments, "--configfile", asked.study]
    with standing_in(models[ENDPOINT]["model"], port=PORT):
        sys.exit(subprocess.run([*command, "config/rehearsal.yaml"]).returncode)


def make_inputs(*, datasets: Sheet, models: Sheet) -> None:
    """Write archives, prompts and models, then the sheets that name them in place of resources."""
    INPUTS.mkdir(parents=True, exist_ok=True)
    texts = {name: list(_texts(datasets[name])) for name in EXAMPLES}
    of_law = [text for name in EXAMPLES if name != REVIEWS for text in texts[name]]
    for name in CONFIGS:
        seen = of_law if name == "legal-bert" else of_law + texts[REVIEWS]
        write_encoder(INPUTS / name, name, seen, positions=POSITIONS)
    labels = [label for name in EXAMPLES for label in _labels(datasets[name])]
    write_llama(INPUTS / LLAMA, of_law + texts[REVIEWS], labels=labels, positions=LLAMA_POSITIONS)
    rehearsed = {name: _rehearsed_dataset(name, datasets[name]) for name in EXAMPLES}
    _write(DATASETS, datasets | rehearsed)
    tiny = {name: _rehearsed_model(name, models[name]) for name in [*CONFIGS, LLAMA]}
    _write(MODELS, models | tiny | {ENDPOINT: _rehearsed_endpoint(models[ENDPOINT])})


def _rehearsed_dataset(name: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Pack the texts of a dataset as its authors do, and return its entry with its prompt's."""
    source, archive = Path(sheet["member"]).parts[0], INPUTS / sheet["file"]
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(HERE / source, arcname=source)
    prompt = INPUTS / "prompts" / Path(sheet["prompt"]).name
    prompt.parent.mkdir(exist_ok=True)
    _write(prompt, read(Path(sheet["prompt"])) | {"examples": EXAMPLES[name]})
    return _without(sheet, "resource") | {"file": str(archive), "prompt": str(prompt)}


def _rehearsed_model(name: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of a model that is small enough for one thread of any machine."""
    small = {"folder": str(INPUTS / name), "device": "auto", "threads": 1, "shards": 1}
    return _without(sheet, "resource") | small | _told(sheet)


def _rehearsed_endpoint(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of the endpoint whose place the stand-in takes; no key is sent to it."""
    here = {"base_url": f"http://{HOST}:{PORT}/v1"}
    return _without(sheet, "key_variable") | here | _told(sheet)


def _told(sheet: Mapping[str, Any]) -> dict[str, str]:
    return {"about": f"rehearsed at random, in place of: {sheet['about']}"}


def _texts(sheet: Mapping[str, Any]) -> Iterator[str]:
    """Yield the made-up texts of a dataset, in no order that means anything."""
    for path in sorted(HERE.glob(sheet["member"])):
        content = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            found = (json.loads(line)[sheet["text"]] for line in content.splitlines())
            yield from (text if isinstance(text, str) else "\n".join(text) for text in found)
        else:
            yield content


def _labels(sheet: Mapping[str, Any]) -> Sequence[str]:
    names = sheet["label_names"]
    return list(names.values()) if isinstance(names, dict) else names


def _without(sheet: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in sheet.items() if name != key}


def read(path: Path) -> Sheet:
    """Return the sheet in a YAML file."""
    sheet: Sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
    return sheet


def _write(path: Path, sheet: Mapping[str, Any]) -> None:
    path.write_text(yaml.safe_dump(sheet, sort_keys=False), encoding="utf-8")


if __name__ == "__main__":
    main()
