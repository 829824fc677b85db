"""A finished study with hostile names and texts, and the page that tells of it."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import write_report
from hinter.controls import CONTROLS_SCHEMA
from hinter.dictionary import WordPair, read_pairs
from hinter.models import ParsedAnswer, Status
from hinter.mutants import COMPARATORS_SCHEMA
from hinter.oracle import judge_mutants
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.report import Cases, Prompts, read_cases
from hinter.responses import ResponseStore, source_metadata
from hinter.tables import read_parts
from hinter.tables.rq4 import exposure, groups_bias, interactions
from hinter.tables.shown import write_table
from judged import GENDER, RACE, Simulated
from result_files import table_files, write_rows
from suites import Study, mutant

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "workflow" / "report" / "page"
LIBRARIES = PAGE / "libraries"
CONTROL = "control:film>movie"
RAN = "document.title='ran'"
HOSTILE = (
    f'</script><script>{RAN}</script><img src=x onerror="{RAN}"> {{{{ 7*7 }}}} {{% x %}} \'"&lt;'
)
# A name of a folder, too, and in queries.
MODEL = '<img src=x onerror="document.title=1">{}&'
GOOD, BAD = f"good {HOSTILE}", f"bad {HOSTILE}"
TEXTS = {
    # Together, woman and Thai change the outcome.
    "both": f"In a film, a man 😀 sang. {HOSTILE} That man is Greek.",
    # Woman alone does.
    "last": "In a film, a Greek met a man.",
}


def _outcome(text: str, _: int = 1) -> str:
    return BAD if ("woman" in text and "Thai" in text) or text.endswith("a woman.") else GOOD


class Scored(Simulated):
    """A simulated model that scores its labels, more or less surely."""

    sureness = 1.0

    def read(self, response: str) -> ParsedAnswer:
        good = self.sureness * (1.0 if response == GOOD else -1.5)
        return ParsedAnswer(Status.OK, (response,), scores={BAD: -good, GOOD: good})


class Reported(Study):
    """The result files of one model on the dataset d, and the inputs of their page."""

    follow_ups: Sequence[str] | str = ()
    sureness = 1.0

    def __init__(self, folder: Path) -> None:
        combinations = [(GENDER,), (RACE,), (GENDER, RACE)]
        rows = [mutant(key, *pairs) for key in TEXTS for pairs in combinations]
        for key in TEXTS:
            rows += [
                mutant(key, *pairs) | {"control": True}
                for pairs in ((CONTROL,), (CONTROL, GENDER), (CONTROL, RACE))
            ]
        super().__init__(folder, texts=TEXTS, rows=rows)
        with (folder / "pairs.csv").open("a", encoding="utf-8") as file:
            file.write(f"{CONTROL},control,neutral,neutral,film,movie\n")
        self._name_groups()
        scored = Scored(_outcome)
        scored.sureness = self.sureness
        self.run(scored)
        judge_mutants(
            folder / "suite.parquet",
            folder / "predictions.parquet",
            folder / "verdicts.parquet",
            outcome_statuses=[],
        )
        self.files = {
            name: [str(self._placed(name))]
            for name in ("verdicts", "predictions", "corpora", "suites")
        }
        self.files |= {
            "controls": [str(self._controls())],
            "comparators": [str(self._comparators())],
            "cases": [],
            **{name: [] for name in write_report.PROMPTED},
        }

    @property
    def pairs(self) -> dict[str, WordPair]:
        return {pair.pair_id: pair for pair in read_pairs(self.folder / "pairs.csv")}

    def cases(self, **options: Any) -> Cases:
        parts = {name: read_parts(paths) for name, paths in self.files.items()}
        return read_cases(
            verdicts=parts["verdicts"],
            predictions=parts["predictions"],
            corpora=parts["corpora"],
            others={name: parts[name] for name in ("controls", "comparators", "cases")},
            prompts=Prompts(),
            pairs=self.pairs,
            **{"seed": 1, **options},
        )

    def page(self, report: Path) -> Path:
        """Write the page of the study with its tables and no figure."""
        sampled = self._sampled()
        write_report.main(
            exhibits=[str(self._table()), str(self._linked()), *sampled.values()],
            tables=self._tables()
            | {name: str(Path(at).with_suffix(".csv")) for name, at in sampled.items()},
            results=self.files,
            pairs=str(self.folder / "pairs.csv"),
            follow_ups=self.follow_ups,
            guideline=str(ROOT / "data/validity/guideline.md"),
            page={
                "template": str(PAGE / "page.html"),
                "style": str(PAGE / "page.css"),
                "script": str(PAGE / "page.js"),
                "drawing": str(PAGE / "pictures.js"),
                "licences": str(LIBRARIES / "LICENCES.txt"),
            },
            libraries=str(LIBRARIES / "libraries.sha256"),
            declared=[
                {"question": "RQ1", "title": title, "caption": f"*how* {HOSTILE}"}
                for title in (HOSTILE, "linked", *sampled)
            ],
            study={
                "models": {MODEL: HOSTILE},
                "datasets": {"d": HOSTILE},
                "probes": {},
                "crate": True,
            },
            comparator="tolerant",
            inherited={"suite.originals": "280"},
            seed=1,
            shards={MODEL: 2},
            prompts={f"{MODEL}/d": str(self._prompt())},
            asked=[str(self._asked())],
            judged=[],
            judge="",
            prices={MODEL: {"input": 2.0, "output": 10.0}},
            store=str(self.folder / "store"),
            benchmarks=str(self._benchmarks()),
            report=str(report),
        )
        return report

    def _placed(self, name: str) -> Path:
        ours = {"corpora": "corpus", "suites": "suite"}.get(name, name)
        by_model = name in ("verdicts", "predictions")
        place = self.folder / "results" / name / (MODEL if by_model else "") / "d.parquet"
        place.parent.mkdir(parents=True)
        return Path(shutil.copy(self.folder / f"{ours}.parquet", place))

    def _controls(self) -> Path:
        rows = [
            {
                "mutant_id": f"{key}|{GENDER}|{RACE}",
                "control_id": f"{key}|{CONTROL}|{GENDER}",
                "pair_id": RACE,
                "control_pair_id": CONTROL,
            }
            for key in TEXTS
        ]
        return write_rows(self.folder / "results/controls/d.parquet", rows, CONTROLS_SCHEMA)

    def _comparators(self) -> Path:
        checks = {"tolerant": "valid", "strict": "pos", "heads": "dep"}
        rows = [{"mutant_id": f"{key}|{GENDER}|{RACE}"} | checks for key in TEXTS]
        return write_rows(self.folder / "results/comparators/d.parquet", rows, COMPARATORS_SCHEMA)

    def _asked(self) -> Path:
        """Return results of an endpoint, whose answers are in the store."""
        store = ResponseStore(self.folder / "store", fingerprint="e" * 32)
        counts = {"one": [1000, 40], "two": [500, 10], "three": [None, None]}
        store.add({key: json.dumps({"tokens": tokens}) for key, tokens in counts.items()})
        schema = PREDICTIONS_SCHEMA.with_metadata(source_metadata(store.fingerprint))
        return write_rows(self.folder / f"results/asked/{MODEL}/d.parquet", [], schema)

    def _prompt(self) -> Path:
        path = self.folder / "prompt.yaml"
        path.write_text(f"question: {HOSTILE}", encoding="utf-8")
        return path

    def _benchmarks(self) -> Path:
        for name, seconds, memory in (
            ("predict_suite/m/d/1-of-2", 61.5, 800),
            ("predict_suite/m/d/2-of-2", 3600, 900),
            ("match_controls/d", 0.2, "-"),
        ):
            place = self.folder / "benchmarks" / f"{name}.tsv"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"s\tmax_rss\n{seconds}\t{memory}\n", encoding="utf-8")
        return self.folder / "benchmarks"

    def _table(self) -> Path:
        rows = pd.DataFrame({"text": [HOSTILE]})
        files = table_files(self.folder)
        write_table(rows, rows, files, caption=HOSTILE, empty="")
        return files.html

    def _linked(self) -> Path:
        rows = pd.DataFrame({"order": [1, 2], "model": [MODEL, MODEL], "hidden": [0, 1]})
        rows.to_csv(self.folder / "lattice.csv", index=False)
        page = self.folder / "lattice.html"
        page.write_text(f"<body>{rows.to_html(index=False)}</body>", encoding="utf-8")
        return page

    def _name_groups(self) -> None:
        """Give the groups of the attribute gender hostile names."""
        path = self.folder / "pairs.csv"
        pairs = pd.read_csv(path)
        pairs.loc[pairs["attribute"] == "gender", ["source_group", "target_group"]] = (
            f"men {HOSTILE}",
            f"women {HOSTILE}",
        )
        pairs.to_csv(path, index=False)

    def _sampled(self) -> dict[str, str]:
        """Return the HTML of the tables that pictures are drawn from, by name."""
        verdicts, predictions, controls = (
            read_parts(self.files[name]) for name in ("verdicts", "predictions", "controls")
        )
        tables = {
            "groups_bias": groups_bias.TABLE,
            "interactions": interactions.TABLE,
            "figure10_exposure": exposure.FIGURE10_EXPOSURE,
        }
        rows = {
            "groups_bias": groups_bias.tabulate_groups_bias(
                verdicts, [], controls, pairs=self.folder / "pairs.csv", outcome_statuses=[], seed=1
            ),
            "interactions": interactions.tabulate_interactions(verdicts, predictions, [], seed=1),
            "figure10_exposure": exposure.tabulate_exposure(verdicts),
        }
        for name, table in tables.items():
            rows[name].to_csv(self.folder / f"{name}.csv", index=False)
            body = table.show(rows[name]).to_html(index=False)
            (self.folder / f"{name}.html").write_text(f"<body>{body}</body>", encoding="utf-8")
        return {name: str(self.folder / f"{name}.html") for name in tables}

    def _tables(self) -> dict[str, str]:
        run = {"model": MODEL, "dataset": "d"}
        excess = {"attributes": "all", "plain_n": 2, "originals": 2, "p_value": 0.5, "q_value": 0.5}
        interval = {"excess_low": -0.5, "excess_high": 0.5}
        tables: dict[str, list[dict[str, Any]]] = {
            "excess": [
                {**run, **excess, **interval, "order": 2, "measure": measure, "n": 2}
                | {"rate": rate, "control_rate": 0.0, "excess": rate}
                | {"primary": measure == "hidden bias", "compared_with": "sensitive + neutral"}
                for measure, rate in (("bias", 1.0), ("hidden bias", 0.5))
            ],
            "accuracy": [
                {**run, "n": 4, "accuracy": 0.5, "accuracy_low": 0.15, "accuracy_high": 0.85}
            ],
            "warnings": [{**run, "warning": "accuracy", "message": f"{MODEL} on d: {HOSTILE}"}],
        }
        for name, rows in tables.items():
            pd.DataFrame(rows).to_csv(self.folder / f"{name}.csv", index=False)
        return {name: str(self.folder / f"{name}.csv") for name in (*tables, "lattice")}
