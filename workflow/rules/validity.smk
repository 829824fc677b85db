rule check_judged:
    """Check the judged mutants by every comparator of the invariant."""
    input:
        judgments=found("data/validity/judgments.csv"),
        parser=study.parser_source(),
    output:
        validity="<results>/validity.parquet",
    log:
        "<results>/logs/check_judged.log",
    benchmark:
        "<results>/benchmarks/check_judged.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("check_judged.py"),
        parser=study.parser_state(),
        settings={"invariant": config["invariant"], "store": VERDICT_STORE},
    script:
        "../scripts/check_judged.py"
