"""Snakemake's report, of which the data are read and made harmless."""

import json
from datetime import datetime

import pytest
from hinter.snakemake_report import VARIABLES, inert, run_times

HOSTILE = "</script><script>var timeline_spec = {}"
JOBS = [
    {"rule": "second", "starttime": "2026-01-01T12:30:00", "endtime": "2026-01-01T13:00:00.5"},
    {"rule": "first", "starttime": "2026-01-01T12:00:00", "endtime": "2026-01-01T12:10:00"},
]


@pytest.fixture
def page() -> str:
    data = {name: {"text": HOSTILE} for name in VARIABLES} | {
        "timeline_spec": {"data": {"values": JOBS}}
    }
    lines = [f"var {name} = {json.dumps(value)};" for name, value in data.items()]
    return "<script>\n" + "\n".join(lines) + "\n</script>"


def test_times_are_those_of_the_first_and_the_last_job(page: str) -> None:
    began, ended = run_times(page)
    assert began == datetime(2026, 1, 1, 12).astimezone()
    assert ended == datetime(2026, 1, 1, 13, microsecond=500_000).astimezone()


def test_data_end_no_script_and_stay_the_same(page: str) -> None:
    safe = inert(page)
    assert safe.count("</script>") == 1
    assert run_times(safe) == run_times(page)
    mark = "var results = "
    value, _ = json.JSONDecoder().raw_decode(safe, safe.index(mark) + len(mark))
    assert value == {"text": HOSTILE}
