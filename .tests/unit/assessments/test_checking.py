"""The comparators' checks on assessed mutants are those by which these were drawn."""

import pytest
from hinter.assessments import ASSESSED_SCHEMA, AssessedMutant, check_assessed
from hinter.invariant import Comparator, Invariant


@pytest.mark.long
def test_the_verdicts_are_those_by_which_the_mutants_were_drawn(
    assessed_for_comparators: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    table = check_assessed(assessed_for_comparators, invariants=list(invariants.values()))
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
    drawn = [mutant for mutant in assessed if mutant.draw in ("literal", "coherent")]
    table = check_assessed(drawn, invariants=list(invariants.values()))
    for row in table.to_pylist():
        if row["tolerant"] != "sentence_count":
            valid, order = row["stratum"].split("_")
            assert (row["tolerant"] == "valid") == (valid == "valid"), row
            assert row["order"] == int(order)
