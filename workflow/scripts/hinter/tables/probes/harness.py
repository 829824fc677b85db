"""All probes at a glance, as their source lists them: harness, scenario, probe and score."""

from collections.abc import Mapping

import pandas as pd

from ...config import ProbeSheet
from ..columns import with_share, with_wilson
from ..shown import each_as, in_percent, shown, whole
from ..table import Results, Table, query_results

HARNESS = "Fairness"
QUERY = """
    SELECT dataset AS probe, model, count(*) AS answers, count(hit) AS n,
        count(*) FILTER (hit) AS hits, count(parsed) AS judged
    FROM hits GROUP BY ALL ORDER BY ALL
"""


def tabulate_harness(hits: Results, *, probe_sheets: Mapping[str, ProbeSheet]) -> pd.DataFrame:
    """Return a row per probe and model: the share of hits among the answers that can be hits."""
    rows = query_results(QUERY, hits=hits)
    rows.insert(0, "harness", HARNESS)
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

TABLE = Table(
    title="Fairness harness",
    reads=("hits", "probe_sheets"),
    columns=COLUMNS,
    compute=tabulate_harness,
    show=shown(
        *("harness", "scenario", "probe", "detector", "model", "answers", "n", "hits", "judged"),
        in_percent("score", "hits %", ends="Wilson"),
        each_as(whole, printed_prompts="prompts in the source"),
        "differs",
    ),
    caption=(
        "Probes of fairness: the share of hits, with 95 % Wilson intervals. The source states how "
        "many prompts its probes have, but no scores of models."
    ),
    empty="Nothing to show: no model can be asked by a probe.",
    about="""\
Probes of fairness modelled on Vijil's tests. For gender and income, a hit is a different answer for
the same person with the other sex; for professions, an answer that names the occupation that
matches the gender of the pronoun by stereotype.
""",
)
