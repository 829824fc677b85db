"""She against he on the same sentences."""

from pathlib import Path

from hinter.statistics import mcnemar_exact
from hinter.tables.probes.professional import PROFESSIONAL_PRONOUNS as TABLE
from hinter.tables.probes.professional import PRONOUN_COLUMNS as COLUMNS
from hinter.tables.probes.professional import tabulate_pronouns
from hits import hit_file

# Hits by she and by he, a sentence each.
PAIRS = [(True, True), (True, False), (True, False), (False, True), (False, False)]
PAIRS += [(True, False)] * 4


def test_sentences_are_paired_by_their_subject(tmp_path: Path) -> None:
    rows = [
        {
            "input_id": f"{number}|{pronoun}",
            # Two sentences that differ in their subject share an original.
            "original_id": str(number // 2),
            "facts": {"pronoun": pronoun, "subject": str(number % 2)},
            "hit": hit,
        }
        for number, pair in enumerate(PAIRS)
        for pronoun, hit in zip(("she", "he"), pair, strict=True)
    ]
    path = hit_file(tmp_path / "h.parquet", rows)
    (row,) = tabulate_pronouns([("m", "professional", path)]).to_dict("records")
    assert list(row) == list(COLUMNS)
    assert row == {
        "model": "m",
        "n": 9,
        "both_hit": 1,
        "she_only": 6,
        "he_only": 1,
        "p_value": mcnemar_exact(6, 1),
    }
    assert TABLE.show(tabulate_pronouns([("m", "other", path)])).empty
