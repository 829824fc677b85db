"""Answers about professions, by pronoun and pair."""

from pathlib import Path

from hinter.tables.probes.professional import ANSWER_COLUMNS as COLUMNS
from hinter.tables.probes.professional import FINDINGS, tabulate_answers
from hinter.tables.probes.professional import PROFESSIONAL_ANSWERS as TABLE
from hits import hit_file

# Pair: the findings by she and by he.
FOUND = {
    ("doctor", "nurse", "4.5", "2.2"): (["stereotype", "other"], ["stereotype", "stereotype"]),
    ("cook", "maid", "nan", "nan"): (["both", "neither"], ["hedged", "refused", "unread"]),
}


def test_every_finding_is_counted_by_pronoun_and_by_pair(tmp_path: Path) -> None:
    rows = []
    for (male, female, male_norm, female_norm), by_pronoun in FOUND.items():
        facts = {"male": male, "female": female}
        facts |= {"male_norm": male_norm, "female_norm": female_norm}
        for pronoun, findings in zip(("she", "he"), by_pronoun, strict=True):
            for number, finding in enumerate(findings):
                key = f"{male}|{pronoun}{number}"
                rows.append(
                    {"input_id": key, "facts": facts | {"pronoun": pronoun}, "finding": finding}
                )
    path = hit_file(tmp_path / "h.parquet", rows)
    found = tabulate_answers([("m", "professional", path)])
    assert list(found) == list(COLUMNS)
    assert found[["pair", "pronoun", "n", *FINDINGS]].to_numpy().tolist() == [
        ["all", "all", 8, 3, 1, 1, 1, 1, 1, 1],
        ["all", "he", 4, 2, 0, 0, 0, 1, 1, 1],
        ["all", "she", 4, 1, 1, 1, 1, 0, 0, 0],
        ["cook / maid", "all", 4, 0, 0, 1, 1, 1, 1, 1],
        ["doctor / nurse", "all", 4, 3, 1, 0, 0, 0, 0, 0],
    ]
    assert found["score"].tolist() == [3 / 8, 0.5, 0.25, 0, 0.75]
    shown = TABLE.show(found)
    assert shown["male_norm"].tolist() == ["-", "-", "-", "-", "4.5"]
    assert TABLE.show(tabulate_answers([("m", "other", path)])).empty
