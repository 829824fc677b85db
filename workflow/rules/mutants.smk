rule generate_mutants:
    """Generate every mutant of the tested texts and check the invariant."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        pairs="results/dictionary/pairs.csv",
        parser=f"resources/{study.parser}",
    output:
        mutants="results/mutants/{dataset}.parquet",
    log:
        "results/logs/generate_mutants/{dataset}.log",
    benchmark:
        "results/benchmarks/generate_mutants/{dataset}.tsv"
    conda:
        "../../envs/parsing.yaml"
    params:
        code=code_digest("generate_mutants.py"),
        settings={"orders": config["orders"]},
    script:
        "../scripts/generate_mutants.py"


rule select_suite:
    """Select the valid mutants that the models are run on."""
    input:
        mutants="results/mutants/{dataset}.parquet",
    output:
        suite="results/suites/{dataset}.parquet",
    log:
        "results/logs/select_suite/{dataset}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("select_suite.py"),
        settings={**config["suite"], "seed": config["seed"]},
    script:
        "../scripts/select_suite.py"
