"""What this study is compared with: other finished studies, and the paper."""

from collections.abc import Collection
from pathlib import Path

THIS_STUDY = "this study"
"""The name of this study in the comparison."""

PAPER_DATASETS = {
    **{name: name for name in ("ecthr_a", "eurlex", "ledgar", "scotus")},
    "imdb_50k": "imdb",
}
"""The paper's name of each of its datasets; the default study's reviews are not among them."""

TABLES = ("table2_bias_rates", "corrected_rates", "substitutions")


def compared_files(
    folder: str, *, datasets: Collection[str], runs: Collection[tuple[str, str]]
) -> dict[str, list[str]]:
    """Return the files of the study in `folder` that are used, by their names in tables.

    `runs` are the (model, dataset) pairs of both studies. The first file, `config`, is written when
    the study is finished.
    """
    results = Path(folder, "results")
    places = {
        "config": ["config.json"],
        "assessed": ["assessed.parquet"],
        **{table: [f"tables/{table}.csv"] for table in TABLES},
        **{
            name: [f"{part}/{dataset}.parquet" for dataset in datasets]
            for name, part in (("corpora", "corpora"), ("counts", "counts"), ("recipes", "mutants"))
        },
        "predictions": [f"predictions/{model}/{dataset}.parquet" for model, dataset in runs],
    }
    return {name: [str(results / file) for file in files] for name, files in places.items()}


def how_to_make(folder: str) -> str:
    """Return how to make the study in `folder`."""
    return (
        f"Run that study: snakemake --cores 2 --config folder={folder} compared=null, and the keys "
        "that differ from this study, such as 'mutation={operators: [literal], occurrences: "
        "[]}'."
    )
