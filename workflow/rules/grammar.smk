GRAMMAR = config["grammar"]
GRAMMAR_SHARDS = [f"{shard}-of-{GRAMMAR['shards']}" for shard in range(1, GRAMMAR["shards"] + 1)]


rule sample_texts:
    """Sample the mutants whose grammar is scored."""
    input:
        suite="<results>/suites/{dataset}.parquet",
    output:
        sample="<results>/samples/{dataset}.parquet",
    log:
        "<results>/logs/sample_texts/{dataset}.log",
    group:
        "suite"
    conda:
        "../../envs/grammar.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("sample_texts.py"),
        settings={
            **{size: GRAMMAR[size] for size in ("originals", "valid", "discarded")},
            "seed": config["seed"],
        },
    script:
        "../scripts/sample_texts.py"


rule score_grammar:
    """Score the grammar of one shard of the sampled texts by LanguageTool."""
    input:
        # Jobs start it themselves, unless the user has a server.
        languagetool="<resources>/languagetool" if study.starts_languagetool else [],
        corpus="<results>/corpora/{dataset}.parquet",
        sample="<results>/samples/{dataset}.parquet",
    output:
        scores=temp("<results>/shards/{dataset}/{shard}-of-{shards}/grammar.parquet"),
    log:
        "<results>/logs/score_grammar/{dataset}/{shard}-of-{shards}.log",
    benchmark:
        "<results>/benchmarks/score_grammar/{dataset}/{shard}-of-{shards}.tsv"
    conda:
        "../../envs/grammar.yaml"
    # The server uses all processors, so running more jobs at once is no faster.
    threads: 2
    resources:
        mem_mb=growing(4000),
        runtime=growing(240),
    params:
        code=code_of("score_grammar.py"),
        settings=lambda wildcards: {
            **{key: GRAMMAR[key] for key in ("server", "categories", "left_out")},
            "shard": int(wildcards.shard),
            "shards": int(wildcards.shards),
            "store": f"{config['store']}/grammar",
        },
    script:
        "../scripts/score_grammar.py"


rule gather_scores:
    """Merge the shards of a dataset's scores."""
    input:
        shards=collect("<results>/shards/{{dataset}}/{shard}/grammar.parquet", shard=GRAMMAR_SHARDS),
    output:
        gathered="<results>/grammar/{dataset}.parquet",
    log:
        "<results>/logs/gather_scores/{dataset}.log",
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("gather_shards.py"),
    script:
        "../scripts/gather_shards.py"
