rule check_assessed:
    """Check the assessed mutants by every comparator of the invariant."""
    input:
        assessments=found("data/validity/assessments.csv"),
        parser=study.parser_source(),
    output:
        assessed="<results>/assessed.parquet",
    log:
        "<results>/logs/check_assessed.log",
    benchmark:
        "<results>/benchmarks/check_assessed.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("check_assessed.py"),
        parser=study.parser_state(),
        settings={"invariant": config["invariant"], "store": CHECK_STORE},
    script:
        "../scripts/check_assessed.py"
