"""Which models were run on discarded mutants, so that valid ones can be compared (RQ3)."""

from ..sources import Results, open_results

RUN_ON_DISCARDED = """
    (FROM verdicts SEMI JOIN (
        SELECT model, dataset FROM verdicts GROUP BY ALL HAVING NOT bool_and(valid)
    ) USING (model, dataset))
"""
"""The verdicts of the models that were run on discarded mutants of a dataset."""

LEFT_OUT = "SELECT model, dataset FROM verdicts GROUP BY ALL HAVING bool_and(valid) ORDER BY ALL"


def describe_left_out(verdicts: Results) -> list[str]:
    """Return a note that names the models run on no discarded mutants, none if there are none."""
    runs = open_results(verdicts=verdicts).execute(LEFT_OUT).fetchall()
    named = ", ".join(f"{model} on {dataset}" for model, dataset in runs)
    return [f"Left out because no discarded mutants were run: {named}."] if runs else []
