"""A small judged study, exported with its texts or without."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hinter.exports import (
    Evaluated,
    Evaluation,
    RecordSchemas,
    Studied,
    write_dataset,
    write_evaluation,
)
from hinter.locations import HOME
from hinter.yaml_files import read_yaml
from judged import TEXTS, Judged, Simulated, outcome_of
from recipes import literal_mutant

CITATION = HOME / "CITATION.cff"
CARD = (HOME / "workflow/scripts/hinter/exports/card.md").read_text(encoding="utf-8")
ORIGIN: dict[str, Any] = {
    "sheet": {
        "about": "A model of ours",
        "kind": "endpoint",
        "base_url": "http://secret.example:8000/v1",
        "model": "ours",
        "key_variable": "SECRET_KEY",
        "tokenizer": "/home/somebody/tokenizer",
        "temperature": 0.5,
    },
    "repository": None,
}


def source(*, licence: str | None = None, redistribute: bool = False) -> dict[str, Any]:
    return {
        "about": "Notes about people",
        "licence": licence,
        "redistribute": redistribute,
        "urls": [],
        "repository": None,
        "package": None,
    }


def studied(
    sources: Mapping[str, Mapping[str, Any]], *, model: str = "ours", **origin: Any
) -> Studied:
    return Studied(
        sources=sources,
        origins={model: ORIGIN | origin},
        settings={"seed": "1"},
        citation=read_yaml(CITATION),
    )


class Exported(Judged):
    """The judged study with right labels, and with answers that repeat what was asked."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Simulated(outcome_of))
        corpus = pq.read_table(folder / "corpus.parquet")
        labels = pa.array([["positive"], ["positive"], ["negative"]], pa.list_(pa.string()))
        number = corpus.schema.get_field_index("labels")
        pq.write_table(corpus.set_column(number, "labels", labels), folder / "corpus.parquet")
        self.texts = dict(TEXTS)
        for row in pq.read_table(folder / "suite.parquet").to_pylist():
            pairs = [self.pairs[pair_id] for pair_id in row["pair_ids"]]
            mutant = literal_mutant(row["original_id"], TEXTS[row["original_id"]], pairs)
            self.texts[mutant.mutant_id] = mutant.text
        predictions = pq.read_table(folder / "predictions.parquet")
        said = [f"I read: {self.texts[key]}" for key in predictions["input_id"].to_pylist()]
        number = predictions.schema.get_field_index("answer")
        answers = predictions.set_column(number, "answer", pa.array(said, pa.string()))
        pq.write_table(answers, folder / "predictions.parquet")

    def evaluations(
        self,
        *,
        schemas: Path,
        redistribute: bool,
        time: str = "1700000000",
        model: str = "ours",
        **origin: Any,
    ) -> Path:
        """Write the record of the model, and return the folder."""
        folder = self.folder / f"evaluations-{redistribute}"
        sources = {"notes": source(licence="CC0-1.0", redistribute=redistribute)}
        study = Evaluation(
            studied(sources, model=model, **origin),
            schemas=RecordSchemas(schemas),
            time=time,
            accuracy=pd.DataFrame(columns=["model", "dataset"]),
            excess=pd.DataFrame(
                columns=["model", "dataset", "attributes", "compared_with", "measure"]
            ),
            seed=1,
        )
        run = Evaluated(
            model=model,
            dataset="notes",
            verdicts=self.verdicts,
            predictions=self.folder / "predictions.parquet",
            corpus=self.folder / "corpus.parquet",
            prompt={"instruction": "Judge.", "question": "Text: {text}", "max_answer_tokens": 4},
        )
        write_evaluation(run, study, folder=folder)
        return folder

    def dataset(self, *, redistribute: bool) -> Path:
        """Write the dataset, and return its folder."""
        folder = self.folder / f"dataset-{redistribute}"
        folder.mkdir(exist_ok=True)
        part = ("ours", "notes")
        write_dataset(
            {
                "suites": [("suites", "notes", self.folder / "suite.parquet")],
                "corpora": [("corpora", "notes", self.folder / "corpus.parquet")],
                "verdicts": [(*part, self.verdicts)],
                "predictions": [(*part, self.folder / "predictions.parquet")],
                "comparators": [],
                "cases": [],
            },
            pairs=self.pairs,
            studied=studied({"notes": source(licence="CC0-1.0", redistribute=redistribute)}),
            template=CARD,
            citation_file=CITATION,
            folder=folder,
        )
        return folder
