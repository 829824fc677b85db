"""Entries of the erratum on RQ1 and on how prompted models were asked: Tables 1 and 2."""

import pandas as pd

from .counts import Published
from .figure6_validity import PROMPTED, figure6
from .figure9_atomic_bias import figure9
from .numbers import UNKNOWN, Entry, Numbers, quote, share
from .table2_bias_rates import table2

MODELS = ("llama2", "gpt-3.5", "legal-bert")
"""The models that have a truth table."""

SCRIPT = "llms_original_legal_testing.py"
PROMPTED_MODELS = ("llama2", "gpt-3.5")
"""The prompted models."""


def rq1_entries(published: Published) -> list[Entry]:
    """Return the entries on hidden bias, the suites and the examples."""
    rates = Numbers(table2(published))
    return [
        _lookup(published, rates),
        _denominator(published, rates),
        _undefined(published),
        _suites(published),
        _attributes(published.table1),
    ]


def _lookup(published: Published, rates: Numbers) -> Entry:
    cells = Numbers(figure9(published))
    counted = ", ".join(
        f"{cells.count('intersectional_only', model=model):,} and "
        f"{rates.count('hidden_rate', model=model):,} ({model})"
        for model in MODELS
    )
    return Entry(
        place="Table 2, RQ1, abstract",
        what="hidden of biased intersectional mutants",
        published=quote(published.printed, "hidden_rate"),
        recomputed=rates.text("hidden_rate"),
        corrected=UNKNOWN,
        why="The verdict on a sub-mutant is kept by text and word list, without the word pair "
        "(process_results.py:827-834, 1131-1167): the first pair that is met stands for its whole "
        "list, and which one is first depends on Python's hash seed. The authors' file counts "
        f"hidden mutants in two places, and the counts differ: {counted}.",
    )


def _denominator(published: Published, rates: Numbers) -> Entry:
    def coverage(**key: str) -> str:
        return share(rates.of("hidden_rate", **key), rates.count("bias_rate", **key))

    return Entry(
        place="Table 2, RQ1, abstract",
        what="what hidden bias is a share of",
        published=quote(published.printed, "hidden_rate"),
        recomputed=rates.text("hidden_rate"),
        corrected=share(rates.count("hidden_rate"), rates.count("bias_rate")),
        why="Biased mutants for which no verdict on a sub-mutant was found are left out of the "
        f"denominator. The rate covers {coverage()} of the biased mutants, on scotus "
        f"{coverage(part='scotus')}, under llama2 {coverage(model='llama2')}. In the corrected "
        "rate these count as not hidden; its numerator is subject to the entry above.",
    )


def _undefined(published: Published) -> Entry:
    counts = published.bias_rates
    empty = counts[counts["looked_up"] == 0]
    keys = list(zip(empty["model"], empty["dataset"], strict=True))
    names = ", ".join(f"{model} on {dataset}" for model, dataset in keys)
    (printed,) = {
        quote(published.printed, "hidden_rate", model=model, part=part) for model, part in keys
    }
    return Entry(
        place="Table 2",
        what="hidden bias where there is nothing to hide",
        published=f"{printed} in {len(empty)} cells",
        recomputed=share(int(empty["hidden"].sum()), int(empty["looked_up"].sum())),
        corrected="-",
        why=f"The denominator is 0: {names}.",
    )


def _suites(published: Published) -> Entry:
    tests = published.prompted_tests
    tests = tests[tests["attributes"].str.contains("+", regex=False)]
    loaded = tests.pivot(index="attributes", columns="model", values="loaded")
    lacks = loaded["gpt-3.5"] - loaded["llama2"]
    named = " and ".join(f"{count:,} of {name}" for name, count in lacks[lacks > 0].items())
    valid = Numbers(figure6(published)).count("valid", model=PROMPTED, part="intersectional")
    sums = loaded.sum()
    return Entry(
        place="Table 2, RQ1",
        what="valid intersectional mutants that the prompted models were given",
        published="the same for both",
        recomputed="; ".join(f"{model}: {share(n, valid)}" for model, n in sums.items()),
        corrected=UNKNOWN,
        why="Missing files of mutants are skipped without an error, so llama2 lacks "
        f"{named} that gpt-3.5 has ({valid - sums['gpt-3.5']} more are of texts that are left out "
        "as examples of the prompts). The columns of the two models are not paired, so their "
        "difference is not only due to the models.",
    )


def _attributes(table1: pd.DataFrame) -> Entry:
    def told(column: str) -> str:
        rows = zip(table1["source"], table1["target"], table1[column], strict=True)
        return "; ".join(f"{source} -> {target}: {attribute}" for source, target, attribute in rows)

    files = ", ".join(table1["dictionary_file"].unique())
    return Entry(
        place="Table 1",
        what="attributes of the mutations",
        published=told("printed_attribute"),
        recomputed=told("dictionary_attribute"),
        corrected=told("dictionary_attribute"),
        why=f"The authors' dictionary has these pairs under the other attribute: {files}.",
    )


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
        for model in PROMPTED_MODELS
    )


def _recomputed(rates: Numbers, dataset: str) -> str:
    return "; ".join(
        f"{model}: {rates.text('bias_rate', model=model, part=dataset)}"
        for model in PROMPTED_MODELS
    )
