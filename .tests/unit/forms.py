"""Forms of small studies, and what readers answer."""

import csv
from pathlib import Path
from typing import Any

import write_form
from suites import Study, mutant

ROOT = Path(__file__).resolve().parents[2]
MAN, GREEK = "gender:man>woman", "race:Greek>Thai"
HOSTILE = (
    "Before it all. The Greek man said \"</script><script>document.title='ran'</script>\" & "
    "{{ 7*7 }} {% raw %} '<img src=x onerror=\"document.title='ran'\">' <!-- ]]> ${name} `\\`.\r"
    "=1+1, and \ue000 more."
)
TEXTS = {"o0": HOSTILE} | {f"o{n}": f"One. The Greek man ran {n} times. End." for n in range(1, 9)}


def write_study(folder: Path, name: str, rows: list[dict[str, Any]]) -> dict[str, list[str] | str]:
    """Write a study of the dataset `name`, and return the inputs of its form."""
    folder.joinpath(name).mkdir(parents=True)
    study = Study(folder / name, texts=TEXTS, rows=rows)
    suite = (study.folder / "suite.parquet").rename(study.folder / f"{name}.parquet")
    return {
        "corpora": [str(study.folder / "corpus.parquet")],
        "suites": [str(suite)],
        "pairs": str(study.folder / "pairs.csv"),
    }


def make_form(folder: Path, *, mutants: int = 8, seed: int = 1, rows: Any = None) -> Path:
    """Write a form and its page, and return their folder."""
    rows = rows or [mutant(key, *pairs) for key in TEXTS for pairs in ((MAN,), (MAN, GREEK))]
    write_form.main(
        **write_study(folder, "d", rows),
        guideline=ROOT / "data/validity/guideline.md",
        template=ROOT / "workflow/scripts/hinter/assessments/form.html",
        mutants=mutants,
        seed=seed,
        form=folder / "form.csv",
        page=folder / "form.html",
    )
    return folder


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def write_answers(folder: Path, name: str, rows: list[dict[str, str]]) -> Path:
    """Write what a reader says."""
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0] if rows else ["mutant_id", "grammar", "meaning"])
        writer.writeheader()
        writer.writerows(rows)
    return path


def answer(mutant_id: str, answers: str) -> dict[str, str]:
    """Return the answers on grammar and meaning, given as `y`, `n` or `-`."""
    grammar, meaning = ({"y": "yes", "n": "no", "-": ""}.get(said, said) for said in answers)
    return {"mutant_id": mutant_id, "grammar": grammar, "meaning": meaning, "comment": "x"}


def case_answer(mutant_id: str, answers: str) -> dict[str, str]:
    """Return the answers on a case: those on a mutant, and whether it is bias."""
    bias = {"y": "yes", "n": "no", "-": ""}.get(answers[2], answers[2])
    return answer(mutant_id, answers[:2]) | {"bias": bias}


FORM = {"o1|p": "d", "o1|p|q": "d", "o2|p": "e", "o2|p|q": "e"}
"""A form's mutants, and their datasets."""
