rule draw_texts:
    """Sample the texts on which the ladder is run."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
    output:
        drawn="<results>/ladder/corpora/{dataset}.parquet",
    log:
        "<results>/logs/draw_texts/{dataset}.log",
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("draw_texts.py"),
        settings={"originals": config["ladder"]["originals"], "seed": config["seed"]},
    script:
        "../scripts/draw_texts.py"


# Build the word pairs of a rung with its own pairs or operator.
use rule build_dictionary as pair_rung with:
    input:
        posts=found("data/sbic/group_posts.csv"),
        own=lambda wildcards: RUNGS[wildcards.rung].pairs or [],
        own_groups=ancient(config["own_groups"]),
        dictionary=lambda wildcards: (
            [] if RUNGS[wildcards.rung].pairs else ancient(study.curations()["dictionary"])
        ),
    output:
        groups=temp("<results>/ladder/pairs/{rung}/groups.csv"),
        pairs="<results>/ladder/pairs/{rung}/pairs.csv",
    log:
        "<results>/logs/pair_rung/{rung}.log",
    localrule: True
    params:
        code=code_of("build_dictionary.py"),
        curations=lambda wildcards: study.curation_state(),
        settings=lambda wildcards: {
            "attributes": config["attributes"],
            "merged": config["merged"],
            "operators": RUNGS[wildcards.rung].mutation.operators,
        },


# Generate the mutants of the sampled texts on a rung, and check its invariant.
use rule generate_mutants as mutate_rung with:
    input:
        corpus="<results>/ladder/corpora/{dataset}.parquet",
        pairs=rung_pairs,
        parser=study.parser_source(),
    output:
        mutants=temp("<results>/ladder/mutants/{rung}/{dataset}.parquet"),
        counts="<results>/ladder/counts/{rung}/{dataset}.parquet",
        sampled=temp("<results>/ladder/sampled/{rung}/{dataset}.parquet"),
        occurrences=temp("<results>/ladder/occurrences/{rung}/{dataset}.parquet"),
    log:
        "<results>/logs/mutate_rung/{rung}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/mutate_rung/{rung}/{dataset}.tsv"
    params:
        code=lambda wildcards: code_digest(
            "generate_mutants.py", *Study(RUNGS[wildcards.rung]).operator_modules()
        ),
        parser=study.parser_state(),
        settings=lambda wildcards: {
            **GENERATION,
            "split": "tested",
            "shard": 1,
            "shards": 1,
            "sample": {**SAMPLE, "orders": []},
            "mutation": Study(RUNGS[wildcards.rung]).mutation(),
            "invariant": RUNGS[wildcards.rung].invariant.model_dump(),
        },


# Select the valid mutants of a rung that the models are run on.
use rule select_suite as select_rung with:
    input:
        mutants="<results>/ladder/mutants/{rung}/{dataset}.parquet",
    output:
        suite="<results>/ladder/suites/{rung}/{dataset}.parquet",
    log:
        "<results>/logs/select_rung/{rung}/{dataset}.log",
    params:
        code=code_of("select_suite.py"),
        settings={
            **config["suite"],
            "originals": None,
            "discarded": False,
            "seed": config["seed"],
            # A rung may leave no mutant, which its row in the table then shows.
            "may_be_empty": True,
        },


# Run a model on the originals and mutants of a rung.
use rule predict_suite as predict_rung with:
    input:
        unpack(lambda wildcards: study.prediction_inputs(wildcards.model, wildcards.dataset)),
        corpus="<results>/ladder/corpora/{dataset}.parquet",
        suite="<results>/ladder/suites/{rung}/{dataset}.parquet",
    output:
        predictions=temp("<results>/ladder/predictions/{rung}/{model}/{dataset}.parquet"),
    log:
        "<results>/logs/predict_rung/{rung}/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/predict_rung/{rung}/{model}/{dataset}.tsv"
    params:
        code=code_of("predict_suite.py", *MODEL_MODULES),
        model=lambda wildcards: study.model_state(wildcards.model),
        settings=lambda wildcards: {
            "asking": study.asking(wildcards.model, wildcards.dataset),
            "held_out": None,
            "shard": 1,
            "shards": 1,
        },


# Judge the mutants of a rung.
use rule judge_mutants as judge_rung with:
    input:
        suite="<results>/ladder/suites/{rung}/{dataset}.parquet",
        predictions="<results>/ladder/predictions/{rung}/{model}/{dataset}.parquet",
    output:
        verdicts="<results>/ladder/verdicts/{rung}/{model}/{dataset}.parquet",
    log:
        "<results>/logs/judge_rung/{rung}/{model}/{dataset}.log",
    params:
        code=code_of("judge_mutants.py"),
        settings=lambda wildcards: {
            "outcome_statuses": config["outcome_statuses"],
            "hidden_lookup": RUNGS[wildcards.rung].hidden_lookup,
            "favourable": study.favourable(wildcards.dataset),
        },
