"""The comparators' checks on assessed mutants are those by which these were drawn."""

import pytest
from hinter.assessments import ASSESSED_SCHEMA, AssessedMutant, check_assessed
from hinter.invariant import Comparator, Invariant

# Since they were sampled, white space is no token any more, which changes these two parses.
CHANGED = (
    "5ba5fa5534671ca6|body:folks>visually_impaired_people",
    "38f34a872d11f280|age:child>teenager|body:persons>blind_people",
)


def _unchanged(mutants: list[AssessedMutant]) -> list[AssessedMutant]:
    return [mutant for mutant in mutants if mutant.mutant_id not in CHANGED]


@pytest.mark.long
def test_the_verdicts_are_those_by_which_the_mutants_were_drawn(
    assessed_for_comparators: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    sampled = _unchanged(assessed_for_comparators)
    table = check_assessed(sampled, invariants=list(invariants.values()))
    assert table.schema == ASSESSED_SCHEMA
    for row in table.to_pylist():
        others = {row["strict"], row["heads"]}
        if row["stratum"] in ("valid", "border"):
            assert row["tolerant"] == "valid", row
            assert (others == {"valid"}) == (row["stratum"] == "valid"), row
        else:
            assert row["tolerant"] == row["stratum"], row
            assert "valid" not in others, row


def test_the_checks_are_those_by_which_the_mutants_were_drawn(
    assessed: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    sampled = [
        mutant for mutant in _unchanged(assessed) if mutant.sample in ("literal", "coherent")
    ]
    table = check_assessed(sampled, invariants=list(invariants.values()))
    for row in table.to_pylist():
        if row["tolerant"] != "sentence_count":
            valid, order = row["stratum"].split("_")
            assert (row["tolerant"] == "valid") == (valid == "valid"), row
            assert row["order"] == int(order)
