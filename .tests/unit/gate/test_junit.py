"""The gate as test cases."""

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
from gated import MUTANTS, sums_of
from hinter.gate import decide, write_junit


def test_each_row_is_a_case_with_what_it_found(tmp_path: Path) -> None:
    sums = pd.concat([sums_of([0] * 100), sums_of([MUTANTS] * 30, dataset="e")])
    rows = decide(
        sums,
        datasets=["d", "e", "f"],
        measures=["bias"],
        threshold=0.1,
        confidence=0.95,
        seed=1,
    ).assign(candidate="new", baseline='old of "a&b"')
    write_junit(rows, tmp_path / "gate.xml")
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert suite.attrib == {"name": "gate", "tests": "3", "failures": "1", "errors": "1"}
    assert [case.get("name") for case in suite] == [f"{name}: excess bias" for name in "def"]
    assert {case.get("classname") for case in suite} == {'new beside old of "a&b"'}
    passed, failed, undecided = ([part.tag for part in case] for case in suite)
    assert (passed, failed, undecided) == ([], ["failure"], ["error"])
    assert "differs by 100.00 points" in str(suite[1][0].get("message"))
    assert suite[2][0].get("type") == "not enough evidence"
