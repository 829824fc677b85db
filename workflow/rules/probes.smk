rule build_probe:
    """Build the prompts of a probe with their counterfactuals."""
    input:
        lambda wildcards: study.probes[wildcards.dataset].settings.get("prompts") or [],
        source=lambda wildcards: study.dataset_source(wildcards.dataset),
    output:
        corpus="<results>/corpora/{dataset}.parquet",
        suite="<results>/suites/{dataset}.parquet",
        told="<results>/probes/{dataset}.parquet",
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


# Models answer and the oracle judges by the rules of datasets: only these files are made otherwise.
if config["controls"]:

    ruleorder: build_probe > match_controls

else:

    ruleorder: build_probe > select_suite


rule find_hits:
    """Find what a model's answers to a probe show."""
    input:
        told="<results>/probes/{dataset}.parquet",
        corpus="<results>/corpora/{dataset}.parquet",
        predictions="<results>/predictions/{model}/{dataset}.parquet",
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
        settings=lambda wildcards: {"probe": wildcards.dataset},
    script:
        "../scripts/find_hits.py"
