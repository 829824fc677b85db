ENCODERS = study.models_of("encoder")
PROMPTED = study.models_of("causal")


rule fine_tune_encoder:
    """Fine-tune an encoder on the training split of a dataset."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        base=lambda wildcards: study.model_source(wildcards.model),
    output:
        directory("results/models/{model}/{dataset}"),
    log:
        "results/logs/fine_tune_encoder/{model}/{dataset}.log",
    benchmark:
        "results/benchmarks/fine_tune_encoder/{model}/{dataset}.tsv"
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.models[wildcards.model]["threads"]
    params:
        code=code_digest("fine_tune_encoder.py"),
        settings=lambda wildcards: {
            "sheet": study.models[wildcards.model],
            "labels": study.label_names(wildcards.dataset),
            "seed": config["seed"],
        },
    script:
        "../scripts/fine_tune_encoder.py"


rule convert_gguf:
    """Convert GGUF weights once, so that later jobs load them in a moment."""
    input:
        resource=lambda wildcards: study.model_source(wildcards.model),
    output:
        directory("results/models/{model}/converted"),
    log:
        "results/logs/convert_gguf/{model}.log",
    benchmark:
        "results/benchmarks/convert_gguf/{model}.tsv"
    conda:
        "../../envs/models.yaml"
    params:
        code=code_digest("convert_gguf.py"),
        settings=lambda wildcards: {"gguf": study.models[wildcards.model]["gguf"]},
    script:
        "../scripts/convert_gguf.py"


rule calibrate_model:
    """Estimate the offsets of a prompted model's contextual calibration."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        model=lambda wildcards: study.model_folder(wildcards.model, wildcards.dataset),
        prompt=lambda wildcards: study.datasets[wildcards.dataset]["prompt"],
    output:
        offsets="results/models/{model}/{dataset}.offsets.json",
    log:
        "results/logs/calibrate_model/{model}/{dataset}.log",
    benchmark:
        "results/benchmarks/calibrate_model/{model}/{dataset}.tsv"
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.models[wildcards.model]["threads"]
    params:
        code=code_digest("calibrate_model.py"),
        settings=lambda wildcards: {
            "sheet": study.models[wildcards.model],
            "prompt_schema": f"{SCHEMAS}/prompt.schema.yaml",
        },
    script:
        "../scripts/calibrate_model.py"


rule predict_encoder:
    """Run an encoder on held-out texts, originals and mutants."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        suite="results/suites/{dataset}.parquet",
        pairs="results/dictionary/pairs.csv",
        model=lambda wildcards: study.model_folder(wildcards.model, wildcards.dataset),
    output:
        predictions="results/predictions/{model}/{dataset}.parquet",
    log:
        "results/logs/predict_encoder/{model}/{dataset}.log",
    benchmark:
        "results/benchmarks/predict_encoder/{model}/{dataset}.tsv"
    wildcard_constraints:
        model="|".join(ENCODERS) or "(?!)",
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.models[wildcards.model]["threads"]
    params:
        code=code_digest("predict_encoder.py"),
        settings=lambda wildcards: {"sheet": study.models[wildcards.model]},
    script:
        "../scripts/predict_encoder.py"


rule predict_prompted:
    """Run a prompted language model on held-out texts, originals and mutants."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        suite="results/suites/{dataset}.parquet",
        pairs="results/dictionary/pairs.csv",
        model=lambda wildcards: study.model_folder(wildcards.model, wildcards.dataset),
        prompt=lambda wildcards: study.datasets[wildcards.dataset]["prompt"],
        offsets="results/models/{model}/{dataset}.offsets.json",
    output:
        predictions="results/predictions/{model}/{dataset}.parquet",
    log:
        "results/logs/predict_prompted/{model}/{dataset}.log",
    benchmark:
        "results/benchmarks/predict_prompted/{model}/{dataset}.tsv"
    wildcard_constraints:
        model="|".join(PROMPTED) or "(?!)",
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.models[wildcards.model]["threads"]
    params:
        code=code_digest("predict_prompted.py"),
        settings=lambda wildcards: {
            "sheet": study.models[wildcards.model],
            "prompt_schema": f"{SCHEMAS}/prompt.schema.yaml",
        },
    script:
        "../scripts/predict_prompted.py"
