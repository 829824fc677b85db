"""What the gate says, as JUnit XML, which systems for continuous integration read."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd

from .deciding import Outcome
from .summary import describe_row

TAGS = {Outcome.FAIL: "failure", Outcome.NOT_ENOUGH: "error"}
"""What stands inside a test case that does not pass."""


def write_junit(rows: pd.DataFrame, path: Path) -> None:
    """Write the rows of the gate as test cases.

    What fails is a failure, and what is not decided an error.
    """
    counts = rows["outcome"].value_counts()
    numbers = {f"{tag}s": str(counts.get(outcome, 0)) for outcome, tag in TAGS.items()}
    about = {"name": "gate", "tests": str(len(rows)), **numbers}
    suite = ElementTree.Element("testsuite", about)
    for row in rows.to_dict("records"):
        _add_case(suite, row)
    tree = ElementTree.ElementTree(suite)
    ElementTree.indent(tree)
    tree.write(path, encoding="utf-8", xml_declaration=True)


def _add_case(suite: ElementTree.Element, row: dict[Any, Any]) -> None:
    classname = f"{row['candidate']} beside {row['baseline']}"
    name = f"{row['dataset']}: excess {row['measure']}"
    case = ElementTree.SubElement(suite, "testcase", classname=classname, name=name)
    outcome = Outcome(row["outcome"])
    if outcome in TAGS:
        told = {"type": outcome.value, "message": describe_row(row)}
        ElementTree.SubElement(case, TAGS[outcome], told)
