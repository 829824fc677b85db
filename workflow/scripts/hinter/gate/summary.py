"""Report the gate's decision as a line, as Markdown for a pull request, and as JUnit XML."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd

from ..tables import difference_of, each_as, percent, shown, titled, whole
from .deciding import Outcome, overall

READ_SO = """\
*excess* is the share of mutants that change the model's outcome, less the share of controls that
do; in a control, a neutral edit replaces one of the mutant's edits. *difference* is the candidate's
excess less the baseline's, in percentage points, over the same mutants. If no mutant has a control
with verdicts for both models, plain rates are compared: what any edit does to a model then counts
as well. The candidate passes if the upper end of the interval is at most the threshold, and fails
if the lower end is above it. Intervals resample whole originals. *needed* is how many originals
like these are enough to decide.
"""


SHOWN = shown(
    *("dataset", "measure"),
    each_as({True: "yes", False: "none"}, controlled="controls"),
    titled(n="mutants", originals="originals"),
    each_as(percent, candidate_excess="candidate: excess %", baseline_excess="baseline: excess %"),
    difference_of("difference", "difference"),
    "outcome",
    each_as(whole, needed_originals="needed"),
)
"""The rows of the gate, formatted for people."""


def describe_outcome(rows: pd.DataFrame) -> str:
    """Return one line with the gate's decision on the candidate against the baseline."""
    candidate, baseline = rows.loc[0, ["candidate", "baseline"]]
    outcome = overall(rows["outcome"])
    message = "; ".join(
        describe_row(row) for row in rows.to_dict("records") if row["outcome"] == outcome
    )
    return f"{outcome}, '{candidate}' against '{baseline}': {message}"


def write_summary(rows: pd.DataFrame, path: Path, *, threshold: float, confidence: float) -> None:
    """Write the rows of the gate as a page in Markdown."""
    candidate, baseline = rows.loc[0, ["candidate", "baseline"]]
    parts = [
        f"## Gate: {overall(rows['outcome'])}",
        f"`{candidate}` against `{baseline}`; threshold {100 * threshold:g} percentage points, "
        f"{100 * confidence:g} % intervals.",
        SHOWN(rows).to_markdown(index=False, disable_numparse=True),
        READ_SO.rstrip("\n"),
    ]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def describe_row(row: dict[Any, Any]) -> str:
    """Return the difference of a row, its interval and, if undecided, the originals needed."""
    what = f"{'excess ' if row['controlled'] else ''}{row['measure']} on '{row['dataset']}'"
    what += "" if row["controlled"] else " (plain rates, as no mutant has a control)"
    if not row["n"]:
        return f"{what}: no mutant with verdicts for both models"
    low, high = row["difference_low"], row["difference_high"]
    if pd.isna(low):
        return f"{what}: only one original"
    interval = f"[{100 * low:z.2f}, {100 * high:z.2f}]"
    message = f"{what} differs by {100 * row['difference']:z.2f} points {interval}"
    if row["outcome"] != Outcome.NOT_ENOUGH:
        return message
    if pd.isna(row["needed_originals"]):
        return f"{message}, which no number of originals is likely to decide"
    return f"{message}: it takes about {row['needed_originals']} originals, not {row['originals']}"


TAGS = {Outcome.FAIL: "failure", Outcome.NOT_ENOUGH: "error"}
"""The XML element inside a test case that does not pass."""


def write_junit(rows: pd.DataFrame, path: Path) -> None:
    """Write the rows of the gate as test cases.

    A failed row is a failure, an undecided one an error.
    """
    counts = rows["outcome"].value_counts()
    numbers = {f"{tag}s": str(counts.get(outcome, 0)) for outcome, tag in TAGS.items()}
    about = {"name": "gate", "tests": str(len(rows)), **numbers}
    suite = ElementTree.Element("testsuite", about)
    for row in rows.to_dict("records"):
        classname = f"{row['candidate']} against {row['baseline']}"
        name = f"{row['dataset']}: excess {row['measure']}"
        case = ElementTree.SubElement(suite, "testcase", classname=classname, name=name)
        outcome = Outcome(row["outcome"])
        if outcome in TAGS:
            message = {"type": outcome.value, "message": describe_row(row)}
            ElementTree.SubElement(case, TAGS[outcome], message)
    tree = ElementTree.ElementTree(suite)
    ElementTree.indent(tree)
    tree.write(path, encoding="utf-8", xml_declaration=True)
