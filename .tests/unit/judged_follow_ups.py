"""Verdicts on a few follow-ups, written by hand."""

from collections.abc import Iterable
from pathlib import Path

from hinter.oracle import VERDICTS_SCHEMA
from hinter.relations import FOLLOW_UPS_SCHEMA, RELATIONS
from result_files import Parts, Row, write_rows

AGE, JOB = "age:young>old", "job:nurse>actor"
FaultOf = tuple[str, str, tuple[str, ...], bool | None]
"""A source, a relation, the pairs that a follow-up changes, and whether it reveals a fault."""


class Judged:
    """Follow-ups, and a model's verdicts on it by the metric `tone`."""

    def __init__(self, folder: Path, faults: Iterable[FaultOf]) -> None:
        follow_ups, verdicts = [], []
        for source, relation, pairs, fault in faults:
            mutant_id = "|".join([source, relation, *pairs])
            row: Row = {
                "mutant_id": mutant_id,
                "relation": relation,
                "family": RELATIONS[relation].family,
                "source_id": source,
                "source_attributes": "age+job" if source < "c" else "age+faith",
                "text": relation,
            }
            follow_ups.append(row)
            judged: Row = {
                "mutant_id": mutant_id,
                "original_id": source,
                "order": len(pairs),
                "pair_ids": list(pairs),
            }
            seen = {"status": "ok", "visible_order": len(pairs), "biased": fault}
            shift = None if fault is None else (-2.0 if fault else 0.5)
            verdicts.append(judged | seen | {"shift": shift})
        self.follow_ups = write_rows(folder / "follow_ups.parquet", follow_ups, FOLLOW_UPS_SCHEMA)
        path = write_rows(folder / "m" / "relations_tone.parquet", verdicts, VERDICTS_SCHEMA)
        self.verdicts: Parts = [("m", "relations_tone", path)]
