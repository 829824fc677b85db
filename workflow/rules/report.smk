# The tables and figures in the report, figures first, and the report's other inputs.
REPORTED_FIGURES = [figure for figure in FIGURES if figure.in_report]
REPORTED_TABLES = [table for table in TABLES if table.section not in APART and table.in_report]
PROMPT_RUNS = [*study.probe_runs(), *study.relation_runs()]
PROMPTED = list(dict.fromkeys(dataset for _, dataset in PROMPT_RUNS))
CASE_FILES = {
    "cases": RESULT_FILES["cases"],
    "comparators": RESULT_FILES["comparators"] if study.meets(["discarded"]) else [],
    **{name: RESULT_FILES[name] for name in ("controls", "corpora", "predictions", "verdicts")},
    **{name: RESULT_FILES[name] for name in ("follow_up_verdicts", "hits")},
    "follow_up_ratings": result_files("predictions", study.rated_runs()),
    "prompt_predictions": result_files("predictions", PROMPT_RUNS),
    "prompt_corpora": [f"<results>/corpora/{name}.parquet" for name in PROMPTED],
    "prompt_suites": [f"<results>/suites/{name}.parquet" for name in PROMPTED],
}
PAGE = {
    "template": "page.html",
    "style": "page.css",
    "script": "page.js",
    "drawing": "pictures.js",
    "licences": "libraries/LICENCES.txt",
}


rule write_report:
    """Write the report of the study as one page, with its cases, tables and figures."""
    input:
        COUNTS,
        sorted({*PROMPTS.values()}),
        **CASE_FILES,
        **{name: locate(f"workflow/report/page/{file}") for name, file in PAGE.items()},
        exhibits=[
            *(f"<figures>/{figure.name}.png" for figure in REPORTED_FIGURES),
            *(f"<results>/{table.folder}/{table.name}.html" for table in REPORTED_TABLES),
        ],
        tables=[f"<results>/{table.folder}/{table.name}.csv" for table in REPORTED_TABLES],
        asked=result_files("predictions", study.all_runs("endpoint")),
        judged=result_files("judged", study.judged_runs() if PAID_JUDGING else []),
        pairs=INPUTS["pairs"] if study.datasets else [],
        follow_ups=INPUTS["follow_up_sources"] if study.relation_runs() else [],
        guideline=locate("data/validity/guideline.md"),
        libraries=locate("workflow/report/page/libraries/libraries.sha256"),
    output:
        report="<report>",
    log:
        "<results>/logs/write_report.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("write_report.py"),
        tables=[table.name for table in REPORTED_TABLES],
        results=list(CASE_FILES),
        page=list(PAGE),
        settings={
            "declared": [described(made) for made in [*REPORTED_FIGURES, *REPORTED_TABLES]],
            "study": {
                "models": {name: sheet.about for name, sheet in study.models.items()},
                "datasets": {name: sheet.about for name, sheet in study.datasets.items()},
                "probes": {name: sheet.about for name, sheet in study.probes.items()},
                "crate": bool(CRATES),
            },
            "comparator": config["invariant"]["comparator"],
            "inherited": INHERITED,
            "seed": config["seed"],
            "shards": {name: sheet.shards for name, sheet in study.models.items()},
            "prompts": PROMPTS,
            "judge": study.judge.model if PAID_JUDGING else "",
            "prices": {
                name: study.prices[study.all_models[name].model]
                for name in PAID_MODELS
                if study.all_models[name].model in study.prices
            },
            "store": study.response_store,
            # Not an input, as jobs need not run again if their measured times have been deleted.
            "benchmarks": f"{study.results}/benchmarks",
        },
    script:
        "../scripts/write_report.py"


rule write_provenance:
    """Write how each result was made, and the configuration of the study."""
    input:
        COUNTS,
        RESULTS,
        "<report>",
    output:
        report="<provenance>",
        settings="<results>/config.json",
    log:
        "<results>/logs/write_provenance.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("write_provenance.py"),
        settings={"snakefile": workflow.main_snakefile, "config": config},
    script:
        "../scripts/write_provenance.py"


rule write_crate:
    """Describe the run as an RO-Crate, with an archive of the workflow's code."""
    input:
        made=[*RESULTS, "<report>"],
        provenance="<provenance>",
        settings="<results>/config.json",
        registry=locate(REGISTRY),
        citation=locate("CITATION.cff"),
        environments=sorted(map(str, Path(locate("envs")).glob("*.yaml"))),
    output:
        archive="<results>/workflow.zip",
        crate="<crate>",
    log:
        "<results>/logs/write_crate.log",
    localrule: True
    conda:
        "../../envs/data.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("write_crate.py"),
        settings={
            "resources": NEEDED_RESOURCES,
            "named": models_and_texts(study),
            "titles": {
                **{made.name: made.title for made in [*TABLES, *FIGURES]},
                "config": "Configuration of the study with all its defaults",
                "provenance": "How each result was made, with code and run times",
                "report": "What was found, with its cases, tables and figures",
            },
            "about": "Hidden intersectional bias of "
            f"{', '.join(study.models)} on {', '.join(study.asked)}",
        },
    script:
        "../scripts/write_crate.py"
