rule examine_cases:
    """Ask a model again about hidden and other biased mutants, and narrow down their edits."""
    input:
        unpack(lambda wildcards: study.prediction_inputs(wildcards.model, wildcards.dataset)),
        # Cases also need the repeated answers about originals.
        lambda wildcards: (
            "<results>/repeats/{model}/{dataset}.parquet"
            if wildcards.model in PAID_MODELS and study.meets(["repeats"])
            else []
        ),
        approval=lambda wildcards: ancient(APPROVAL) if wildcards.model in PAID_MODELS else [],
        corpus="<results>/corpora/{dataset}.parquet",
        verdicts="<results>/verdicts/{model}/{dataset}.parquet",
    output:
        cases="<results>/cases/{model}/{dataset}.parquet",
    log:
        "<results>/logs/examine_cases/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/examine_cases/{model}/{dataset}.tsv"
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.threads(wildcards.model)
    resources:
        gpu=lambda wildcards: study.gpus(wildcards.model),
        mem_mb=growing(6000),
        runtime=growing(240),
    params:
        code=code_of("examine_cases.py", *MODEL_MODULES),
        model=lambda wildcards: study.model_state(wildcards.model),
        settings=lambda wildcards: {
            "asking": study.asking(wildcards.model, wildcards.dataset),
            "answers": config["case_answers"],
            "repeats": config["repeats"] if wildcards.model in PAID_MODELS else None,
            "outcome_statuses": config["outcome_statuses"],
        },
    script:
        "../scripts/examine_cases.py"
