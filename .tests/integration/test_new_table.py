"""A table is one module: planned and made where there is one, and gone where there is none."""

from pathlib import Path

import pandas as pd
from runs import checkout, snakemake

MODULE = '''"""How many original texts the paper has, by dataset."""

from ..table import Table

TABLE = Table(
    title="Originals of the paper",
    reads=("published",),
    settings=("seed",),
    columns={"dataset": "name of the dataset", "originals": "number of originals"},
    compute=lambda published, seed: (
        published.originals.groupby("dataset", as_index=False)["originals"].max()
    ),
    text="""\\
Originals with seed {seed}.

Originals of {{ config["models"]|join(" and ") }}'s rivals.
""",
)
'''
PLACE = "workflow/scripts/hinter/tables/rq1/originals_of_paper.py"
CSV = "results/tables/originals_of_paper.csv"
OTHER = "results/published/figure4_biased_originals.csv"


def test_a_table_comes_and_goes_with_its_module(
    root: Path, resources: Path, small: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    folder = checkout(tmp_path / "study", root=root, resources=resources, config=small)
    (folder / PLACE).write_text(MODULE)
    assert CSV in snakemake(folder, "--dry-run", environment=forks)
    snakemake(folder, "--cores", "1", "--", CSV, OTHER, environment=forks)
    assert pd.read_csv(folder / CSV).columns.tolist() == ["dataset", "originals"]
    assert "Originals with seed" in (folder / CSV).with_suffix(".html").read_text()
    # Its own code makes it anew, and nothing else.
    (folder / PLACE).write_text(MODULE.replace(".max()", ".min()"))
    printed = snakemake(folder, "--dry-run", "--", CSV, OTHER, environment=forks)
    assert "rule tabulate_rq1:" in printed
    assert "rule tabulate_published:" not in printed
    (folder / PLACE).unlink()
    assert "originals_of_paper" not in snakemake(folder, "--dry-run", environment=forks)
