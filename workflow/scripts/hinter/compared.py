"""Finished studies that are put beside this one: what is read of them, and how one is made."""

from collections.abc import Collection
from pathlib import Path

THIS_STUDY = "this study"
"""What this study is called beside the others."""

TABLES = ("table2_bias_rates", "corrected_rates", "substitutions")


def compared_files(
    folder: str, *, datasets: Collection[str], runs: Collection[tuple[str, str]]
) -> dict[str, list[str]]:
    """Return the files of the study in `folder` that are read, by what tables call them.

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
    """Return how the study in `folder` is made."""
    return (
        f"Run that study: snakemake --cores 2 --config folder={folder} compared=null, and the keys "
        "in which it differs from this one, such as 'mutation={operators: [literal], occurrences: "
        "[]}'."
    )
