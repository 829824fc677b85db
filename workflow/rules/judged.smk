JUDGMENTS = "data/validity/judgments.csv"


rule check_judged:
    """Check the judged mutants by every comparator of the invariant."""
    input:
        judgments=JUDGMENTS,
        parser=study.parser_source(),
    output:
        validity="results/validity.parquet",
    log:
        "results/logs/check_judged.log",
    benchmark:
        "results/benchmarks/check_judged.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("check_judged.py"),
        parser=study.parser_state(),
        settings={"invariant": config["invariant"], "store": VERDICT_STORE},
    script:
        "../scripts/check_judged.py"


rule tabulate_comparator_validity:
    """Tabulate the comparators of the invariant against judged mutants (RQ3)."""
    input:
        judgments=JUDGMENTS,
        validity="results/validity.parquet",
    output:
        csv="results/tables/comparator_validity.csv",
        markdown="results/tables/comparator_validity.md",
        latex="results/tables/comparator_validity.tex",
        html=report(
            "results/tables/comparator_validity.html",
            caption="../report/comparator_validity.rst",
            category="RQ3",
            labels={"what": "Comparators against judged mutants"},
        ),
    log:
        "results/logs/tabulate_comparator_validity.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("tabulate_comparator_validity.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_comparator_validity.py"


rule tabulate_corrected_rates:
    """Tabulate what the bias rates of surviving mutants are (RQ3)."""
    input:
        verdicts=ALL_VERDICTS,
        validity="results/validity.parquet",
        warnings=WARNINGS,
    output:
        csv="results/tables/corrected_rates.csv",
        markdown="results/tables/corrected_rates.md",
        latex="results/tables/corrected_rates.tex",
        html=report(
            "results/tables/corrected_rates.html",
            caption="../report/corrected_rates.rst",
            category="RQ3",
            labels={"what": "Bias rates of surviving mutants"},
        ),
    log:
        "results/logs/tabulate_corrected_rates.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_corrected_rates.py"),
        settings={"comparator": config["invariant"]["comparator"], "seed": config["seed"]},
    script:
        "../scripts/tabulate_corrected_rates.py"
