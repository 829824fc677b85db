RELATION_MODULES = sorted(
    path.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.glob("hinter/relations/*/*.py")
)


rule rewrite_prompts:
    """Draw source prompts, and rewrite them by every metamorphic relation."""
    input:
        prompts=found(config["relations"]["prompts"]),
    output:
        corpus="<results>/relations/corpus.parquet",
        suite="<results>/relations/suite.parquet",
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
        code=code_of("rewrite_prompts.py", *RELATION_MODULES),
        settings={"sources": config["relations"]["sources"], "seed": config["seed"]},
    script:
        "../scripts/rewrite_prompts.py"
