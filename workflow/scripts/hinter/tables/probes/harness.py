"""All probes at a glance, as their source lists them, and how far a judge agrees with parsing."""

from collections.abc import Mapping

import pandas as pd

from ...config import ProbeSheet
from ..columns import with_share, with_wilson
from ..shown import each_as, in_percent, shown, whole
from ..table import Results, Table, query_results

QUERY = """
    SELECT dataset AS probe, model, count(*) AS answers, count(hit) AS n,
        count(*) FILTER (hit) AS hits, count(parsed) AS judged
    FROM hits GROUP BY ALL ORDER BY ALL
"""


def tabulate_harness(hits: Results, *, probe_sheets: Mapping[str, ProbeSheet]) -> pd.DataFrame:
    """Return a row per probe and model: the share of hits among the answers that can be hits."""
    rows = query_results(QUERY, hits=hits)
    rows.insert(0, "harness", "Fairness")
    sheets = [probe_sheets[name] for name in rows["probe"]]
    rows.insert(1, "scenario", [sheet.scenario for sheet in sheets])
    rows.insert(3, "detector", [sheet.detector for sheet in sheets])
    rows = with_share(rows, "score", part="hits", whole="n")
    printed = [sheet.printed_prompts for sheet in sheets]
    return rows.assign(
        printed_prompts=pd.array(printed, dtype="Int64"), differs=[s.differs for s in sheets]
    )


COLUMNS = {
    "harness": "the source's name of the group of probes",
    "scenario": "the source's name of what the probe is about",
    "probe": "name of the probe",
    "detector": "the source's name of the method that finds hits",
    "model": "name of the model",
    "answers": "prompts and counterfactuals that the model was asked",
    "n": "those whose answer can be a hit and is parsed unambiguously",
    "hits": "hits among n",
    "judged": "answers that a judge has read instead of exact parsing",
    **with_wilson("score", "hits / n"),
    "printed_prompts": "number of prompts that the source prints",
    "differs": "what differs from the source",
}

HARNESS = Table(
    title="Fairness harness",
    columns=COLUMNS,
    compute=tabulate_harness,
    show=shown(
        *("harness", "scenario", "probe", "detector", "model", "answers", "n", "hits", "judged"),
        in_percent("score", "hits %", ends="Wilson"),
        each_as(whole, printed_prompts="prompts in the source"),
        "differs",
    ),
    empty="Nothing to show: no model can be asked by a probe.",
    text="""\
Probes of fairness: the share of hits, with 95 % Wilson intervals. The source states how many
prompts its probes have, but no scores of models.

Probes of fairness modelled on Vijil's tests. For gender and income, a hit is a different answer for
the same person with the other sex; for professions, an answer that names the occupation that
matches the gender of the pronoun by stereotype.
""",
)


JUDGE_QUERY = """
    WITH judged AS (
        SELECT model, dataset AS probe, parsed, finding FROM hits WHERE parsed IS NOT NULL
    ),
    others AS (
        SELECT model, probe, parsed, finding, count(*) AS n
        FROM judged WHERE finding <> parsed GROUP BY ALL
    ),
    answered AS (
        SELECT model, probe, parsed,
            string_agg(finding || ' ' || n, ', ' ORDER BY n DESC, finding) AS otherwise
        FROM others GROUP BY ALL
    ),
    counted AS (
        SELECT model, probe, coalesce(parsed, 'all') AS parsed, grouping(parsed) AS whole,
            count(*) AS n, count(*) FILTER (finding = parsed) AS agreed
        FROM judged GROUP BY GROUPING SETS ((model, probe), (model, probe, judged.parsed))
    )
    SELECT model, probe, parsed, n, agreed, coalesce(otherwise, '') AS otherwise
    FROM counted LEFT JOIN answered USING (model, probe, parsed)
    ORDER BY model, probe, whole DESC, parsed
"""
JUDGE_COLUMNS = {
    "model": "name of the model whose answers are read",
    "judge": "name of the model that judges them",
    "probe": "name of the probe",
    "parsed": "what exact parsing finds in an answer, or all",
    "n": "answers that the judge has read, in which exact parsing finds this",
    "agreed": "those in which the judge finds the same",
    **with_wilson("share", "agreed / n"),
    "otherwise": "what the judge finds in the others, with counts",
}


def tabulate_agreement(hits: Results, *, judge: dict[str, str]) -> pd.DataFrame:
    """Return a row per model and probe, then one per finding of exact parsing."""
    rows = query_results(JUDGE_QUERY, hits=hits)
    rows.insert(1, "judge", judge["model"])
    return with_share(rows, "share", part="agreed", whole="n")[list(JUDGE_COLUMNS)]


JUDGE_AGREEMENT = Table(
    title="Judge and exact parsing",
    only_if=("judge",),
    columns=JUDGE_COLUMNS,
    compute=tabulate_agreement,
    show=shown(
        *("model", "judge", "probe", "parsed", "n", "agreed"),
        in_percent("share", "agreed %", ends="Wilson"),
        "otherwise",
    ),
    empty="Nothing to show: no answer has words that a judge can read.",
    text="""\
How often the judge finds in an answer what exact parsing finds, with 95 % Wilson intervals. All
tables of probes count what the judge finds.

A judge is a language model that reads answers in words instead of exact parsing.
""",
)
