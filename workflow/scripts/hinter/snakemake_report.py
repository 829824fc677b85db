"""Snakemake's report of a study, a page with its data as JSON in a script."""

import json
from datetime import datetime
from typing import Any, NamedTuple

# The variables with the data, in their order.
VARIABLES = (
    *("workflow_desc", "results", "categories", "rulegraph_spec", "runtimes_spec"),
    *("timeline_spec", "rules", "packages", "metadata"),
)


class _Data(NamedTuple):
    """The position in the page of a variable's data, and its value."""

    start: int
    end: int
    value: Any


def inert(page: str) -> str:
    """Return the report without `<` in its data, as `</script>` would end the script."""
    parts, end = [], 0
    for data in _variables(page).values():
        parts += [page[end : data.start], page[data.start : data.end].replace("<", r"\u003c")]
        end = data.end
    return "".join([*parts, page[end:]])


def run_times(page: str) -> tuple[datetime, datetime]:
    """Return when the first job of the report began and the last one ended, with time zone."""
    jobs = _variables(page)["timeline_spec"].value["data"]["values"]
    began = min(datetime.fromisoformat(job["starttime"]) for job in jobs)
    ended = max(datetime.fromisoformat(job["endtime"]) for job in jobs)
    # Snakemake records local times.
    return began.astimezone(), ended.astimezone()


def _variables(page: str) -> dict[str, _Data]:
    found, end = dict[str, _Data](), 0
    for name in VARIABLES:
        mark = f"var {name} = "
        start = page.index(mark, end) + len(mark)
        value, end = json.JSONDecoder().raw_decode(page, start)
        found[name] = _Data(start, end, value)
    return found
