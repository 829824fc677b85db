import csv
from pathlib import Path

from workflow.scripts.hinter.checks import check_writable
from workflow.scripts.hinter.config import read_config
from workflow.scripts.hinter.provenance import code_digest
from workflow.scripts.hinter.study import Study
from workflow.scripts.hinter.yaml_files import read_yaml

REGISTRY = "data/registry.yaml"

# Snakemake has read them, and has kept the last of two equal keys.
for configfile_path in workflow.configfiles:
    read_yaml(configfile_path)
study = Study(read_config(config), registry=REGISTRY)
# Rules and captions read it with its defaults.
config = study.config.model_dump()
if workflow.is_main_process:
    # Jobs on a cluster read the sheets again, which is enough for them.
    from workflow.scripts.hinter.contents import check_contents

    check_contents(study)
    if not workflow.output_settings.dryrun:
        check_writable(["results", "figures", config["store"]])
NEEDED_RESOURCES = study.needed_resources()

TABLES = [
    "mutants",
    "accuracy",
    "answers",
    "warnings",
    "table1_hidden_cases",
    "table2_bias_rates",
    "figure4_biased_originals",
    "figure6_validity",
    "comparator_validity",
    "corrected_rates",
]
FIGURES = ["figure4_biased_originals", "figure6_validity"]
SCORED, DISCARDED = config["grammar"]["enabled"], config["suite"]["discarded"]
for both, wanted in {
    "figure5_grammar": SCORED,
    "figure7_false_positives": DISCARDED,
    "figure8_discarded": SCORED and DISCARDED,
}.items():
    TABLES += [both] if wanted else []
    FIGURES += [both] if wanted else []
TABLES += ["comparators"] if DISCARDED else []
TABLES += ["groups_bias", "paper_comparison"]
TABLES += ["model_comparison"] if len(config["models"]) > 1 else []
TOP_ORDER = max([*config["orders"], *config["sample"]["orders"]])
if TOP_ORDER >= 2:
    TABLES += ["figure9_truth_table", "figure9_atomic_mutants", "figure10_exposure"]
    FIGURES += ["figure9_truth_table", "figure10_exposure"]
TABLES += ["lattice"] if TOP_ORDER >= 3 else []
TRAINED_RUNS = [run for run in study.runs("encoder") if study.models[run[0]].fine_tuning]
TABLES += ["training"] if TRAINED_RUNS else []
TABLES += ["noise_floor"] if config["repeats"] > 1 and study.runs("endpoint") else []
RESULTS = collect("results/tables/{table}.csv", table=TABLES)
RESULTS += collect("figures/{figure}.pdf", figure=FIGURES)
COUNTS = collect("results/corpora/{dataset}.csv", dataset=config["datasets"])
WARNINGS = "results/tables/warnings.csv"
LEFT_BEHIND = """
Done. A finished study leaves:
  results/tables/   tables as CSV, Markdown, LaTeX and HTML
  figures/          figures as PDF and PNG
  results/          all data behind them (see README.md, "What a run leaves")
  report.html       everything on one page, with captions
The paper's own numbers (target `published`) are in results/published/ and figures/published/.
"""

# glibc gives freed memory back at once and fetches it anew, which halves the speed of torch on CPU.
shell.prefix(
    "export MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=10737418240"
    " MALLOC_TOP_PAD_=268435456; "
)


# Memory that rules ask for is at least half as much again as any study's benchmark has shown.
def growing(amount):
    """Return a resource of this amount, doubled each time that the job is tried again."""
    return lambda wildcards, attempt: amount * 2 ** (attempt - 1)


def tell_warnings():
    """Print the warnings about models of a study that has come so far."""
    if Path(WARNINGS).exists():
        with open(WARNINGS, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                print(f"Warning: {row['told']}")


wildcard_constraints:
    dataset="|".join(config["datasets"]),
    model="|".join(config["models"]),
    shard="[0-9]+",
    shards="[0-9]+",
    resource="|".join(study.registry),
