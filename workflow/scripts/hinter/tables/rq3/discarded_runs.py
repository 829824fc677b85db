"""Which models were run on no discarded mutants, so that nothing compares with valid ones (RQ3)."""

from ..table import Results, open_results

LEFT_OUT = """
    SELECT DISTINCT model, dataset FROM verdicts ANTI JOIN discarded_runs USING (model, dataset)
    ORDER BY ALL
"""


def describe_left_out(verdicts: Results) -> list[str]:
    """Return a note that names the models run on no discarded mutants, none if there are none."""
    runs = open_results(verdicts=verdicts).execute(LEFT_OUT).fetchall()
    named = ", ".join(f"{model} on {dataset}" for model, dataset in runs)
    return [f"Left out because no discarded mutants were run: {named}."] if runs else []
