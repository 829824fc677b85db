rule build_probe:
    """Build the prompts of a probe with their counterfactuals."""
    input:
        lambda wildcards: study.probes[wildcards.dataset].settings.get("prompts") or [],
        source=lambda wildcards: study.dataset_source(wildcards.dataset),
    output:
        corpus="<results>/corpora/{dataset}.parquet",
        suite="<results>/suites/{dataset}.parquet",
        probe_rows="<results>/probes/{dataset}.parquet",
        counts="<results>/corpora/{dataset}.csv",
    log:
        "<results>/logs/build_probe/{dataset}.log",
    wildcard_constraints:
        dataset=PROBES,
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("build_probe.py", study.probe_module(wildcards.dataset)),
        settings=lambda wildcards: {
            "probe": wildcards.dataset,
            "sheet": study.probes[wildcards.dataset].model_dump(),
            "seed": config["seed"],
        },
    script:
        "../scripts/build_probe.py"


# Models and the oracle use the rules for datasets; only these files are made in another way.
if config["controls"]:

    ruleorder: build_probe > match_controls

else:

    ruleorder: build_probe > select_suite


rule plan_judging:
    """Plan the calls of a judge behind an endpoint, before there are answers."""
    input:
        judge=lambda wildcards: study.model_folder(study.judge.model, wildcards.dataset),
        prompt=lambda wildcards: locate(study.judge.prompt),
        corpus="<results>/corpora/{dataset}.parquet",
        suite="<results>/suites/{dataset}.parquet",
        answered=lambda wildcards: study.prompt(wildcards.dataset),
    output:
        plan=temp("<results>/plans/judge/{model}/{dataset}.parquet"),
    log:
        "<results>/logs/plan_judging/{model}/{dataset}.log",
    wildcard_constraints:
        model=ENDPOINTS,
        dataset=PROBES,
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("plan_judging.py", *MODEL_MODULES),
        settings=lambda wildcards: {
            **study.judging(wildcards.dataset),
            "models": len([1 for _, probe in study.judged_runs() if probe == wildcards.dataset]),
            "prices": study.prices,
        },
    script:
        "../scripts/plan_judging.py"


rule judge_answers:
    """Have the judge label each answer in words to a probe."""
    input:
        judge=lambda wildcards: study.model_folder(study.judge.model, wildcards.dataset),
        prompt=lambda wildcards: locate(study.judge.prompt),
        approval=lambda wildcards: ancient(APPROVAL) if PAID_JUDGING else [],
        answers="<results>/predictions/{model}/{dataset}.parquet",
        corpus="<results>/corpora/{dataset}.parquet",
        suite="<results>/suites/{dataset}.parquet",
    output:
        judged="<results>/judged/{model}/{dataset}.parquet",
    log:
        "<results>/logs/judge_answers/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/judge_answers/{model}/{dataset}.tsv"
    wildcard_constraints:
        dataset=PROBES,
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.threads(study.judge.model)
    resources:
        gpu=lambda wildcards: study.gpus(study.judge.model),
        mem_mb=growing(7000),
        runtime=growing(480),
    params:
        code=code_of("judge_answers.py", *MODEL_MODULES),
        model=lambda wildcards: study.model_state(study.judge.model),
        settings=lambda wildcards: study.judging(wildcards.dataset),
    script:
        "../scripts/judge_answers.py"


rule find_hits:
    """Find the hits of a probe in a model's answers."""
    input:
        probe_rows="<results>/probes/{dataset}.parquet",
        corpus="<results>/corpora/{dataset}.parquet",
        predictions=lambda wildcards: study.answers(wildcards.model, wildcards.dataset),
        verdicts="<results>/verdicts/{model}/{dataset}.parquet",
    output:
        hits="<results>/hits/{model}/{dataset}.parquet",
    log:
        "<results>/logs/find_hits/{model}/{dataset}.log",
    wildcard_constraints:
        dataset=PROBES,
    group:
        "verdicts"
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("find_hits.py", study.probe_module(wildcards.dataset)),
        settings=lambda wildcards: {
            "probe": wildcards.dataset,
            "judged": (wildcards.model, wildcards.dataset) in study.judged_runs(),
        },
    script:
        "../scripts/find_hits.py"
