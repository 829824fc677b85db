"""How often a judge and exact parsing agree about an answer."""

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import in_percent, shown
from ..table import Results, Table, query_results

QUERY = """
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
COLUMNS = {
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
    rows = query_results(QUERY, hits=hits)
    rows.insert(1, "judge", judge["model"])
    return with_share(rows, "share", part="agreed", whole="n")[list(COLUMNS)]


TABLE = Table(
    title="Judge and exact parsing",
    reads=("hits",),
    settings=("judge",),
    only_if=("judge",),
    columns=COLUMNS,
    compute=tabulate_agreement,
    show=shown(
        *("model", "judge", "probe", "parsed", "n", "agreed"),
        in_percent("share", "agreed %", ends="Wilson"),
        "otherwise",
    ),
    caption=(
        "How often the judge finds in an answer what exact parsing finds, with 95 % Wilson "
        "intervals. All tables of probes count what the judge finds."
    ),
    empty="Nothing to show: no answer has words that a judge can read.",
    about="""\
A judge is a language model that reads answers in words instead of exact parsing.
""",
)
