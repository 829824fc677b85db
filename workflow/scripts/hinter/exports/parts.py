"""The parts of an exported dataset: for each, its files, their columns and what these mean."""

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa

from ..mutation import EDITS

STRINGS = pa.list_(pa.string())
SCORES = pa.list_(pa.struct([("label", pa.string()), ("score", pa.float32())]))


class Column(NamedTuple):
    """The type of a column and what it holds."""

    type: pa.DataType
    meaning: str


class Part(NamedTuple):
    """A part, which loaders know as a configuration: Parquet files in the folder of its name."""

    name: str
    about: str
    columns: Mapping[str, Column]

    @property
    def files(self) -> str:
        """The pattern of its files: by model and dataset, or by dataset."""
        return f"{self.name}/{'*/' if 'model' in self.columns else ''}*.parquet"

    @property
    def schema(self) -> pa.Schema:
        """The schema of its files."""
        return pa.schema([(name, column.type) for name, column in self.columns.items()])


RUN = {
    "model": Column(pa.string(), "name of the model"),
    "dataset": Column(pa.string(), "name of the dataset"),
}
RECIPE = {
    "original_id": Column(pa.string(), "first 16 hexadecimal digits of the SHA-256 of the text"),
    "order": Column(pa.int8(), "number of attributes that it changes, 0 for originals"),
    "attributes": Column(pa.string(), "these attributes, joined by +"),
    "pair_ids": Column(STRINGS, "word pairs, attribute:source>target"),
    "operator": Column(pa.string(), "how it is made: literal, coherent, describe"),
    "edits": Column(
        EDITS,
        "what replaces the characters of the original from start to end, and for which attribute",
    ),
    "one_person": Column(
        pa.string(),
        "whether all edits concern one person: yes, no, unknown; null for one attribute",
    ),
    "valid": Column(pa.bool_(), "whether the dependency invariant holds; null if unchecked"),
}
JUDGED = {
    "status": Column(pa.string(), "ok, identical, none, refused, unparsed"),
    "outcome": Column(STRINGS, "labels that the model gives it; null without"),
    "scores": Column(SCORES, "log-odds of each label; null where the model gives none"),
    "original_outcome": Column(STRINGS, "labels that the model gives the original"),
    "original_scores": Column(SCORES, "log-odds of each label of the original"),
    "shift": Column(pa.float32(), "how far it moves the model from the original's outcome"),
    "margin": Column(pa.float32(), "of the original's outcome, by its own scores"),
    "hidden": Column(pa.bool_(), "biased while no sub-mutant is; null where not decidable"),
    "minimal_subsets": Column(STRINGS, "smallest biased sets of its pairs"),
}
SUITE = Part(
    "suite",
    "Originals and mutants as recipes: what the models were run on.",
    {
        "dataset": RUN["dataset"],
        "input_id": Column(pa.string(), "original_id, or original_id|pair_id|pair_id of a mutant"),
        "kind": Column(pa.string(), "original, mutant or control (with neutral pairs)"),
        **RECIPE,
        "drawn": Column(pa.bool_(), "true for sampled mutants, false for parts of these"),
        "labels": Column(STRINGS, "right labels of an original, where the dataset has any"),
        "text": Column(pa.string(), "null where the licence does not let it be passed on"),
    },
)
VERDICTS = Part(
    "verdicts",
    "What each model answered to each mutant, and whether it is biased.",
    {
        **RUN,
        "mutant_id": Column(pa.string(), "the input_id of the suite"),
        **RECIPE,
        "control": Column(pa.bool_(), "whether it is a control or a part of one"),
        "visible_order": Column(pa.int8(), "pairs that the model sees"),
        "biased": Column(pa.bool_(), "whether the outcome differs from that of the original"),
        "counted": Column(pa.bool_(), "whether it enters the rates of valid mutants"),
        "complete": Column(pa.bool_(), "whether all its sub-mutants are valid and were run"),
        **JUDGED,
    },
)
CASES = Part(
    "cases",
    "Biased mutants, hidden and others, with both outcomes, scores and checks.",
    {
        **RUN,
        "mutant_id": Column(pa.string(), "the input_id of the suite"),
        **RECIPE,
        "counted": Column(pa.bool_(), "whether it enters the rates of valid mutants"),
        **JUDGED,
        "tolerant": Column(pa.string(), "the paper's invariant: valid, unchecked, or a reason"),
        "strict": Column(pa.string(), "the same of the strict comparator; null if not compared"),
        "heads": Column(pa.string(), "the same of the comparator that also compares heads"),
        "sufficient_edits": Column(
            EDITS, "edits that suffice to change the outcome; null if not examined"
        ),
        "times_biased": Column(pa.int32(), "how often it was biased when asked again"),
        "times_hidden": Column(pa.int32(), "how often it was hidden when asked again"),
    },
)
PAIRS = Part(
    "pairs",
    "The word pairs that recipes name.",
    {
        name: Column(pa.string(), meaning)
        for name, meaning in (
            ("pair_id", "attribute:source>target"),
            ("attribute", "body, gender, race, ...; control for neutral pairs"),
            ("source_group", "group of the source term"),
            ("target_group", "group of the target term"),
            ("source", "term that is replaced"),
            ("target", "term in its place"),
            ("operator", "how it is put there: literal, coherent, describe"),
        )
    },
)
PARTS = (SUITE, CASES, VERDICTS, PAIRS)
