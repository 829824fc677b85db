rule sample_corpus:
    """Sample the texts on which the ablation is run."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
    output:
        sampled="<results>/ablation/corpora/{dataset}.parquet",
    log:
        "<results>/logs/sample_corpus/{dataset}.log",
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("sample_corpus.py"),
        settings={"originals": config["ablation"]["originals"], "seed": config["seed"]},
    script:
        "../scripts/sample_corpus.py"


# Build the word pairs of a variant with its own pairs or operator.
use rule build_dictionary as pair_variant with:
    input:
        posts=locate("data/sbic/group_posts.csv"),
        own=lambda wildcards: VARIANTS[wildcards.variant].pairs or [],
        own_groups=ancient(config["own_groups"]),
        dictionary=lambda wildcards: (
            [] if VARIANTS[wildcards.variant].pairs else ancient(study.curations()["dictionary"])
        ),
    output:
        groups=temp("<results>/ablation/pairs/{variant}/groups.csv"),
        pairs="<results>/ablation/pairs/{variant}/pairs.csv",
    log:
        "<results>/logs/pair_variant/{variant}.log",
    localrule: True
    params:
        code=code_of("build_dictionary.py"),
        curations=lambda wildcards: study.curation_state(),
        settings=lambda wildcards: {
            "attributes": config["attributes"],
            "merged": config["merged"],
            "operators": VARIANTS[wildcards.variant].mutation.operators,
        },


# Generate the mutants of the sampled texts on a variant, and check its invariant.
use rule generate_mutants as mutate_variant with:
    input:
        corpus="<results>/ablation/corpora/{dataset}.parquet",
        pairs=variant_pairs,
        parser=study.parser_source(),
    output:
        mutants=temp("<results>/ablation/mutants/{variant}/{dataset}.parquet"),
        counts="<results>/ablation/counts/{variant}/{dataset}.parquet",
        sampled=temp("<results>/ablation/sampled/{variant}/{dataset}.parquet"),
        occurrences=temp("<results>/ablation/occurrences/{variant}/{dataset}.parquet"),
    log:
        "<results>/logs/mutate_variant/{variant}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/mutate_variant/{variant}/{dataset}.tsv"
    params:
        code=lambda wildcards: code_digest(
            "generate_mutants.py", *Study(VARIANTS[wildcards.variant]).operator_modules()
        ),
        parser=study.parser_state(),
        settings=lambda wildcards: {
            **GENERATION,
            "split": "tested",
            "shard": 1,
            "shards": 1,
            "sample": {**SAMPLE, "orders": []},
            "mutation": Study(VARIANTS[wildcards.variant]).mutation(),
            "invariant": VARIANTS[wildcards.variant].invariant.model_dump(),
        },


# Select the valid mutants of a variant that the models are run on.
use rule select_suite as select_variant with:
    input:
        mutants="<results>/ablation/mutants/{variant}/{dataset}.parquet",
    output:
        suite="<results>/ablation/suites/{variant}/{dataset}.parquet",
    log:
        "<results>/logs/select_variant/{variant}/{dataset}.log",
    params:
        code=code_of("select_suite.py"),
        settings={
            **config["suite"],
            "originals": None,
            "discarded": False,
            "seed": config["seed"],
            # A variant may leave no mutant, which its row in the table then shows.
            "may_be_empty": True,
        },


# Run a model on the originals and mutants of a variant.
use rule predict_suite as predict_variant with:
    input:
        unpack(lambda wildcards: study.prediction_inputs(wildcards.model, wildcards.dataset)),
        corpus="<results>/ablation/corpora/{dataset}.parquet",
        suite="<results>/ablation/suites/{variant}/{dataset}.parquet",
    output:
        predictions=temp("<results>/ablation/predictions/{variant}/{model}/{dataset}.parquet"),
    log:
        "<results>/logs/predict_variant/{variant}/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/predict_variant/{variant}/{model}/{dataset}.tsv"
    params:
        code=code_of("predict_suite.py", *MODEL_MODULES),
        model=lambda wildcards: study.model_state(wildcards.model),
        settings=lambda wildcards: {
            "asking": study.asking(wildcards.model, wildcards.dataset),
            "held_out": None,
            "shard": 1,
            "shards": 1,
        },


# Judge the mutants of a variant.
use rule judge_mutants as judge_variant with:
    input:
        suite="<results>/ablation/suites/{variant}/{dataset}.parquet",
        predictions="<results>/ablation/predictions/{variant}/{model}/{dataset}.parquet",
    output:
        verdicts="<results>/ablation/verdicts/{variant}/{model}/{dataset}.parquet",
    log:
        "<results>/logs/judge_variant/{variant}/{model}/{dataset}.log",
    params:
        code=code_of("judge_mutants.py"),
        settings=lambda wildcards: {
            "outcome_statuses": config["outcome_statuses"],
            "hidden_lookup": VARIANTS[wildcards.variant].hidden_lookup,
            "favourable": study.favourable(wildcards.dataset),
        },
