VERDICT_STORE = f"{config['store']}/verdicts"
SAMPLE = {
    "orders": config["sample"]["orders"],
    "size": config["sample"]["mutants"],
    "seed": config["seed"],
    "discarded": config["suite"]["discarded"],
}
PARTS = [f"{part}-of-{config['parts']}" for part in range(1, config["parts"] + 1)]


rule generate_mutants:
    """Generate the mutants of a part of the tested texts and check the invariant."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        pairs="results/dictionary/pairs.csv",
        parser=study.parser_source(),
    output:
        mutants=temp("results/parts/{dataset}/{part}-of-{parts}/mutants.parquet"),
        counts=temp("results/parts/{dataset}/{part}-of-{parts}/counts.parquet"),
        sampled=temp("results/parts/{dataset}/{part}-of-{parts}/sampled.parquet"),
    log:
        "results/logs/generate_mutants/{dataset}/{part}-of-{parts}.log",
    benchmark:
        "results/benchmarks/generate_mutants/{dataset}/{part}-of-{parts}.tsv"
    conda:
        "../../envs/parsing.yaml"
    params:
        code=code_digest("generate_mutants.py"),
        settings=lambda wildcards: {
            "part": int(wildcards.part),
            "parts": int(wildcards.parts),
            "orders": config["orders"],
            "sample": SAMPLE,
            "invariant": config["invariant"],
            "store": VERDICT_STORE,
        },
    script:
        "../scripts/generate_mutants.py"


rule gather_mutants:
    """Put the parts of a dataset's mutants together."""
    input:
        parts=collect("results/parts/{{dataset}}/{part}/mutants.parquet", part=PARTS),
        part_counts=collect("results/parts/{{dataset}}/{part}/counts.parquet", part=PARTS),
        samples=collect("results/parts/{{dataset}}/{part}/sampled.parquet", part=PARTS),
    output:
        mutants="results/mutants/{dataset}.parquet",
        counts="results/counts/{dataset}.parquet",
    log:
        "results/logs/gather_mutants/{dataset}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        code=code_digest("gather_mutants.py"),
        settings={"sample_size": config["sample"]["mutants"]},
    script:
        "../scripts/gather_mutants.py"


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


rule compare_comparators:
    """Check the mutants of a suite by every comparator of the invariant."""
    input:
        corpus="results/corpora/{dataset}.parquet",
        suite="results/suites/{dataset}.parquet",
        pairs="results/dictionary/pairs.csv",
        parser=study.parser_source(),
    output:
        comparators="results/comparators/{dataset}.parquet",
    log:
        "results/logs/compare_comparators/{dataset}.log",
    benchmark:
        "results/benchmarks/compare_comparators/{dataset}.tsv"
    conda:
        "../../envs/parsing.yaml"
    params:
        code=code_digest("compare_comparators.py"),
        settings={"invariant": config["invariant"], "store": VERDICT_STORE},
    script:
        "../scripts/compare_comparators.py"
