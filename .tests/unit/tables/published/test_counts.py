"""The published counts agree with one another."""

from hinter.tables.published.counts import Published


def test_the_counts_agree_with_one_another(published: Published) -> None:
    rates = published.bias_rates.set_index(["model", "dataset"])
    encoders = published.encoder_mutants
    encoders = encoders[encoders["level"] == "intersectional"].set_index(["model", "dataset"])
    assert encoders["valid"].equals(rates["tested"].reindex(encoders.index))
    assert encoders["valid_biased"].equals(rates["biased"].reindex(encoders.index))
    tests = published.prompted_tests
    assert (tests["loaded"] == tests["identical"] + tests["tested"]).all()
    tests = tests[tests["attributes"].str.contains("+", regex=False)]
    for model, rows in tests.groupby("model"):
        sums = rates.loc[model, ["tested", "biased"]].sum()
        assert rows[["tested", "biased"]].sum().equals(sums)
    cells = published.truth_table
    unique = published.unique_mutants.set_index("quantity")["mutants"]
    assert cells.loc[cells["intersectional"], "mutants"].sum() == unique["intersectional"]
