"""Whether findings hold when models are asked again, and over seeds and prompts (RQ1)."""

import pandas as pd
from scipy.stats import t

from ..columns import RUN, with_share, with_wilson
from ..shown import NONE, difference_of, in_percent, shown, titled
from ..table import Results, Table, open_results, query_results

COUNTS = """
    WITH found AS (
        SELECT model, dataset, mutant_id, "order", hidden IS TRUE AS hidden FROM counted_verdicts
        WHERE biased
    ),
    examined AS (
        SELECT *, len(list_distinct(list_transform(edits, lambda edit: edit.attribute))) AS pairs
        FROM found JOIN (SELECT * EXCLUDE hidden FROM cases) USING (model, dataset, mutant_id)
    ),
    kinds AS (
        SELECT *, 'hidden' AS kind, times_hidden AS times FROM examined WHERE hidden
        UNION ALL SELECT *, 'biased', times_biased FROM examined WHERE sampled
    ),
    numbers AS (
        SELECT model, dataset, "order", 'hidden' AS kind, count(*) AS cases FROM found
        WHERE hidden GROUP BY ALL
        UNION ALL
        SELECT model, dataset, "order", 'biased', count(*) FROM found GROUP BY ALL
    )
    SELECT model, dataset, "order", kind, any_value(numbers.cases) AS cases, count(*) AS examined,
        bool_and(repeats IS NULL) AS deterministic, max(repeats) AS repeats,
        count(*) FILTER (repeats > 1) AS asked_again,
        count(*) FILTER (repeats > 1 AND times = repeats) AS held,
        count(*) FILTER (minimal) AS narrowed,
        round(avg(replaced) FILTER (minimal), 6) AS mean_replaced,
        round(avg(sufficient) FILTER (minimal), 6) AS mean_sufficient,
        count(*) FILTER (minimal AND sufficient = 1) AS one_place,
        count(*) FILTER (minimal AND pairs = "order") AS all_pairs
    FROM kinds JOIN numbers USING (model, dataset, "order", kind)
    GROUP BY model, dataset, "order", kind ORDER BY model, dataset, "order", kind DESC
"""

EXAMINED_COLUMNS = {
    **RUN,
    "order": "number of attributes that the mutants change",
    "kind": "hidden: hidden cases; biased: a sample of all biased mutants, hidden or not",
    "cases": "number of cases",
    "examined": "cases that were examined",
    "deterministic": "whether the model always gives the same answer",
    "repeats": "how often each was asked about; empty for a deterministic model",
    "asked_again": "examined cases that were asked about more than once",
    "held": "those that are hidden, or biased, each time",
    **with_wilson("held_rate", "held / asked_again"),
    "narrowed": "examined cases that were narrowed to a minimal set of edits",
    "mean_replaced": "mean number of their edits",
    "mean_sufficient": "mean number of edits in the minimal sets",
    "one_place": "minimal sets of one edit",
    "all_pairs": "minimal sets with an edit of every pair",
}


def tabulate_examined(cases: Results, verdicts: Results) -> pd.DataFrame:
    """Return a row per model, dataset, order and kind of case."""
    counts = query_results(COUNTS, cases=cases, verdicts=verdicts).astype({"repeats": "Int64"})
    return with_share(counts, "held_rate", part="held", whole="asked_again")[list(EXAMINED_COLUMNS)]


def _of(part: "pd.Series[int]", whole: "pd.Series[int]") -> list[str]:
    pairs = zip(part, whole, strict=True)
    return [f"{some} of {many}" if many else NONE for some, many in pairs]


EXAMINED_CASES = Table(
    title="Cases examined",
    only_if=("cases",),
    columns=EXAMINED_COLUMNS,
    compute=tabulate_examined,
    show=shown(
        *("model", "dataset", "order", "kind", "cases", "examined"),
        lambda rows: {
            "asked": rows["repeats"].astype("str").where(~rows["deterministic"], "deterministic"),
            "held": _of(rows["held"], rows["asked_again"]),
        },
        in_percent("held_rate", "held %", ends="Wilson"),
        lambda rows: {
            "places": rows["mean_replaced"].round(1),
            "edits that suffice": rows["mean_sufficient"].round(1),
            "one suffices": _of(rows["one_place"], rows["narrowed"]),
            "all attributes needed": _of(rows["all_pairs"], rows["narrowed"]),
        },
    ),
    empty="Nothing to show: no mutant is biased.",
    text="""\
Cases examined: hidden ones, and a sample of all biased mutants. A case holds if it is hidden, or
biased, each time that the original, the mutant and, for hidden cases, all sub-mutants are asked
about again; deterministic models always give the same answer. Each case is narrowed to a minimal
set of its edits: it still changes the outcome, and no edit can be left out.

As many cases are examined as ``case_answers`` allows, and narrowed by delta debugging. A hidden
case that holds is *confirmed*. Often one of many edits suffices, so a case that changes two
attributes may need only one of them.
""",
)


FAMILY = r"regexp_replace(model, '\.(seed|prompt)\d+$', '')"
# Only mutants on which every seed has a verdict are compared.
SHOWN = f"""
    WITH measured AS (
        SELECT {FAMILY} AS family, dataset, "order", model, mutant_id,
            unnest(['bias', 'hidden bias']) AS measure,
            unnest([biased, if(complete AND "order" > 1, hidden, NULL)]) AS shown
        FROM listed_verdicts
    ),
    mutants AS (
        SELECT family, dataset, "order", measure, mutant_id, count(shown) AS seeds,
            count(*) FILTER (shown) AS times
        FROM measured GROUP BY ALL
    ),
    families AS (SELECT family, dataset, count(DISTINCT model) AS seeds FROM measured GROUP BY ALL)
"""
RATES = f"""
    {SHOWN}
    SELECT measured.family AS model, dataset, "order", measure, measured.model AS seed,
        avg(shown::INT) AS rate
    FROM measured SEMI JOIN (FROM families WHERE seeds > 1) USING (family, dataset)
    WHERE shown IS NOT NULL GROUP BY ALL ORDER BY ALL
"""
CASES = f"""
    {SHOWN}
    SELECT family AS model, dataset, "order", measure, count(*) AS n,
        count(*) FILTER (times > 0) AS with_any,
        count(*) FILTER (2 * times > seeds) AS with_most,
        count(*) FILTER (times = seeds) AS with_all
    FROM mutants JOIN families USING (family, dataset, seeds) WHERE seeds > 1
    GROUP BY ALL ORDER BY ALL
"""
KEYS = ["model", "dataset", "order", "measure"]


def _with_spread(name: str, meaning: str) -> dict[str, str]:
    ends = "{} end of the 95 % interval of that mean (Student's t); empty for one seed or prompt"
    return {
        name: f"mean over seeds or prompts of {meaning}",
        f"{name}_low": ends.format("lower"),
        f"{name}_high": ends.format("upper"),
    }


SEED_COLUMNS = {
    **RUN,
    "model": "name of the model, fine-tuned with several seeds or asked with several prompts",
    "order": "number of attributes that the mutants change",
    "measure": "bias, or hidden bias (of mutants whose sub-mutants all have a verdict)",
    "seeds": "number of seeds or prompts with verdicts",
    **_with_spread("rate", "the share of mutants that show it"),
    "least": "the smallest such share of a seed or prompt",
    "most": "the largest such share",
    **_with_spread("excess", "that share minus the share of controls, from the table excess"),
    "n": "mutants with a verdict for every seed or prompt",
    "with_any": "mutants that show it with at least one",
    "with_most": "mutants that show it with more than half of them",
    "with_all": "mutants that show it with every one",
}


def tabulate_seeds(verdicts: Results, *, excess: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return a row per model with several seeds or prompts, dataset, order and measure."""
    connection = open_results(verdicts=verdicts)
    rates = connection.execute(RATES).df()
    rows = _spread(rates, "rate").clip(0, 1)
    by_seed = rates.groupby(KEYS)["rate"]
    rows = rows.assign(seeds=by_seed.size(), least=by_seed.min(), most=by_seed.max())
    if excess is not None:
        against = excess.query("attributes == 'all' and compared_with != 'neutral + neutral'")
        against = against.rename(columns={"model": "seed"})
        found = rates.merge(against[["seed", *KEYS[1:], "excess"]], on=["seed", *KEYS[1:]])
        rows = rows.join(_spread(found, "excess"))
    rows = rows.round(6).join(connection.execute(CASES).df().set_index(KEYS))
    counts = dict.fromkeys(("n", "with_any", "with_most", "with_all"), "Int64")
    return rows.reset_index().reindex(columns=list(SEED_COLUMNS)).astype(counts)


def _spread(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the mean of a number over seeds or prompts, by `KEYS`, with its interval."""
    seeds = rows.groupby(KEYS)[name]
    half = t.ppf(0.975, seeds.count() - 1) * seeds.sem()
    mean = seeds.mean()
    return pd.DataFrame({name: mean, f"{name}_low": mean - half, f"{name}_high": mean + half})


SEEDS = Table(
    title="Findings over seeds and prompts",
    only_if=("several seeds or prompts",),
    columns=SEED_COLUMNS,
    compute=tabulate_seeds,
    show=shown(
        *(*KEYS, "seeds"),
        in_percent("rate", "%", ends="{} over them"),
        in_percent("least", "least %"),
        in_percent("most", "most %"),
        difference_of("excess", "excess", ends="{} over them"),
        titled(n="mutants", with_any="with any", with_most="with most", with_all="with all"),
    ),
    empty="Nothing to show: no mutant has a verdict.",
    text="""\
Bias of models that are fine-tuned with several seeds, or asked with several prompts: means over
these, with 95 % intervals (Student's t), and how many mutants show bias with any, with most and
with all of them.

A finding about an architecture and its training data should not depend on the seed of its
fine-tuning, and one about a prompted model not on the wording of its prompt or the order of its
examples. Intervals of other tables treat texts as a sample and the model as fixed; those of this
table treat seeds or prompts as a sample, on the same texts. A case with only one of them says
something about that model file, or that prompt, alone.
""",
)
