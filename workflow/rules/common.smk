import csv
import sys
from pathlib import Path

from snakemake.cli import parse_config
from snakemake.io import IOFile

from hinter.config import inherited_settings, read_config
from hinter.ablation import variants_of
from hinter.locations import locate, remove_leftovers
from hinter.provenance import SCRIPTS, code_digest
from hinter.study import (
    REGISTRY,
    Study,
    check_writable,
    dataset_origins,
    model_origins,
    models_and_texts,
    warnings_of_locks,
)
from hinter.yaml_files import read_yaml

# Snakemake has already read them, but silently keeps the last of two equal keys.
for configfile_path in workflow.configfiles:
    read_yaml(configfile_path)
# Snakemake has parsed values of the command line as YAML, which may cut text or make it a number.
typed = {
    entry.partition("=")[0]: entry.partition("=")[2]
    for entry in workflow.config_settings.config_args or ()
    if all(str(config.get(key)) == str(value) for key, value in parse_config([entry]).items())
}
# When models are checked, the faults of some must not hide the results of others.
checking = not {"check", "check:"}.isdisjoint(sys.argv)
study = Study(read_config(config, typed=typed), lenient=checking)
INHERITED = inherited_settings(
    read_yaml(locate("config/config.yaml")), workflow.config_settings.overwrite_config or {}
)
# The configuration with its defaults, for rules and captions.
config.update(study.config.model_dump())
FIGURES_FOLDER, REPORT, PROVENANCE, CRATE = (
    str(Path(config["folder"], name))
    for name in ("figures", "report.html", "provenance.html", "ro-crate-metadata.json")
)
if workflow.is_main_process:
    # Not in jobs on a cluster, which only read the sheets again.
    from hinter.contents import check_contents

    check_contents(study)
    if not workflow.output_settings.dryrun:
        check_writable([study.results, FIGURES_FOLDER, config["store"]])
        for message in warnings_of_locks([config["store"]]):
            logger.warning(message)


pathvars:
    results=study.results,
    figures=FIGURES_FOLDER,
    report=REPORT,
    provenance=PROVENANCE,
    crate=CRATE,
    resources=config["resources"],


NEEDED_RESOURCES = study.needed_resources()
CHECK_STORE = f"{config['store']}/checks"
ANNOTATION_STORE = f"{config['store']}/annotations"
MODEL_MODULES = study.model_modules()
PAID_RUNS = study.all_runs("endpoint")
PAID_JUDGING = study.judge_runs("endpoint")
PLANNED_RUNS = PAID_RUNS + PAID_JUDGING
PAID_MODELS = sorted({model for model, _ in PLANNED_RUNS})
ENDPOINTS = "|".join(PAID_MODELS) or "(?!)"
ANSWERED_RUNS = study.all_runs("answers")
ANSWERED = "|".join({model: None for model, _ in ANSWERED_RUNS}) or "(?!)"
PROBES = "|".join(study.probes) or "(?!)"
METRICS = "|".join(study.metrics) or "(?!)"
VARIANTS = variants_of(study.config)
LEFT_BEHIND = f"""
Done. A finished study leaves:
  {study.results}/tables/   tables as CSV, Markdown, LaTeX and HTML
  {FIGURES_FOLDER}/          figures as PDF, PNG and SVG
  {study.results}/          all data behind them (see README.md, "What a run leaves")
  {REPORT}       what was found, on one page: read this first
  {PROVENANCE}   how each result was made, with code and run times
"""
CRATES = []
# Of one's own texts, a description for programs is made only if it is asked for.
if not study.texts_are_own:
    CRATES = ["<crate>"]
    LEFT_BEHIND += f"""\
  {CRATE}   a machine-readable description of the run (an RO-Crate)
The paper's own numbers (target `published`) are in {study.results}/published/ and
{FIGURES_FOLDER}/published/.
"""

# By default glibc returns freed memory at once and requests it again, which halves torch's speed on
# CPU.
shell.prefix(
    "export MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=10737418240"
    " MALLOC_TOP_PAD_=268435456; "
)


# Rules request at least 1.5 times the memory that the benchmarks of any study have shown.
def growing(amount):
    """Return a resource of this amount, doubled at each new attempt of the job."""
    return lambda wildcards, attempt: amount * 2 ** (attempt - 1)


def code_of(script, *modules):
    """Return a function that makes the digest of the code of a script and of these modules."""
    return lambda wildcards: code_digest(script, *modules)


def remove_what_is_left(dag):
    """Remove files of earlier configurations of the study that this one does not make."""
    left = remove_leftovers(
        results=Path(study.results),
        figures=Path(FIGURES_FOLDER),
        made={str(file) for job in dag.jobs for file in job.output},
        was_made=lambda path: workflow.persistence.rule(IOFile(path)),
    )
    if left:
        print("Removed, as this study no longer makes them:", *left, sep="\n  ")


def tell_warnings():
    """Print the warnings about models, if the study has already made them."""
    path = Path(study.results, "tables", "warnings.csv")
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                print(f"Warning: {row['message']}")


SHARDS = [f"{shard}-of-{config['shards']}" for shard in range(1, config["shards"] + 1)]


wildcard_constraints:
    dataset="|".join(study.asked),
    model="|".join(study.all_models),
    variant="|".join(VARIANTS),
    shard="[0-9]+",
    shards="[0-9]+",
    resource="|".join(study.registry),
