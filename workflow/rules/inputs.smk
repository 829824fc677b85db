from pathlib import Path

from jinja2 import Template

from hinter.declarations import ABLATION, PROBES as PROBE_TABLES, RELATIONS, declared, jobs_of
from hinter.errors import InputError
from hinter.locations import locate

ALL_TABLES, ALL_FIGURES = declared("tables"), declared("figures")
PUBLISHED_TABLES = [table for table in ALL_TABLES if table.published]
PUBLISHED_FIGURES = [figure for figure in ALL_FIGURES if figure.published]
TABLES = [
    table
    for table in ALL_TABLES
    if not table.published
    and {PROBE_TABLES: study.probes, RELATIONS: True}.get(table.section, study.datasets)
    and study.meets(table.only_if)
]
FIGURES = [
    figure
    for figure in ALL_FIGURES
    if not figure.published and {table.name for table in TABLES}.issuperset(figure.reads)
]
TABLE_FORMS, FIGURE_FORMS = (".csv", ".md", ".tex", ".html"), (".pdf", ".png", ".svg")


def table_files(tables):
    """Return the files of these tables, in every form."""
    return [
        f"<results>/{table.folder}/{table.name}{end}" for table in tables for end in TABLE_FORMS
    ]


# If models are asked the prompts of relations, the tables of relations are results like others.
APART = (ABLATION,) if study.metrics else (ABLATION, RELATIONS)
ABLATION_RESULTS = table_files(table for table in TABLES if table.section == ABLATION)
RELATIONS_RESULTS = table_files(table for table in TABLES if table.section == RELATIONS)
RESULTS = [
    *table_files(table for table in TABLES if table.section not in APART),
    *(f"<figures>/{figure.name}{end}" for figure in FIGURES for end in FIGURE_FORMS),
]
PUBLISHED_RESULTS = [f"<results>/published/{table.name}.csv" for table in PUBLISHED_TABLES]
PUBLISHED_RESULTS += [f"<figures>/published/{figure.name}.pdf" for figure in PUBLISHED_FIGURES]
COUNTS = collect("<results>/corpora/{dataset}.csv", dataset=list(study.asked))


def forms_of(declaration, folder, *, seen, endings):
    """Return the files of a table or figure; the report shows the one with the suffix `seen`."""
    files = [f"{folder}/{declaration.name}{end}" for end in endings]
    if not declaration.in_report or declaration.published:
        return files
    how = {
        "caption": "../report/caption.rst",
        "category": declaration.category,
        "labels": {"what": declaration.title},
    }
    return [report(file, **how) if file.endswith(seen) else file for file in files]


def result_files(folder, runs=None, ending=".parquet"):
    """Return the result files in a folder, by model and dataset for these runs, or by dataset."""
    places = config["datasets"] if runs is None else [f"{model}/{name}" for model, name in runs]
    return [f"<results>/{folder}/{place}{ending}" for place in places]


def variant_files(folder, runs=None):
    """Return the files of all variants in a folder, by model and dataset for these runs, or dataset."""
    return [
        file
        for variant in VARIANTS
        for file in result_files(f"ablation/{folder}/{variant}", runs=runs)
    ]


def variant_pairs(wildcards):
    """Return the word pairs of a variant: the study's, unless it has others."""
    variant, operators = VARIANTS[wildcards.variant], config["mutation"]["operators"]
    if variant.pairs == config["pairs"] and variant.mutation.operators == operators:
        return "<results>/dictionary/pairs.csv"
    return "<results>/ablation/pairs/{variant}/pairs.csv"


def first_read(figure):
    """Return the first table of a figure, which has its caption, and the reason if it is empty."""
    return next(
        table
        for table in ALL_TABLES
        if (table.name, table.published) == (figure.reads[0], figure.published)
    )


def caption_of(made):
    """Return the text of the report about a table, which has its own caption, or about a figure."""
    if made not in ALL_FIGURES:
        return Template(made.about).render(config=config)
    table = first_read(made)
    return f"{table.caption.format(**settings_of(table))} {caption_of(table)}"


def settings_of(table):
    """Return the settings of a table, by the last part of their keys."""
    return {key.rpartition(".")[2]: value for key, value in values_of([table]).items()}


def values_of(tables):
    """Return the settings of tables by their keys."""
    return {
        key: lookup(dpath=key.replace(".", "/"), within=config)
        for table in tables
        for key in table.settings
    }


def captions_of(made):
    """Return the function that makes the captions of tables or figures, by name."""
    return lambda wildcards: {each.name: caption_of(each) for each in made}


def described(made):
    """Return the text of the report about a table or figure."""
    return {"question": made.category, "title": made.title, "caption": caption_of(made)}


def inputs_of(tables):
    """Return the inputs of the tables of a job by name, without these tables themselves."""
    own = [f"<results>/{table.folder}/{table.name}.csv" for table in tables]
    read = [name for table in tables for name in (*table.reads, *["warnings"] * table.warned)]
    return {name: INPUTS[name] for name in read if INPUTS[name] not in own}


def agreement_files(wildcards):
    """Return the tables that depend on people's answers; raise `InputError` if there are none."""
    if not config["assessment"]["answers"]:
        raise InputError(
            where="configuration, key 'assessment.answers'",
            found="no file",
            expected="the filled in forms, or answers on cases, one CSV file per annotator",
            fix="Name them: --config 'assessment={answers: [ada.csv, grace.csv]}'.",
        )
    return table_files(
        table for table in TABLES if table.section == "assessment" or "assessed" in table.reads
    )


def exported_files(wildcards):
    """Return the inputs of models asked elsewhere; raise `InputError` if the study has none."""
    if not ANSWERED_RUNS:
        raise InputError(
            where="configuration, key 'models'",
            found="no model of `kind: answers`",
            expected="one that is asked elsewhere",
            fix="Add one: see docs/answers_from_elsewhere.md.",
        )
    return [
        file
        for ending in (".jsonl", ".parquet")
        for file in result_files("exported", ANSWERED_RUNS, ending=ending)
    ]


def shared_runs(folder):
    """Return the result files of runs; raise `InputError` if the study has no dataset."""
    if not config["datasets"]:
        raise InputError(
            where="configuration, key 'datasets'",
            found="no dataset",
            expected="at least one, whose results are exported",
            fix="Export a study of datasets, such as config/config.yaml.",
        )
    return result_files(folder, study.runs())


# The inputs of tables and of the report; large result files come first.
RESULT_FILES = {
    "cases": result_files("cases", study.examined_runs()),
    "comparators": result_files("comparators"),
    "controls": result_files("controls") if config["controls"] else [],
    "corpora": result_files("corpora"),
    "counts": result_files("counts"),
    "follow_up_repeats": result_files(
        "repeats", study.rated_runs("endpoint") if config["repeats"] > 1 else []
    ),
    "follow_up_verdicts": result_files("verdicts", study.rated_runs()),
    "grammar": result_files("grammar"),
    "hits": result_files("hits", study.probe_runs()),
    "occurrences": result_files("occurrences"),
    "predictions": result_files("predictions", study.runs()),
    "recipes": result_files("mutants"),
    "repeats": result_files("repeats", study.runs("endpoint") if study.meets(["repeats"]) else []),
    "run_suites": sorted({study.suite(*run) for run in study.runs()}),
    "suites": result_files("suites"),
    "verdicts": result_files("verdicts", study.runs()),
}
FILES = {
    **RESULT_FILES,
    "answers": config["assessment"]["answers"],
    "assessments": locate("data/validity/assessments.csv"),
    "follow_up_sources": "<results>/relations/follow_ups.parquet",
    "form": "<results>/assessment/form.csv",
    "pairs": "<results>/dictionary/pairs.csv",
    "rater_scores": result_files("models", study.trained(study.rater_runs()), ending=".scores.csv"),
    "variant_counts": variant_files("counts"),
    "variant_verdicts": variant_files("verdicts", study.ablation_runs()),
    "probe_sheets": [locate(f"config/probes/{name}.yaml") for name in study.probes],
    "published": sorted(map(str, Path(locate("data/published")).glob("*.csv"))),
    "published_scores": locate("data/lexglue/published_scores.csv"),
    "sbic_names": "<results>/dictionary/names.csv",
    "scores": result_files("models", study.trained(study.runs()), ending=".scores.csv"),
    "assessed": "<results>/assessed.parquet",
    "studies": study.compared_files(),
}
INPUTS = {
    **{
        table.name: f"<results>/{table.folder}/{table.name}.csv" if table in TABLES else []
        for table in ALL_TABLES
        if not table.published
    },
    **FILES,
}
TABLE_JOBS = jobs_of(TABLES, inputs=FILES) | jobs_of(PUBLISHED_TABLES, inputs=FILES)
FIGURE_JOBS = {
    section: [figure for figure in [*FIGURES, *PUBLISHED_FIGURES] if figure.section == section]
    for section in sorted({figure.section for figure in [*FIGURES, *PUBLISHED_FIGURES]})
}

PROMPTS = {
    f"{model}/{dataset}": study.prompt(dataset, model) for model, dataset in study.prompted_runs()
}
