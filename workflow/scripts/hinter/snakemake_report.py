"""Snakemake's report of a study, a page with its data as JSON in a script."""

import json
from datetime import datetime
from typing import Any

# The variables with the data, in their order.
VARIABLES = (
    *("workflow_desc", "results", "categories", "rulegraph_spec", "runtimes_spec"),
    *("timeline_spec", "rules", "packages", "metadata"),
)


def inert(page: str) -> str:
    """Return the report without `<` in its data, as `</script>` would end the script."""
    parts, end = [], 0
    for start, stop, _ in _variables(page).values():
        parts += [page[end:start], page[start:stop].replace("<", r"\u003c")]
        end = stop
    return "".join([*parts, page[end:]])


def run_times(page: str) -> tuple[datetime, datetime]:
    """Return when the first job of the report began and the last one ended, with time zone."""
    _, _, timeline = _variables(page)["timeline_spec"]
    jobs = timeline["data"]["values"]
    began = min(datetime.fromisoformat(job["starttime"]) for job in jobs)
    ended = max(datetime.fromisoformat(job["endtime"]) for job in jobs)
    # Snakemake records local times.
    return began.astimezone(), ended.astimezone()


def _variables(page: str) -> dict[str, tuple[int, int, Any]]:
    """Return the start and end in the page of the data of each variable, and their value."""
    found, end = dict[str, tuple[int, int, Any]](), 0
    for name in VARIABLES:
        mark = f"var {name} = "
        start = page.index(mark, end) + len(mark)
        value, end = json.JSONDecoder().raw_decode(page, start)
        found[name] = start, end, value
    return found
