SAMPLE = {
    "orders": config["sample"]["orders"],
    "size": config["sample"]["mutants"],
    "seed": config["seed"],
    "discarded": config["suite"]["discarded"],
}
GENERATION = {
    "orders": config["orders"],
    "mutation": study.mutation(),
    "invariant": config["invariant"],
    "store": CHECK_STORE,
    "annotations": ANNOTATION_STORE,
}


rule generate_mutants:
    """Generate the mutants of a shard of the tested texts and check the invariant."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
        pairs="<results>/dictionary/pairs.csv",
        parser=study.parser_source(),
    output:
        mutants=temp("<results>/shards/{dataset}/{shard}-of-{shards}/mutants.parquet"),
        counts=temp("<results>/shards/{dataset}/{shard}-of-{shards}/counts.parquet"),
        sampled=temp("<results>/shards/{dataset}/{shard}-of-{shards}/sampled.parquet"),
        occurrences=temp("<results>/shards/{dataset}/{shard}-of-{shards}/occurrences.parquet"),
    log:
        "<results>/logs/generate_mutants/{dataset}/{shard}-of-{shards}.log",
    benchmark:
        "<results>/benchmarks/generate_mutants/{dataset}/{shard}-of-{shards}.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(2000),
        runtime=growing(240),
    params:
        code=code_of("generate_mutants.py", *study.operator_modules()),
        parser=study.parser_state(),
        settings=lambda wildcards: {
            **GENERATION,
            "split": "tested",
            "shard": int(wildcards.shard),
            "shards": int(wildcards.shards),
            "sample": SAMPLE,
        },
    script:
        "../scripts/generate_mutants.py"


use rule generate_mutants as generate_counterfactuals with:
    output:
        mutants=temp("<results>/shards/training/{dataset}/{shard}-of-{shards}/mutants.parquet"),
        counts=temp("<results>/shards/training/{dataset}/{shard}-of-{shards}/counts.parquet"),
        sampled=temp("<results>/shards/training/{dataset}/{shard}-of-{shards}/sampled.parquet"),
        occurrences=temp(
            "<results>/shards/training/{dataset}/{shard}-of-{shards}/occurrences.parquet"
        ),
    log:
        "<results>/logs/generate_counterfactuals/{dataset}/{shard}-of-{shards}.log",
    benchmark:
        "<results>/benchmarks/generate_counterfactuals/{dataset}/{shard}-of-{shards}.tsv"
    params:
        code=code_of("generate_mutants.py", *study.operator_modules()),
        parser=study.parser_state(),
        settings=lambda wildcards: {
            **GENERATION,
            "split": "training",
            "shard": int(wildcards.shard),
            "shards": int(wildcards.shards),
            "sample": {**SAMPLE, "orders": []},
        },


rule gather_mutants:
    """Merge the shards of a dataset's mutants."""
    input:
        shards=collect("<results>/shards/{{dataset}}/{shard}/mutants.parquet", shard=SHARDS),
        shard_counts=collect("<results>/shards/{{dataset}}/{shard}/counts.parquet", shard=SHARDS),
        samples=collect("<results>/shards/{{dataset}}/{shard}/sampled.parquet", shard=SHARDS),
        shard_occurrences=collect(
            "<results>/shards/{{dataset}}/{shard}/occurrences.parquet", shard=SHARDS
        ),
    output:
        mutants="<results>/mutants/{dataset}.parquet",
        counts="<results>/counts/{dataset}.parquet",
        occurrences="<results>/occurrences/{dataset}.parquet",
    log:
        "<results>/logs/gather_mutants/{dataset}.log",
    group:
        "suite"
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("gather_mutants.py"),
        settings={"sample_size": config["sample"]["mutants"]},
    script:
        "../scripts/gather_mutants.py"


rule select_suite:
    """Select the mutants that the models are run on."""
    input:
        mutants="<results>/mutants/{dataset}.parquet",
    output:
        suite=(
            temp("<results>/sampled/{dataset}.parquet")
            if config["controls"]
            else "<results>/suites/{dataset}.parquet"
        ),
    log:
        "<results>/logs/select_suite/{dataset}.log",
    group:
        "suite"
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("select_suite.py"),
        settings={**config["suite"], "seed": config["seed"]},
    script:
        "../scripts/select_suite.py"


if config["controls"]:

    rule match_controls:
        """Match controls to the mutants of a suite, and add them to it."""
        input:
            corpus="<results>/corpora/{dataset}.parquet",
            sampled="<results>/sampled/{dataset}.parquet",
            pairs="<results>/dictionary/pairs.csv",
            groups="<results>/dictionary/groups.csv",
            parser=study.parser_source(),
        output:
            suite="<results>/suites/{dataset}.parquet",
            controls="<results>/controls/{dataset}.parquet",
        log:
            "<results>/logs/match_controls/{dataset}.log",
        benchmark:
            "<results>/benchmarks/match_controls/{dataset}.tsv"
        conda:
            "../../envs/parsing.yaml"
        resources:
            gpu=study.parser_gpus(),
            mem_mb=growing(2000),
            runtime=growing(240),
        params:
            code=code_of("match_controls.py", *study.operator_modules()),
            parser=study.parser_state(),
            settings={
                "mutation": study.mutation(),
                "invariant": config["invariant"],
                "store": CHECK_STORE,
                "annotations": ANNOTATION_STORE,
                "seed": config["seed"],
            },
        script:
            "../scripts/match_controls.py"


rule limit_suite:
    """Limit a suite to the part that a model is run on."""
    input:
        suite="<results>/suites/{dataset}.parquet",
        controls="<results>/controls/{dataset}.parquet" if config["controls"] else [],
    output:
        limited="<results>/suites/{model}/{dataset}.parquet",
    log:
        "<results>/logs/limit_suite/{model}/{dataset}.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("limit_suite.py"),
        settings=lambda wildcards: {
            **study.suite_limits(wildcards.model, wildcards.dataset),
            "seed": config["seed"],
        },
    script:
        "../scripts/limit_suite.py"


rule compare_comparators:
    """Check the mutants of a suite by every comparator of the invariant."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
        suite="<results>/suites/{dataset}.parquet",
        parser=study.parser_source(),
    output:
        comparators="<results>/comparators/{dataset}.parquet",
    log:
        "<results>/logs/compare_comparators/{dataset}.log",
    benchmark:
        "<results>/benchmarks/compare_comparators/{dataset}.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(2000),
        runtime=growing(240),
    params:
        code=code_of("compare_comparators.py"),
        parser=study.parser_state(),
        settings={"invariant": config["invariant"], "store": CHECK_STORE},
    script:
        "../scripts/compare_comparators.py"
