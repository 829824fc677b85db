"""Entries of the erratum on how the prompted models were asked: Table 2."""

from .counts import Published
from .entries import UNKNOWN, Entry, Numbers
from .figure6_validity import PROMPTED, figure6
from .numbers import quote
from .table2_bias_rates import table2

SCRIPT = "llms_original_legal_testing.py"
MODELS = ("llama2", "gpt-3.5")
"""The prompted models."""


def prompt_entries(published: Published) -> list[Entry]:
    """Return the entries on sampling, on a broken prompt and on the prompts' examples."""
    rates = Numbers(table2(published))
    return [
        _sampled(published, rates),
        _without_labels(published, rates),
        _shown(published, rates),
        _left_out(published),
    ]


def _sampled(published: Published, rates: Numbers) -> Entry:
    return Entry(
        place="Table 2, RQ1",
        what="changed answers of gpt-3.5 that its mutations explain",
        published=quote(published.printed, "bias_rate", model="gpt-3.5"),
        recomputed=rates.text("bias_rate", model="gpt-3.5"),
        corrected=UNKNOWN,
        why=f"Calls give the model and the messages alone ({SCRIPT}:492-495), no temperature and "
        "no seed. So answers are sampled at the default temperature of 1, and each text is asked "
        "about once. The paper states a temperature of zero for llama2 only. Nothing measures how "
        "often an answer changes without any mutation, so an unknown part of the rate, and of the "
        "hidden rate with it, is chance.",
    )


def _without_labels(published: Published, rates: Numbers) -> Entry:
    return Entry(
        place="Table 2",
        what="bias on ecthr_a of models that were told the labels",
        published=_printed(published, "ecthr_a"),
        recomputed=_recomputed(rates, "ecthr_a"),
        corrected=UNKNOWN,
        why=f"The system message for ECtHR is no formatted string ({SCRIPT}:121). Where it should "
        "list the articles, it holds the Python expression that would have listed them, so neither "
        "model was told the labels. Both rates, and the totals with them, are of this prompt.",
    )


def _shown(published: Published, rates: Numbers) -> Entry:
    return Entry(
        place="Table 2",
        what="bias on eurlex, without texts that the prompt itself answers",
        published=_printed(published, "eurlex"),
        recomputed=_recomputed(rates, "eurlex"),
        corrected=UNKNOWN,
        why="Every prompt for EUR-Lex shows three training texts with their labels (710, 789 and "
        "20616). They are tested as well: the list of texts to leave out does not name them "
        f"({SCRIPT}:301-308, 446). How many mutants are of these texts is not published.",
    )


def _left_out(published: Published) -> Entry:
    tests = published.prompted_tests
    tests = tests[tests["attributes"].str.contains("+", regex=False) & tests["model"].eq("gpt-3.5")]
    valid = Numbers(figure6(published)).count("valid", model=PROMPTED, part="intersectional")
    return Entry(
        place="Table 2, RQ1",
        what="intersectional mutants left out because the prompts show their texts",
        published="none is mentioned",
        recomputed=f"{valid - int(tests['loaded'].sum())} of gpt-3.5, over all datasets",
        corrected=UNKNOWN,
        why="For EUR-Lex, the list of texts to leave out has other numbers than the examples of "
        f"its prompt (1454, 1719 and 36845, {SCRIPT}:301-308): three texts that no prompt shows "
        "are left out in place of the three that all show. Only the training split is filtered.",
    )


def _printed(published: Published, dataset: str) -> str:
    return "; ".join(
        f"{model}: {quote(published.printed, 'bias_rate', model=model, part=dataset)}"
        for model in MODELS
    )


def _recomputed(rates: Numbers, dataset: str) -> str:
    return "; ".join(
        f"{model}: {rates.text('bias_rate', model=model, part=dataset)}" for model in MODELS
    )
