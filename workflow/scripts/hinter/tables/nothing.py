"""Why a table, or the figure drawn of it, is empty."""

_NO_INTERSECTIONAL_VERDICT = (
    "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all its "
    "pairs."
)

WHY_EMPTY = {
    "mutants": "Nothing to show: no mutant was made.",
    "accuracy": "Nothing to show: no held-out text has labels.",
    "answers": "Nothing to show: no model was asked about anything.",
    "warnings": (
        "Nothing to warn of: every model has verdicts, mostly gives an outcome, not always the "
        "same one, and beats the most frequent label; where it was asked again, it changes fewer "
        "answers than under mutation."
    ),
    "training": "Nothing to show: no encoder was fine-tuned.",
    "noise_floor": "Nothing to show: no original was given two outcomes.",
    "table1_hidden_cases": "Nothing to show: no mutant shows hidden bias.",
    "table2_bias_rates": "Nothing to show: no valid intersectional mutant was run.",
    "figure4_biased_originals": _NO_INTERSECTIONAL_VERDICT,
    "figure5_grammar": "Nothing to show: no valid mutant has a grammar score.",
    "figure6_validity": "Nothing to show: no mutant was made.",
    "figure7_false_positives": (
        "Nothing to show: no model that was run on discarded mutants has a verdict."
    ),
    "figure8_discarded": "Nothing to show: no mutant has a grammar score.",
    "figure9_truth_table": _NO_INTERSECTIONAL_VERDICT,
    "figure9_atomic_mutants": (
        "Nothing to show: no biased atomic mutant is part of a mutant of two attributes with a "
        "verdict."
    ),
    "figure10_exposure": (
        "Nothing to show: no original has verdicts on mutants of two attributes and of each alone."
    ),
    "lattice": _NO_INTERSECTIONAL_VERDICT,
    "comparators": "Nothing to show: no model was run on discarded mutants.",
    "comparator_validity": "Nothing to show: no mutants were judged.",
    "corrected_rates": (
        "Nothing to show: no mutant has a verdict of a model that sees all its pairs."
    ),
    "model_comparison": "Nothing to show: no two models have verdicts on the same mutant.",
    "groups_bias": (
        "Nothing to show: no valid mutant has a verdict of a model that sees all its pairs."
    ),
    "paper_comparison": "Nothing to show: no number of this study has a counterpart in the paper.",
}
"""By the name of a table without its ending."""
