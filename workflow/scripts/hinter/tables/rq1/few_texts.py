"""Warnings about the texts of a run: few of them, few with most mutants, few controls, HTML."""

from collections.abc import Iterator

from ...markup import has_html
from ..table import Results, open_results

FEWEST_TEXTS = 30
"""With fewer originals, intervals by original are too wide for most findings."""
FEWEST_MATCHED = 0.5
"""With a smaller share of mutants that have a control, rates of both hardly compare."""
LARGEST_LOSS = 2
"""Mutants that are spread less evenly than this count like those of half as many originals."""

# As the variance of a mean over originals with different numbers of mutants (Kish).
SPREAD = """
    WITH tested AS (
        SELECT model, dataset, original_id, count(*) AS mutants
        FROM counted_verdicts GROUP BY ALL
    ),
    ranked AS (
        SELECT *, sum(mutants) OVER (
            PARTITION BY model, dataset ORDER BY mutants DESC, original_id
        ) - mutants AS before, sum(mutants) OVER (PARTITION BY model, dataset) AS n
        FROM tested
    )
    SELECT model, dataset, count(*) AS originals, any_value(n)::BIGINT AS n,
        any_value(n) ^ 2 / sum(mutants ^ 2) AS effective,
        count(*) FILTER (before < n / 2) AS most,
        sum(mutants) FILTER (before < n / 2)::BIGINT AS held
    FROM ranked GROUP BY ALL ORDER BY ALL
"""
MATCHED = "SELECT dataset, count(control_id), count(*) FROM controls GROUP BY dataset"
TEXTS = "SELECT dataset, text FROM corpora WHERE tested"

Described = tuple[str, str, str, str]
"""The model, the dataset, the warning in a word, and the warning as a sentence."""


def warn_of_texts(verdicts: Results, controls: Results, corpora: Results) -> Iterator[Described]:
    """Yield the warnings about the texts of each run, as far as it has verdicts.

    `few_texts`: fewer than 30 originals are tested;
    `uneven`: mutants are spread so unevenly that they count like those of half as many originals;
    `few_controls`: less than half of the mutants have a control;
    `html`: texts have tags or entities of HTML.
    """
    connection = open_results(
        verdicts=verdicts, corpora=corpora, **({"controls": controls} if controls else {})
    )
    counted = connection.execute(MATCHED).fetchall() if controls else ()
    matched = {name: counts for name, *counts in counted}
    texts = connection.execute(TEXTS).df()
    with_html = texts["text"].map(has_html).groupby(texts["dataset"]).sum()
    for row in connection.execute(SPREAD).df().to_dict("records"):
        run = row["model"], row["dataset"]
        if row["originals"] < FEWEST_TEXTS:
            tested = (
                f"only {row['originals']} text{'s are' if row['originals'] > 1 else ' is'} tested"
            )
            message = f"{tested}, so only large effects would show. Add texts that mention persons."
            yield *run, "few_texts", message
        if row["effective"] * LARGEST_LOSS < row["originals"]:
            yield (
                *run,
                "uneven",
                f"of {row['n']:,} mutants, {row['held']:,} are of {row['most']} of the "
                f"{row['originals']:,} texts, so that all count like those of "
                f"{row['effective']:.1f} texts. Set `suite.pairs_per_attribute`.",
            )
        has, of = matched.get(row["dataset"], (1, 1))
        if has < FEWEST_MATCHED * of:
            yield (
                *run,
                "few_controls",
                f"{has:,} of {of:,} mutants have a control, as the texts have few neutral words. "
                "Described persons have more (`mutation.operators`).",
            )
        if with_html.get(row["dataset"]):
            yield (
                *run,
                "html",
                f"{with_html[row['dataset']]:,} of the tested texts have tags or entities of HTML: "
                "set `clean: html` in the datasets sheet.",
            )
