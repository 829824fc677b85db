MAKING = {
    "mutation": study.mutation(),
    "invariant": config["invariant"],
    "checks": CHECK_STORE,
    "annotations": ANNOTATION_STORE,
}


rule try:
    """Try a user's texts on a model, and print what was found."""
    input:
        unpack(lambda wildcards: study.prediction_inputs(*study.tried())),
        pairs="<results>/dictionary/pairs.csv",
        parser=study.parser_source(),
        examples=lambda wildcards: f"<results>/corpora/{study.tried()[1]}.parquet",
    log:
        "<results>/logs/try.log",
    localrule: True
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.threads(study.tried()[0])
    resources:
        gpu=lambda wildcards: study.gpus(study.tried()[0]),
        mem_mb=growing(7000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: {
            "text": config["text"],
            "file": config["file"],
            "making": MAKING,
            "mutants": {
                "orders": config["orders"],
                "pairs_per_attribute": config["suite"]["pairs_per_attribute"],
                "seed": config["seed"],
            },
            "asking": study.asking(*study.tried()),
            "paid": (
                {"budget_usd": config["budget_usd"], "prices": study.prices}
                if study.tried()[0] in PAID_MODELS
                else None
            ),
            "judging": {key: config[key] for key in ("outcome_statuses", "hidden_lookup")},
        },
    script:
        "../scripts/try_texts.py"


rule texts:
    """Print what was read from each dataset, and which mutants to expect."""
    input:
        corpora=result_files("corpora"),
        counts=result_files("corpora", ending=".csv"),
        pairs="<results>/dictionary/pairs.csv",
        parser=study.parser_source(),
    log:
        "<results>/logs/texts.log",
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: {
            "about": {name: sheet.about for name, sheet in study.datasets.items()},
            "making": MAKING,
            "orders": [*config["orders"], *config["sample"]["orders"]],
            "seed": config["seed"],
        },
    script:
        "../scripts/show_texts.py"


rule init:
    """Write the configuration of a study of a user's texts and model."""
    log:
        "<results>/logs/init.log",
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        settings={key: config[key] for key in ("texts", "model", "models_sheet")},
    script:
        "../scripts/init_study.py"


rule check:
    """Print for each model whether it can be reached and loaded; at most one paid call each."""
    log:
        "<results>/logs/check.log",
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        gpu=lambda wildcards: max(map(study.gpus, study.checked_models())),
        mem_mb=growing(7000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: {
            "entries": study.checked(),
            "paid": {"budget_usd": config["budget_usd"], "prices": study.prices},
        },
    script:
        "../scripts/check_models.py"
