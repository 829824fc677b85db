ALL_GRAMMAR = collect("results/grammar/{dataset}.parquet", dataset=config["datasets"])


rule tabulate_grammar:
    """Tabulate the grammar scores of originals and their valid mutants (Figure 5)."""
    input:
        grammar=ALL_GRAMMAR,
        verdicts=ALL_VERDICTS,
    output:
        csv="results/tables/figure5_grammar.csv",
        markdown="results/tables/figure5_grammar.md",
        latex="results/tables/figure5_grammar.tex",
        html=report(
            "results/tables/figure5_grammar.html",
            caption="../report/figure5_grammar.rst",
            category="RQ2",
            labels={"what": "Figure 5 as a table: grammar of valid mutants"},
        ),
    log:
        "results/logs/tabulate_grammar.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_grammar.py"),
        settings={"seed": config["seed"], "margin": config["grammar"]["margin"]},
    script:
        "../scripts/tabulate_grammar.py"


rule draw_grammar:
    """Draw the grammar scores of originals and their valid mutants (Figure 5)."""
    input:
        scores="results/tables/figure5_grammar.csv",
    output:
        pdf="figures/figure5_grammar.pdf",
        png=report(
            "figures/figure5_grammar.png",
            caption="../report/figure5_grammar.rst",
            category="RQ2",
            labels={"what": "Figure 5: grammar of valid mutants"},
        ),
    log:
        "results/logs/draw_grammar.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_grammar.py"),
    script:
        "../scripts/draw_grammar.py"


rule tabulate_validity:
    """Tabulate how many mutants are valid and how many are discarded (Figure 6)."""
    input:
        counts=ALL_COUNTS,
    output:
        csv="results/tables/figure6_validity.csv",
        markdown="results/tables/figure6_validity.md",
        latex="results/tables/figure6_validity.tex",
        html=report(
            "results/tables/figure6_validity.html",
            caption="../report/figure6_validity.rst",
            category="RQ3",
            labels={"what": "Figure 6 as a table: valid and discarded mutants"},
        ),
    log:
        "results/logs/tabulate_validity.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_validity.py"),
    script:
        "../scripts/tabulate_validity.py"


rule draw_validity:
    """Draw how many mutants are valid and how many are discarded (Figure 6)."""
    input:
        counts="results/tables/figure6_validity.csv",
    output:
        pdf="figures/figure6_validity.pdf",
        png=report(
            "figures/figure6_validity.png",
            caption="../report/figure6_validity.rst",
            category="RQ3",
            labels={"what": "Figure 6: valid and discarded mutants"},
        ),
    log:
        "results/logs/draw_validity.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_validity.py"),
    script:
        "../scripts/draw_validity.py"


rule tabulate_false_positives:
    """Tabulate bias among valid and among discarded mutants (Figure 7)."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/figure7_false_positives.csv",
        markdown="results/tables/figure7_false_positives.md",
        latex="results/tables/figure7_false_positives.tex",
        html=report(
            "results/tables/figure7_false_positives.html",
            caption="../report/figure7_false_positives.rst",
            category="RQ3",
            labels={"what": "Figure 7 as a table: bias of discarded mutants"},
        ),
    log:
        "results/logs/tabulate_false_positives.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_false_positives.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_false_positives.py"


rule draw_false_positives:
    """Draw bias among valid and among discarded mutants (Figure 7)."""
    input:
        rates="results/tables/figure7_false_positives.csv",
    output:
        pdf="figures/figure7_false_positives.pdf",
        png=report(
            "figures/figure7_false_positives.png",
            caption="../report/figure7_false_positives.rst",
            category="RQ3",
            labels={"what": "Figure 7: bias of discarded mutants"},
        ),
    log:
        "results/logs/draw_false_positives.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_false_positives.py"),
    script:
        "../scripts/draw_false_positives.py"


rule tabulate_discarded:
    """Tabulate the grammar scores of valid and of discarded mutants (Figure 8)."""
    input:
        grammar=ALL_GRAMMAR,
    output:
        csv="results/tables/figure8_discarded.csv",
        markdown="results/tables/figure8_discarded.md",
        latex="results/tables/figure8_discarded.tex",
        html=report(
            "results/tables/figure8_discarded.html",
            caption="../report/figure8_discarded.rst",
            category="RQ3",
            labels={"what": "Figure 8 as a table: grammar of discarded mutants"},
        ),
    log:
        "results/logs/tabulate_discarded.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_discarded.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_discarded.py"


rule draw_discarded:
    """Draw the grammar scores of valid and of discarded mutants (Figure 8)."""
    input:
        scores="results/tables/figure8_discarded.csv",
    output:
        pdf="figures/figure8_discarded.pdf",
        png=report(
            "figures/figure8_discarded.png",
            caption="../report/figure8_discarded.rst",
            category="RQ3",
            labels={"what": "Figure 8: grammar of discarded mutants"},
        ),
    log:
        "results/logs/draw_discarded.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_discarded.py"),
    script:
        "../scripts/draw_discarded.py"
