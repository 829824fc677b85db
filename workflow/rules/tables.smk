ALL_CORPORA = collect("results/corpora/{dataset}.parquet", dataset=config["datasets"])
ALL_PREDICTIONS = [
    f"results/predictions/{model}/{dataset}.parquet" for model, dataset in study.runs()
]
ALL_VERDICTS = [f"results/verdicts/{model}/{dataset}.parquet" for model, dataset in study.runs()]
ALL_REPEATS = [f"results/repeats/{model}/{dataset}.parquet" for model, dataset in PAID_RUNS]
ALL_REPEATS = ALL_REPEATS if config["repeats"] > 1 else []
ALL_COUNTS = collect("results/counts/{dataset}.parquet", dataset=config["datasets"])
ALL_SUITES = collect("results/suites/{dataset}.parquet", dataset=config["datasets"])


rule tabulate_mutants:
    """Tabulate how many mutants there are and what the invariant says of them."""
    input:
        counts=ALL_COUNTS,
        suites=ALL_SUITES,
    output:
        csv="results/tables/mutants.csv",
        markdown="results/tables/mutants.md",
        latex="results/tables/mutants.tex",
        html=report(
            "results/tables/mutants.html",
            caption="../report/mutants.rst",
            category="Mutants",
            labels={"what": "Mutants by order, attributes and reason"},
        ),
    log:
        "results/logs/tabulate_mutants.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_mutants.py"),
    script:
        "../scripts/tabulate_mutants.py"


rule tabulate_warnings:
    """Tabulate which models say little of bias, and why."""
    input:
        predictions=ALL_PREDICTIONS,
        verdicts=ALL_VERDICTS,
        corpora=ALL_CORPORA,
        repeats=ALL_REPEATS,
    output:
        csv=WARNINGS,
        markdown="results/tables/warnings.md",
        latex="results/tables/warnings.tex",
        html=report(
            "results/tables/warnings.html",
            caption="../report/warnings.rst",
            category="RQ1",
            labels={"what": "Warnings about models"},
        ),
    log:
        "results/logs/tabulate_warnings.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_warnings.py"),
        settings={"outcome_statuses": config["outcome_statuses"]},
    script:
        "../scripts/tabulate_warnings.py"


rule tabulate_accuracy:
    """Tabulate how well each model does its task."""
    input:
        predictions=ALL_PREDICTIONS,
        corpora=ALL_CORPORA,
        warnings=WARNINGS,
    output:
        csv="results/tables/accuracy.csv",
        markdown="results/tables/accuracy.md",
        latex="results/tables/accuracy.tex",
        html=report(
            "results/tables/accuracy.html",
            caption="../report/accuracy.rst",
            category="RQ1",
            labels={"what": "Accuracy of the models"},
        ),
    log:
        "results/logs/tabulate_accuracy.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_accuracy.py"),
    script:
        "../scripts/tabulate_accuracy.py"


rule tabulate_bias_rates:
    """Tabulate intersectional and hidden bias rates (Table 2)."""
    input:
        verdicts=ALL_VERDICTS,
        counts=ALL_COUNTS,
        accuracy="results/tables/accuracy.csv",
        noise="results/tables/noise_floor.csv" if ALL_REPEATS else [],
        warnings=WARNINGS,
    output:
        csv="results/tables/table2_bias_rates.csv",
        markdown="results/tables/table2_bias_rates.md",
        latex="results/tables/table2_bias_rates.tex",
        html=report(
            "results/tables/table2_bias_rates.html",
            caption="../report/table2_bias_rates.rst",
            category="RQ1",
            labels={"what": "Table 2: bias rates"},
        ),
    log:
        "results/logs/tabulate_bias_rates.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_bias_rates.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_bias_rates.py"


rule tabulate_comparators:
    """Tabulate the comparators of the invariant side by side (RQ3)."""
    input:
        verdicts=ALL_VERDICTS,
        comparators=collect("results/comparators/{dataset}.parquet", dataset=config["datasets"]),
        warnings=WARNINGS,
    output:
        csv="results/tables/comparators.csv",
        markdown="results/tables/comparators.md",
        latex="results/tables/comparators.tex",
        html=report(
            "results/tables/comparators.html",
            caption="../report/comparators.rst",
            category="RQ3",
            labels={"what": "Comparators side by side"},
        ),
    log:
        "results/logs/tabulate_comparators.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_comparators.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_comparators.py"


rule tabulate_hidden_cases:
    """Tabulate hidden cases with their mutations marked (Table 1)."""
    input:
        verdicts=ALL_VERDICTS,
        predictions=ALL_PREDICTIONS,
        corpora=ALL_CORPORA,
        pairs="results/dictionary/pairs.csv",
        warnings=WARNINGS,
    output:
        csv="results/tables/table1_hidden_cases.csv",
        markdown="results/tables/table1_hidden_cases.md",
        latex="results/tables/table1_hidden_cases.tex",
        html=report(
            "results/tables/table1_hidden_cases.html",
            caption="../report/table1_hidden_cases.rst",
            category="RQ1",
            labels={"what": "Table 1: hidden cases"},
        ),
    log:
        "results/logs/tabulate_hidden_cases.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_hidden_cases.py"),
        settings={"count": config["hidden_cases"], "seed": config["seed"]},
    script:
        "../scripts/tabulate_hidden_cases.py"


rule tabulate_originals:
    """Tabulate the originals with at least one intersectional bias (behind Figure 4)."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/figure4_biased_originals.csv",
        markdown="results/tables/figure4_biased_originals.md",
        latex="results/tables/figure4_biased_originals.tex",
        html="results/tables/figure4_biased_originals.html",
    log:
        "results/logs/tabulate_originals.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_originals.py"),
    script:
        "../scripts/tabulate_originals.py"


rule tabulate_answers:
    """Tabulate how many inputs have an outcome, and what became of the others."""
    input:
        predictions=ALL_PREDICTIONS,
        warnings=WARNINGS,
    output:
        csv="results/tables/answers.csv",
        markdown="results/tables/answers.md",
        latex="results/tables/answers.tex",
        html=report(
            "results/tables/answers.html",
            caption="../report/answers.rst",
            category="RQ1",
            labels={"what": "Answers by status"},
        ),
    log:
        "results/logs/tabulate_answers.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_answers.py"),
    script:
        "../scripts/tabulate_answers.py"


rule tabulate_noise:
    """Tabulate what models change when they are asked the same again."""
    input:
        repeats=ALL_REPEATS,
        warnings=WARNINGS,
    output:
        csv="results/tables/noise_floor.csv",
        markdown="results/tables/noise_floor.md",
        latex="results/tables/noise_floor.tex",
        html=report(
            "results/tables/noise_floor.html",
            caption="../report/noise_floor.rst",
            category="RQ1",
            labels={"what": "Noise floor"},
        ),
    log:
        "results/logs/tabulate_noise.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_noise.py"),
        settings={"outcome_statuses": config["outcome_statuses"]},
    script:
        "../scripts/tabulate_noise.py"


rule tabulate_training:
    """Tabulate how well the fine-tuned encoders do."""
    input:
        scores=[f"results/models/{model}/{dataset}.scores.csv" for model, dataset in TRAINED_RUNS],
        published="data/lexglue/published_scores.csv",
        warnings=WARNINGS,
    output:
        csv="results/tables/training.csv",
        markdown="results/tables/training.md",
        latex="results/tables/training.tex",
        html=report(
            "results/tables/training.html",
            caption="../report/training.rst",
            category="Data",
            labels={"what": "Fine-tuned encoders"},
        ),
    log:
        "results/logs/tabulate_training.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("tabulate_training.py"),
    script:
        "../scripts/tabulate_training.py"
