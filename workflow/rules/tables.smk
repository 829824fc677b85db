# The inputs of tables, beside other tables; large result files come first.
RESULT_FILES = {
    "cases": result_files("cases", study.runs() if study.meets(["cases"]) else []),
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
    "suites": result_files("suites"),
    "verdicts": result_files("verdicts", study.runs()),
}
INPUTS = {
    **{
        table.name: f"<results>/{table.folder}/{table.name}.csv" if table in TABLES else []
        for table in ALL_TABLES
        if not table.published
    },
    **RESULT_FILES,
    "answers": config["assessment"]["answers"],
    "assessments": found("data/validity/assessments.csv"),
    "follow_up_sources": "<results>/relations/follow_ups.parquet",
    "form": "<results>/assessment/form.csv",
    "pairs": "<results>/dictionary/pairs.csv",
    "rater_scores": result_files("models", study.trained_raters(), ending=".scores.csv"),
    "rung_counts": rung_files("counts"),
    "rung_verdicts": rung_files("verdicts", study.ladder_runs()),
    "probe_sheets": [found(f"config/probes/{name}.yaml") for name in study.probes],
    "published": sorted(map(str, Path(found("data/published")).glob("*.csv"))),
    "published_scores": found("data/lexglue/published_scores.csv"),
    "sbic_names": "<results>/dictionary/names.csv",
    "scores": result_files("models", study.trained_runs(), ending=".scores.csv"),
    "assessed": "<results>/assessed.parquet",
    "studies": study.compared_files(),
}


# One rule for each declared table that the study makes, and for each of the paper's.
for table in [*TABLES, *PUBLISHED_TABLES]:

    rule:
        name:
            f"tabulate_{table.label}"
        input:
            **{name: INPUTS[name] for name in table.reads},
            **({"warnings": "<results>/tables/warnings.csv"} if table.warned else {}),
        output:
            forms_of(table, f"<results>/{table.folder}", seen="html", **TABLE_FORMS),
        log:
            f"<results>/logs/tabulate_{table.label}.log",
        localrule: RESULT_FILES.keys().isdisjoint(table.reads)
        conda:
            "../../envs/analysis.yaml"
        resources:
            mem_mb=growing(2000),
            runtime=growing(60),
        params:
            code=code_of("make_table.py", table.module),
            caption=caption_of(table),
            module=table.module,
            settings={
                key: lookup(dpath=key.replace(".", "/"), within=config) for key in table.settings
            },
        script:
            "../scripts/make_table.py"
