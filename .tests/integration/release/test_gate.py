"""The worked example of the gate, whole."""

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
from runs import copy_project, snakemake


def test_the_example_says_what_evidence_there_is(
    root: Path, resources: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    copy_project(folder, root=root)
    example = ["--configfile", "config/gate.yaml", "--config", f"resources={resources}"]
    told = snakemake(folder, "--cores", "1", "gate", *example, succeeds=False)
    assert "gate failed (studies/gate/results/logs/gate.log):\nERROR not enough evidence" in told
    gate = folder / "studies" / "gate" / "results" / "gate"
    rows = pd.read_csv(gate / "gate.csv")
    assert rows["measure"].tolist() == ["bias", "hidden bias"]
    assert (rows["originals"] > 5).all()
    assert (rows["needed_originals"] > rows["originals"]).all()
    suite = ElementTree.parse(gate / "gate.xml").getroot()
    assert (suite.get("tests"), suite.get("errors")) == ("2", "2")
    assert (gate / "gate.md").read_text().startswith("## Gate: not enough evidence")
