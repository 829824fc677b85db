"""Valid and discarded mutants, counted by hand."""

from pathlib import Path

from hinter.mutants import COUNTS_SCHEMA
from hinter.tables.rq3.discarded import FIGURE6_VALIDITY as TABLE
from hinter.tables.rq3.discarded import tabulate_validity
from result_files import Parts, write_rows


def test_mutants_are_counted_whole_and_by_kind(tmp_path: Path) -> None:
    counts = [("d", 1, None, 6), ("d", 1, "dep", 2), ("d", 2, "pos", 3), ("d", 3, "unchecked", 5)]
    counts += [("e", 1, None, 1), ("e", 2, "sentence_count", 4)]
    parts: Parts = []
    for dataset in ("d", "e"):
        table = [
            {"original_id": "o", "order": order, "attributes": "a", "reason": reason, "mutants": n}
            for of, order, reason, n in counts
            if of == dataset
        ]
        parts.append(("counts", dataset, write_rows(tmp_path / dataset, table, COUNTS_SCHEMA)))
    rows = tabulate_validity(parts, seed=1)
    assert rows.columns.tolist()[2:] == [
        *("mutants", "valid", "discarded", "sentence_count", "pos", "dep"),
        *("unchecked", "valid_share", "valid_share_low", "valid_share_high"),
    ]
    # Of two originals, little can be said; of one alone nothing.
    assert rows.fillna(-1).values.tolist() == [
        ["all", "all", 21, 7, 9, 4, 3, 2, 5, 0.4375, 0.13, 0.8],
        ["all", "intersectional", 12, 0, 7, 4, 3, 0, 5, 0, 0, 0.85],
        ["all", "atomic", 9, 7, 2, 0, 0, 2, 0, 0.777778, 0.22, 0.937],
        ["d", "all", 16, 6, 5, 0, 3, 2, 5, 0.545455, -1, -1],
        ["d", "intersectional", 8, 0, 3, 0, 3, 0, 5, 0, -1, -1],
        ["d", "atomic", 8, 6, 2, 0, 0, 2, 0, 0.75, -1, -1],
        ["e", "all", 5, 1, 4, 4, 0, 0, 0, 0.2, -1, -1],
        ["e", "intersectional", 4, 0, 4, 4, 0, 0, 0, 0, -1, -1],
        ["e", "atomic", 1, 1, 0, 0, 0, 0, 0, 1, -1, -1],
    ]
    shown = TABLE.show(rows)
    assert shown.loc[0, ["valid %", "by original"]].tolist() == ["43.75", "[13.0, 80.0]"]
    assert tabulate_validity(parts[:1], seed=1)["dataset"].unique().tolist() == ["d"]
