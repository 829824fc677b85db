import csv
from pathlib import Path

from jinja2 import Template

from hinter.checks import check_writable
from hinter.config import read_config
from hinter.declarations import PUBLISHED, declared
from hinter.leftovers import remove_leftovers
from hinter.places import found
from hinter.provenance import code_digest
from hinter.study import REGISTRY, Study
from hinter.yaml_files import read_yaml

# Snakemake has already read them, but keeps the last of two equal keys without a word.
for configfile_path in workflow.configfiles:
    read_yaml(configfile_path)
study = Study(read_config(config))
# With its defaults, for rules and captions.
config = study.config.model_dump()
FIGURES_FOLDER, REPORT = (str(Path(config["folder"], name)) for name in ("figures", "report.html"))
if workflow.is_main_process:
    # Not in jobs on a cluster, which only read the sheets again.
    from hinter.contents import check_contents

    check_contents(study)
    if not workflow.output_settings.dryrun:
        check_writable([study.results, FIGURES_FOLDER, config["store"]])


pathvars:
    results=study.results,
    figures=FIGURES_FOLDER,
    report=REPORT,
    resources=config["resources"],


NEEDED_RESOURCES = study.needed_resources()
CHECK_STORE = f"{config['store']}/checks"
ANNOTATION_STORE = f"{config['store']}/annotations"

TOP_ORDER = max([*config["orders"], *config["sample"]["orders"]])
PAID_RUNS = study.runs("endpoint")
TRAINED_RUNS = [run for run in study.runs("encoder") if study.models[run[0]].fine_tuning]
# The conditions that tables may name (`only_if`).
ONLY_IF = {
    "discarded": config["suite"]["discarded"],
    "fine-tuning": bool(TRAINED_RUNS),
    "grammar": config["grammar"]["enabled"],
    "order 2": TOP_ORDER >= 2,
    "order 3": TOP_ORDER >= 3,
    "repeats": config["repeats"] > 1 and bool(PAID_RUNS),
    "rules of occurrences": bool(study.mutation()["lists"]),
    "several models": len(config["models"]) > 1,
}
ALL_TABLES, ALL_FIGURES = declared("tables"), declared("figures")
PUBLISHED_TABLES = [table for table in ALL_TABLES if table.section == PUBLISHED]
PUBLISHED_FIGURES = [figure for figure in ALL_FIGURES if figure.section == PUBLISHED]
TABLES = [
    table
    for table in ALL_TABLES
    if table.section != PUBLISHED and all(ONLY_IF[name] for name in table.only_if)
]
TABLE_NAMES = {table.name for table in TABLES}
FIGURES = [
    figure
    for figure in ALL_FIGURES
    if figure.section != PUBLISHED and TABLE_NAMES.issuperset(figure.reads)
]
TABLE_FORMS = {"csv": ".csv", "markdown": ".md", "latex": ".tex", "html": ".html"}
FIGURE_FORMS = {"pdf": ".pdf", "png": ".png"}
RESULTS = [
    *(f"<results>/tables/{table.name}{end}" for table in TABLES for end in TABLE_FORMS.values()),
    *(f"<figures>/{figure.name}{end}" for figure in FIGURES for end in FIGURE_FORMS.values()),
]
PUBLISHED_RESULTS = [f"<results>/published/{table.name}.csv" for table in PUBLISHED_TABLES]
PUBLISHED_RESULTS += [f"<figures>/published/{figure.name}.pdf" for figure in PUBLISHED_FIGURES]
COUNTS = collect("<results>/corpora/{dataset}.csv", dataset=config["datasets"])
WARNINGS = "<results>/tables/warnings.csv"
LEFT_BEHIND = f"""
Done. A finished study leaves:
  {study.results}/tables/   tables as CSV, Markdown, LaTeX and HTML
  {FIGURES_FOLDER}/          figures as PDF and PNG
  {study.results}/          all data behind them (see README.md, "What a run leaves")
  {REPORT}       everything on one page, with captions
The paper's own numbers (target `published`) are in {study.results}/published/ and
{FIGURES_FOLDER}/published/.
"""

# By default glibc returns freed memory at once and requests it again, which halves torch's speed on
# CPU.
shell.prefix(
    "export MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=10737418240"
    " MALLOC_TOP_PAD_=268435456; "
)


# Rules ask for at least half as much memory again as the benchmarks of any study have shown.
def growing(amount):
    """Return a resource of this amount, doubled each time that the job is tried again."""
    return lambda wildcards, attempt: amount * 2 ** (attempt - 1)


def setting(name):
    """Return the value of a key of the configuration, given with dots between levels."""
    return lookup(dpath=name.replace(".", "/"), within=config)


def forms_of(declaration, folder, *, seen, **endings):
    """Return the files of a table or figure by form; the report shows those of the form `seen`."""
    files = multiext(f"{folder}/{declaration.name}", **endings)
    if not declaration.in_report or declaration.section == PUBLISHED:
        return files
    how = {
        "caption": "../report/caption.rst",
        "category": declaration.question,
        "labels": {"what": declaration.title},
    }
    return [report(file, **how) if file.endswith(endings[seen]) else file for file in files]


def tables_folder(section):
    """Return the folder of a section's tables."""
    return "<results>/published" if section == PUBLISHED else "<results>/tables"


def figures_folder(section):
    """Return the folder of a section's figures."""
    return "<figures>/published" if section == PUBLISHED else "<figures>"


def first_table(figure):
    """Return the first table that a figure reads, whose caption it shares."""
    names = {(table.name, table.section == PUBLISHED): table for table in ALL_TABLES}
    return names[figure.reads[0], figure.section == PUBLISHED]


def result_files(folder, runs=None):
    """Return the result files in a folder, by model and dataset for these runs, or by dataset."""
    places = config["datasets"] if runs is None else [f"{model}/{name}" for model, name in runs]
    return [f"<results>/{folder}/{place}.parquet" for place in places]


def caption_of(declaration):
    """Return the function that makes the caption of a table or figure in the report."""
    return lambda wildcards: Template(declaration.about).render(config=config)


def code_of(script, *modules):
    """Return the function that makes the digest of a script's code and of the modules it is given."""
    return lambda wildcards: code_digest(script, *modules)


def remove_what_is_left(dag):
    """Remove files that earlier configurations of the study have made and this one does not."""
    left = remove_leftovers(
        results=Path(study.results),
        figures=Path(FIGURES_FOLDER),
        made={str(file) for job in dag.jobs for file in job.output},
        was_made=workflow.persistence.rule,
    )
    if left:
        print("Removed, as this study no longer makes them:", *left, sep="\n  ")


def tell_warnings():
    """Print the warnings about models, if the study has got as far as making them."""
    path = Path(study.results, "tables", "warnings.csv")
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                print(f"Warning: {row['told']}")


wildcard_constraints:
    dataset="|".join(config["datasets"]),
    model="|".join(config["models"]),
    shard="[0-9]+",
    shards="[0-9]+",
    resource="|".join(study.registry),
