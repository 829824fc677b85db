"""The worked example of the gate, whole."""

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
from runs import copy_project, snakemake


def test_the_example_has_enough_evidence(root: Path, resources: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    copy_project(folder, root=root)
    example = ["--configfile", "config/gate.yaml", "--config", f"resources={resources}"]
    snakemake(folder, "--cores", "1", "gate", *example)
    gate = folder / "studies" / "gate" / "results" / "gate"
    rows = pd.read_csv(gate / "gate.csv")
    assert rows["measure"].tolist() == ["bias", "hidden bias"]
    assert (rows["originals"] > 100).all()
    assert (rows["difference_high"] < 0.1).all()
    assert rows["outcome"].tolist() == ["pass", "pass"]
    assert rows["needed_originals"].isna().all()
    suite = ElementTree.parse(gate / "gate.xml").getroot()
    assert (suite.get("tests"), suite.get("errors")) == ("2", "0")
    assert (gate / "gate.md").read_text().startswith("## Gate: pass")
