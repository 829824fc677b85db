"""Whole made-up studies on disk, in the real schemas and judged by the real oracle."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import make_tables
import matplotlib.pyplot as plt
import pandas as pd
import plot_figures
import pyarrow as pa
import pyarrow.parquet as pq
from hinter.assessments import ASSESSED_SCHEMA, read_assessed
from hinter.cases import CASES_SCHEMA
from hinter.controls import CONTROLS_SCHEMA
from hinter.corpora import CORPUS_SCHEMA
from hinter.declarations import APART, PROBES, Declared, declared
from hinter.grammar import GRAMMAR_SCHEMA
from hinter.mutants import (
    COMPARATORS_SCHEMA,
    COUNTS_SCHEMA,
    MUTANTS_SCHEMA,
    OCCURRENCES_SCHEMA,
    SUITE_SCHEMA,
)
from hinter.oracle import judge_mutants
from hinter.predictions import PREDICTIONS_SCHEMA, REPEATS_SCHEMA
from hinter.statistics import power
from hinter.tables.rq3 import comparator_validity
from hinter.tables.table import READERS, RESULT_FILES
from matplotlib.figure import Figure
from matplotlib.text import Text
from pytest import MonkeyPatch
from simulated import SOURCES, pairs_of

ROOT = Path(__file__).resolve().parents[2]
# Sections whose tables and figures are not of a study's mutants.
ELSEWHERE = (*APART, PROBES)
ATTRIBUTES, COMPARATORS = ("a", "b", "c"), ("tolerant", "strict", "heads")
TEXT = " ".join(f"{attribute}{source}" for attribute in ATTRIBUTES for source in SOURCES)
FORMS = ("pdf", "png", "svg")
FOLDERS = {"recipes": "mutants", "run_suites": "suites"}
PER_MODEL = ("cases", "predictions", "repeats", "verdicts")
SETTINGS = {
    "seed": 1,
    "limits": [],
    "outcome_statuses": [],
    "hidden_cases": 3,
    "primary": {"measure": "hidden bias", "order": 2},
    "grammar.margin": 1.0,
    "hidden_lookup": "pairs",
    "invariant.comparator": "tolerant",
    "invariant.tags": "penn",
    "invariant.capitals": "kept",
    "invariant.tail": "checked",
    "mutation.operators": ["literal"],
    "attributes": list(ATTRIBUTES),
    "compared": {},
    "mitigation": {"before": "m", "after": "other", "control": None},
    "invariant": {"comparator": "tolerant"},
    "mutation": {"operators": ["literal"], "occurrences": []},
    "orders": [1, 2],
    "sample": {"orders": [], "mutants": 1},
    "suite": {"originals": None, "pairs_per_attribute": None, "discarded": True},
}
NEUTRAL = "control:s>t"
SCORE_FILE = (
    "model,dataset,split,texts,accuracy,micro_f1,macro_f1,published_as\nm,d,held_out,9,.5,.5,.5,\n"
)
NAMES_FILE = "category,name,posts,groups,terms\nrace,jews,2,,\nrace,greeks,1,race:greek,Greek\n"

REASONS = {True: None, False: "pos", None: "unchecked"}

_close = plt.close
_read_assessed_once = cache(read_assessed)

Answer = tuple[list[str] | None, str]
"""An outcome and a status."""
Answers = Callable[[str, int], Answer]
"""The answer to an input, and to the same input asked again."""


class MadeUpStudy:
    """The files of a study of some models on the dataset d, and its tables and figures.

    `answers` tells the models' answers by the id of an original, of a mutant or of a held-out text
    (`h0` and so on, of which the even ones are `p` and the others `n`). Models of `valid_only` run
    no discarded mutants. Outcomes have scores if the study is `scored`. There are so many `times`
    as many mutants as the suite has.
    """

    def __init__(
        self,
        folder: Path,
        *,
        suite: pd.DataFrame,
        answers: Mapping[str, Answers],
        valid_only: tuple[str, ...] = (),
        scored: bool = True,
        times: int = 1,
        held_out: int = 40,
    ) -> None:
        self.folder, self.models, self.scored = folder, list(answers), scored
        self.held_out = [f"h{number}" for number in range(held_out)]
        folder.mkdir(exist_ok=True)
        self.originals = suite["original_id"].unique().tolist() or ["o0", "o1"]
        self._write_mutants(suite, times=times)
        suite = suite[suite["valid"].notna()]
        self._write_texts(suite)
        suite = self._with_controls(suite)
        for model, answer in answers.items():
            run = suite[suite["valid"].astype(bool)] if model in valid_only else suite
            self._write_answers(model, run, answer)
        (folder / "scores.csv").write_text(SCORE_FILE)
        (folder / "names.csv").write_text(NAMES_FILE)
        self.words: dict[str, str] = {}

    def paths(self, folder: str, *, per_model: bool = False) -> list[str]:
        """Return the result files in a folder."""
        folders = [f"{folder}/{model}" for model in self.models] if per_model else [folder]
        return [str(self.folder / name / "d.parquet") for name in folders]

    def files(self, table: str) -> dict[str, str]:
        """Return the files of a table by their form."""
        forms = {"csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}
        place = self.folder / "tables"
        place.mkdir(exist_ok=True)
        return {form: str(place / f"{table}.{end}") for form, end in forms.items()}

    def csv(self, table: str) -> str:
        """Return the path of a table as CSV."""
        return self.files(table)["csv"]

    def make_tables(self) -> None:
        """Make all tables."""
        for table in TABLES:
            self.tabulate(table)

    def tabulate(self, table: Declared) -> None:
        """Make a table by the workflow's script, its power from few simulated studies."""
        with MonkeyPatch.context() as patch:
            patch.setattr(power, "STUDIES", 20)
            patch.setattr(comparator_validity, "read_assessed", _read_assessed_once)
            make_tables.main(
                modules={table.name: table.module},
                inputs={name: self._input(name) for name in self._reads(table)},
                settings={name: SETTINGS[name] for name in table.settings},
                files={table.name: [*self.files(table.name).values()]},
            )

    def plot(self, figure: Declared) -> None:
        """Draw a figure by the workflow's script, and keep its words."""
        place = self.folder / "figures"
        place.mkdir(exist_ok=True)
        with MonkeyPatch.context() as patch:
            patch.setattr(plt, "close", lambda sampled: self._keep_words(figure.name, sampled))
            plot_figures.main(
                section=figure.section,
                modules={figure.name: figure.module},
                tables={name: self.csv(name) for name in figure.reads},
                empty={figure.name: WHY_EMPTY[figure.reads[0]]},
                files={figure.name: [str(place / f"{figure.name}.{form}") for form in FORMS]},
            )

    def _reads(self, table: Declared) -> tuple[str, ...]:
        return (*table.reads, "warnings") if table.warned else table.reads

    def _input(self, name: str) -> list[str] | str:
        fixed = {
            "assessments": ROOT / "data/validity/assessments.csv",
            "pairs": self.folder / "pairs.csv",
            "sbic_names": self.folder / "names.csv",
            "published_scores": ROOT / "data/lexglue/published_scores.csv",
            "assessed": self.folder / "assessed.parquet",
        }
        if name in RESULT_FILES:
            return self.paths(FOLDERS.get(name, name), per_model=name in PER_MODEL)
        if name == "studies":
            return []
        if name == "published":
            return [str(path) for path in (ROOT / "data/published").glob("*.csv")]
        if name == "scores":
            return [str(self.folder / "scores.csv")]
        return str(fixed.get(name, self.csv(name)))

    def _keep_words(self, name: str, figure: Figure) -> None:
        texts = [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]
        self.words[name] = " ".join(" ".join(texts).split())
        _close(figure)

    def _write(self, name: str, rows: "pd.DataFrame | list[Any]", schema: pa.Schema) -> None:
        records = rows.to_dict("records") if isinstance(rows, pd.DataFrame) else rows
        path = self.folder / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(records, schema=schema), path)

    def _write_mutants(self, suite: pd.DataFrame, *, times: int) -> None:
        keys = ("original_id", "order", "attributes")
        counts = Counter(
            (*(getattr(row, key) for key in keys), REASONS[row.valid]) for row in suite.itertuples()
        )
        counted = [
            {**dict(zip((*keys, "reason"), key, strict=True)), "mutants": times * n}
            for key, n in counts.items()
        ]
        self._write("counts/d", counted, COUNTS_SCHEMA)
        occurring = [
            {
                "original_id": "o",
                "operator": "literal",
                "attribute": "body",
                "source": "fat",
                "rule": rule,
            }
            for rule in (None, "compound")
            for _ in range(times)
        ]
        self._write("occurrences/d", occurring if counted else [], OCCURRENCES_SCHEMA)
        self._write("mutants/d", suite, MUTANTS_SCHEMA)
        suite = suite[suite["valid"].notna()]
        said = [{"mutant_id": row.mutant_id, **_said(row)} for row in suite.itertuples()]
        self._write("comparators/d", said, COMPARATORS_SCHEMA)
        assessed = [
            {"original_id": f"j{n % 9}", "order": 1 + n % 2, "weight": 2.0}
            | {
                "sample": draw,
                "dataset": "imdb",
                "half": "development",
                "about_operator": "literal",
            }
            | dict.fromkeys(COMPARATORS, "pos" if n % 5 == 0 else "valid")
            | dict.fromkeys(("grammar", "meaning", "sound"), n % 3 == 0)
            for draw in ("comparators", "literal")
            for n in range(60)
        ]
        self._write("assessed", assessed, ASSESSED_SCHEMA)

    def _write_texts(self, suite: pd.DataFrame) -> None:
        plain = {"text": TEXT, "tested": True}
        texts = [
            {"original_id": o, "split": "tested", "labels": ["p"], **plain} for o in self.originals
        ]
        texts += [
            {"original_id": key, "split": "held_out", "labels": ["pn"[int(key[1:]) % 2]], **plain}
            for key in self.held_out
        ]
        self._write("corpora/d", texts, CORPUS_SCHEMA)
        scored = [
            {"input_id": o, "original_id": o, "sample": "original", "order": 0, "tokens": 6}
            for o in self.originals
        ]
        scored += [
            {
                "input_id": row.mutant_id,
                "original_id": row.original_id,
                "sample": "valid" if row.valid else "discarded",
                "order": row.order,
                "tokens": 6,
            }
            for row in suite.itertuples()
        ]
        self._write("grammar/d", [row | {"score": 100.0} for row in scored], GRAMMAR_SCHEMA)
        pairs = [
            [pair, pair[0], f"{pair[0]}-{pair[2]}", f"{pair[0]}-{pair[4]}"]
            + [f"{pair[0]}{term}" for term in (pair[2], pair[4])]
            for attribute in ATTRIBUTES
            for pair in pairs_of(attribute)
        ]
        columns = ["pair_id", "attribute", "source_group", "target_group", "source", "target"]
        pd.DataFrame(pairs, columns=columns).to_csv(self.folder / "pairs.csv", index=False)

    def _with_controls(self, suite: pd.DataFrame) -> pd.DataFrame:
        """Return the suite with a control for each valid mutant, in place of its last pair."""
        ids = [(row.mutant_id, row.pair_ids) for row in suite[suite["valid"] == 1].itertuples()]
        controls = {key: control_of(key, pair_ids) for key, pair_ids in ids}
        matches = [
            {"mutant_id": key, "control_id": row["mutant_id"], "control_pair_id": NEUTRAL}
            | {"more_places": 0, "other_class": False, "distance": 7}
            for key, row in controls.items()
        ]
        self._write("controls/d", matches, CONTROLS_SCHEMA)
        added = pd.DataFrame(list(controls.values())).drop_duplicates("mutant_id")
        whole = pd.concat([suite, added], ignore_index=True) if ids else suite
        self._write("suites/d", whole, SUITE_SCHEMA)
        return whole

    def _write_answers(self, model: str, suite: pd.DataFrame, answer: Answers) -> None:
        ids = [*self.originals, *self.held_out, *suite["mutant_id"]]
        told = [_answered(key, *answer(key, 1), scored=self.scored) for key in sorted(ids)]
        self._write(f"predictions/{model}/d", told, PREDICTIONS_SCHEMA)
        repeats = [
            {**_answered(original, *answer(original, repeat)), "original_id": original}
            | {"repeat": repeat}
            for original in self.originals
            for repeat in (1, 2)
        ]
        self._write(f"repeats/{model}/d", repeats, REPEATS_SCHEMA)
        run = f"suites/{model}/d"
        self._write(run, suite, SUITE_SCHEMA)
        verdicts = self.folder / "verdicts" / model / "d.parquet"
        verdicts.parent.mkdir(parents=True, exist_ok=True)
        judge_mutants(
            self.folder / f"{run}.parquet",
            self.folder / "predictions" / model / "d.parquet",
            verdicts,
            outcome_statuses=[],
        )
        rows = pq.read_table(verdicts).to_pylist()
        cases = [_case(row) for row in rows if row["counted"] and row["biased"]]
        self._write(f"cases/{model}/d", cases, CASES_SCHEMA)


def _case(verdict: dict[str, Any]) -> dict[str, Any]:
    """Return a case of two repeats that the place of its first pair suffices for."""
    term = verdict["pair_ids"][0][:3].replace(":", "")
    start = TEXT.index(term)
    edit = {"attribute": verdict["pair_ids"][0][:1], "start": start, "end": start + len(term)}
    edit |= {"role": "term", "text": "made up"}
    held = 1 + (verdict["original_id"] != "o1")
    return {
        "mutant_id": verdict["mutant_id"],
        "hidden": verdict["hidden"] is True,
        "sampled": True,
        "repeats": 2,
        "times_biased": held,
        "times_hidden": held if verdict["hidden"] else None,
        "replaced": verdict["order"],
        "sufficient": 1,
        "edits": [edit],
        "minimal": True,
        "status": "ok",
        "outcome": ["n"],
    }


def _answered(
    key: str, outcome: list[str] | None, status: str, *, scored: bool = False
) -> dict[str, Any]:
    # The more pairs, the less sure.
    score = (3 if outcome == ["p"] else -3) / (1 + key.count("|"))
    return {
        "scores": {"n": -score, "p": score} if scored and outcome else None,
        "input_id": key,
        "outcome": outcome,
        "status": status,
        "visible_order": key.count("|"),
        "input_hash": key,
    }


def control_of(mutant_id: str, pair_ids: list[str]) -> dict[str, Any]:
    """Return the row of the mutant in which a neutral pair is in place of the last one."""
    pairs = [*pair_ids[:-1], NEUTRAL]
    original_id = mutant_id.split("|")[0]
    return {
        "mutant_id": "|".join([original_id, *pairs]),
        "original_id": original_id,
        "order": len(pairs),
        "attributes": "+".join(pair.split(":")[0] for pair in pairs),
        "pair_ids": pairs,
        "operator": "literal",
        "one_person": None,
        "valid": True,
        "sampled": None,
        "control": True,
    }


def _said(row: Any) -> dict[str, str]:
    return dict.fromkeys(COMPARATORS, "valid" if row.valid else "pos")


def _in_order() -> list[Declared]:
    """Return the tables of the study in an order in which each finds what it reads."""
    tables = {table.name: table for table in declared("tables") if table.section not in ELSEWHERE}
    reads = {
        name: {*table.reads} | ({"warnings"} if table.warned else set())
        for name, table in tables.items()
    }
    # An input may have the name of a table.
    order = TopologicalSorter(
        {name: (read & tables.keys()) - INPUTS - {name} for name, read in reads.items()}
    )
    return [tables[name] for name in order.static_order()]


INPUTS = {*RESULT_FILES, *READERS}
TABLES = _in_order()
FIGURES = [figure for figure in declared("figures") if figure.section not in ELSEWHERE]
WHY_EMPTY = {table.name: table.empty for table in TABLES}
