rule rewrite_prompts:
    """Sample source prompts, and rewrite them by every metamorphic relation."""
    input:
        prompts=locate(config["relations"]["prompts"]),
    output:
        corpus="<results>/corpora/relations.parquet",
        suite="<results>/suites/relations.parquet",
        follow_ups="<results>/relations/follow_ups.parquet",
        counts="<results>/corpora/relations.csv",
    log:
        "<results>/logs/rewrite_prompts.log",
    benchmark:
        "<results>/benchmarks/rewrite_prompts.tsv"
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("rewrite_prompts.py"),
        settings={"sources": config["relations"]["sources"], "seed": config["seed"]},
    script:
        "../scripts/rewrite_prompts.py"


# As for probes, only these files are made in another way than those of datasets.
if config["controls"]:

    ruleorder: rewrite_prompts > match_controls

else:

    ruleorder: rewrite_prompts > select_suite


rule rate_answers:
    """Classify the sentiment or the tone of answers in words, or of their repeats."""
    input:
        rater=lambda wildcards: study.model_folder(
            study.metrics[wildcards.metric].model, study.metrics[wildcards.metric].dataset
        ),
        answers="<results>/{answers}/{model}/relations.parquet",
    output:
        ratings="<results>/{answers}/{model}/{metric}.parquet",
    log:
        "<results>/logs/rate_answers/{answers}/{model}/{metric}.log",
    benchmark:
        "<results>/benchmarks/rate_answers/{answers}/{model}/{metric}.tsv"
    wildcard_constraints:
        answers="predictions|repeats",
        metric=METRICS,
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.threads(study.metrics[wildcards.metric].model)
    resources:
        gpu=lambda wildcards: study.gpus(study.metrics[wildcards.metric].model),
        mem_mb=growing(7000),
        runtime=growing(240),
    params:
        code=code_of("rate_answers.py", *MODEL_MODULES),
        model=lambda wildcards: study.model_state(study.metrics[wildcards.metric].model),
        settings=lambda wildcards: study.rating(wildcards.metric),
    script:
        "../scripts/rate_answers.py"
