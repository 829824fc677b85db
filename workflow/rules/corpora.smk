rule prepare_corpus:
    """Clean a dataset, drop duplicates and sample its splits."""
    input:
        lambda wildcards: study.dataset_files(wildcards.dataset),
    output:
        corpus="<results>/corpora/{dataset}.parquet",
        counts=report(
            "<results>/corpora/{dataset}.csv",
            caption="../report/corpora.rst",
            category="Data",
            labels={"what": "texts of {dataset}"},
        ),
    log:
        "<results>/logs/prepare_corpus/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(study.all_datasets) or "(?!)",
    conda:
        "../../envs/data.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("prepare_corpus.py"),
        settings=lambda wildcards: {
            "path": study.dataset_path(wildcards.dataset),
            "sheet": study.all_datasets[wildcards.dataset].model_dump(
                exclude={"favourable", "licence", "redistribute", "more_prompts"}
            ),
            "examples": study.examples(wildcards.dataset),
            "seed": config["seed"],
        },
    script:
        "../scripts/prepare_corpus.py"
