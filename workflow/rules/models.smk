rule fine_tune_encoder:
    """Fine-tune an encoder on the training split of a dataset, and score it."""
    input:
        added=lambda wildcards: (
            "<results>/augmented/{model}/{dataset}.parquet"
            if study.augmentation(wildcards.model)
            else []
        ),
        corpus="<results>/corpora/{dataset}.parquet",
        base=lambda wildcards: study.model_source(wildcards.model),
    output:
        folder=directory("<results>/models/{model}/{dataset}"),
        scores="<results>/models/{model}/{dataset}.scores.csv",
    log:
        "<results>/logs/fine_tune_encoder/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/fine_tune_encoder/{model}/{dataset}.tsv"
    # Models can be made at the same time as mutants.
    priority: 50
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.threads(wildcards.model)
    resources:
        gpu=lambda wildcards: study.gpus(wildcards.model),
        mem_mb=growing(6000),
        runtime=growing(480),
    params:
        code=code_of("fine_tune_encoder.py"),
        model=lambda wildcards: study.model_state(wildcards.model),
        settings=lambda wildcards: {
            "model": wildcards.model,
            "dataset": wildcards.dataset,
            "sheet": study.training(wildcards.model),
            **study.task(wildcards.dataset),
            "seed": config["seed"] + study.copy_number(wildcards.model),
            # Not an output, as it must survive a killed job.
            "checkpoints": f"{study.results}/checkpoints/{wildcards.model}/{wildcards.dataset}",
        },
    script:
        "../scripts/fine_tune_encoder.py"


rule convert_gguf:
    """Convert GGUF weights once, so that later jobs load them quickly."""
    input:
        resource=lambda wildcards: study.model_source(wildcards.model),
    output:
        folder=directory("<results>/models/{model}/gguf.converted"),
    log:
        "<results>/logs/convert_gguf/{model}.log",
    benchmark:
        "<results>/benchmarks/convert_gguf/{model}.tsv"
    priority: 50
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("convert_gguf.py"),
        settings=lambda wildcards: {"gguf": study.all_models[wildcards.model].gguf},
    script:
        "../scripts/convert_gguf.py"


rule calibrate_model:
    """Estimate the offsets for contextual calibration of a prompted model."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
        model=lambda wildcards: study.model_folder(wildcards.model, wildcards.dataset),
        prompt=lambda wildcards: study.prompt(wildcards.dataset, wildcards.model),
    output:
        offsets="<results>/models/{model}/{dataset}.offsets.json",
    log:
        "<results>/logs/calibrate_model/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/calibrate_model/{model}/{dataset}.tsv"
    conda:
        "../../envs/models.yaml"
    # Only a few prompts: other jobs can run at the same time.
    threads: 1
    resources:
        gpu=lambda wildcards: study.gpus(wildcards.model),
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("calibrate_model.py"),
        model=lambda wildcards: study.model_state(wildcards.model),
        settings=lambda wildcards: {
            "sheet": {**study.running(wildcards.model), "threads": 1},
            "task": study.task(wildcards.dataset, wildcards.model),
        },
    script:
        "../scripts/calibrate_model.py"
