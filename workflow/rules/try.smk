rule try:
    """Try texts of one's own on a model, and show what was found in the terminal."""
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
            "making": {
                "orders": config["orders"],
                "mutation": study.mutation(),
                "invariant": config["invariant"],
                "checks": CHECK_STORE,
                "annotations": ANNOTATION_STORE,
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
