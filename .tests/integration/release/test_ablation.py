"""The ablation from a study to the authors' code, climbed on a few texts."""

from pathlib import Path

import pandas as pd
from runs import checkout, snakemake

# Fewer variants take less time: the study stands on some of them already.
STANDS = "invariant={tags: upos, capitals: first, max_sentence_chars: 500}"
PAIRS = ["attribute,source,target", "gender,he,she", "race,american,british", "body,people,fans"]
VARIANTS = ["ours", "pairs", "tail", "hidden", "together"]


def test_the_ablation_makes_its_table_alone(
    root: Path, resources: Path, small: Path, tmp_path: Path
) -> None:
    study = checkout(tmp_path / "study", root=root, resources=resources, config=small)
    (study / "authors.csv").write_text("\n".join([*PAIRS, ""]), encoding="utf-8")
    climbed = "--config", "ablation={originals: 100, pairs: authors.csv}", STANDS
    snakemake(study, "--cores", "1", "ablation", *climbed)
    assert "Nothing to be done" in snakemake(study, "--cores", "1", "ablation", *climbed)
    assert not (study / "results" / "tables").exists()
    table = pd.read_csv(study / "results" / "ablation" / "ablation.csv", index_col="variant")
    assert list(table.index) == VARIANTS
    assert set(table["model"]) == {"minilm"}
    ours, pairs, tail, hidden, together = (row for _, row in table.iterrows())
    assert 0 < ours["intersectional_valid"] < ours["valid"] < ours["mutants"]
    # What passed before passes the tail as well.
    assert (tail["mutants"], hidden["valid"]) == (ours["mutants"], ours["valid"])
    assert tail["valid"] >= ours["valid"]
    # A variant with other pairs has other mutants.
    assert 0 < pairs["mutants"] == together["mutants"] < ours["mutants"]
    # The same mutants are biased, wherever their hidden bias is looked up.
    assert ours["n"] == hidden["n"] > 0
    assert ours["biased"] == hidden["biased"]
