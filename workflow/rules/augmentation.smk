rule augment_training:
    """Sample the texts that are added to the training split of a model."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
        mutants=collect(
            "<results>/shards/training/{{dataset}}/{shard}/mutants.parquet", shard=SHARDS
        ),
    output:
        recipes="<results>/augmented/{model}/{dataset}.parquet",
        lines="<results>/augmented/{model}/{dataset}.jsonl",
    log:
        "<results>/logs/augment_training/{model}/{dataset}.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("augment_training.py"),
        settings=lambda wildcards: {
            **study.augmenting(wildcards.model),
            "seed": config["seed"],
        },
    script:
        "../scripts/augment_training.py"
