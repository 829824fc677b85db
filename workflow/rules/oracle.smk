rule judge_mutants:
    """Decide for every mutant that was run whether it is biased, and whether its bias is hidden."""
    input:
        suite=lambda wildcards: study.suite(wildcards.model, wildcards.dataset),
        predictions=lambda wildcards: study.answers(wildcards.model, wildcards.dataset),
    output:
        verdicts="<results>/verdicts/{model}/{dataset}.parquet",
    log:
        "<results>/logs/judge_mutants/{model}/{dataset}.log",
    wildcard_constraints:
        dataset="|".join([*study.datasets, *study.probes, *study.metrics]),
    group:
        "verdicts"
    conda:
        "../../envs/analysis.yaml"
    threads: 2
    resources:
        mem_mb=growing(2000),
        runtime=growing(240),
    params:
        code=code_of("judge_mutants.py"),
        settings=lambda wildcards: {
            **{key: config[key] for key in ("outcome_statuses", "hidden_lookup")},
            "favourable": study.favourable(wildcards.dataset),
        },
    script:
        "../scripts/judge_mutants.py"
