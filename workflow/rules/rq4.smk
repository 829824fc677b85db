rule tabulate_truth_table:
    """Tabulate whether mutants are biased where their atomic sub-mutants are (Figure 9)."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/figure9_truth_table.csv",
        markdown="results/tables/figure9_truth_table.md",
        latex="results/tables/figure9_truth_table.tex",
        html=report(
            "results/tables/figure9_truth_table.html",
            caption="../report/figure9_truth_table.rst",
            category="RQ4",
            labels={"what": "Figure 9 as a table: mutants and their atomic ones"},
        ),
    log:
        "results/logs/tabulate_truth_table.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_truth_table.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_truth_table.py"


rule draw_truth_table:
    """Draw whether mutants are biased where their atomic sub-mutants are (Figure 9)."""
    input:
        cells="results/tables/figure9_truth_table.csv",
    output:
        pdf="figures/figure9_truth_table.pdf",
        png=report(
            "figures/figure9_truth_table.png",
            caption="../report/figure9_truth_table.rst",
            category="RQ4",
            labels={"what": "Figure 9: mutants and their atomic ones"},
        ),
    log:
        "results/logs/draw_truth_table.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_truth_table.py"),
    script:
        "../scripts/draw_truth_table.py"


rule tabulate_atomic_mutants:
    """Tabulate which biased atomic mutants intersectional testing finds again (Figure 9)."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/figure9_atomic_mutants.csv",
        markdown="results/tables/figure9_atomic_mutants.md",
        latex="results/tables/figure9_atomic_mutants.tex",
        html=report(
            "results/tables/figure9_atomic_mutants.html",
            caption="../report/figure9_atomic_mutants.rst",
            category="RQ4",
            labels={"what": "Figure 9 (b): biased atomic mutants"},
        ),
    log:
        "results/logs/tabulate_atomic_mutants.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_atomic_mutants.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_atomic_mutants.py"


rule tabulate_exposure:
    """Tabulate which campaigns of mutants expose the originals (Figure 10)."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/figure10_exposure.csv",
        markdown="results/tables/figure10_exposure.md",
        latex="results/tables/figure10_exposure.tex",
        html=report(
            "results/tables/figure10_exposure.html",
            caption="../report/figure10_exposure.rst",
            category="RQ4",
            labels={"what": "Figure 10 as a table: exposed originals"},
        ),
    log:
        "results/logs/tabulate_exposure.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_exposure.py"),
    script:
        "../scripts/tabulate_exposure.py"


rule draw_exposure:
    """Draw which campaigns of mutants expose the originals (Figure 10)."""
    input:
        regions="results/tables/figure10_exposure.csv",
    output:
        pdf="figures/figure10_exposure.pdf",
        png=report(
            "figures/figure10_exposure.png",
            caption="../report/figure10_exposure.rst",
            category="RQ4",
            labels={"what": "Figure 10: exposed originals"},
        ),
    log:
        "results/logs/draw_exposure.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_exposure.py"),
    script:
        "../scripts/draw_exposure.py"


rule tabulate_lattice:
    """Tabulate hidden and masked bias and the smallest biased sets of pairs, by order."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/lattice.csv",
        markdown="results/tables/lattice.md",
        latex="results/tables/lattice.tex",
        html=report(
            "results/tables/lattice.html",
            caption="../report/lattice.rst",
            category="RQ4",
            labels={"what": "Lattice: hidden and masked bias by order"},
        ),
    log:
        "results/logs/tabulate_lattice.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_lattice.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_lattice.py"


rule tabulate_model_comparison:
    """Tabulate differences of bias rate between models, paired on identical suites."""
    input:
        verdicts=ALL_VERDICTS,
        warnings=WARNINGS,
    output:
        csv="results/tables/model_comparison.csv",
        markdown="results/tables/model_comparison.md",
        latex="results/tables/model_comparison.tex",
        html=report(
            "results/tables/model_comparison.html",
            caption="../report/model_comparison.rst",
            category="RQ1",
            labels={"what": "Models compared"},
        ),
    log:
        "results/logs/tabulate_model_comparison.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_model_comparison.py"),
        settings={"seed": config["seed"]},
    script:
        "../scripts/tabulate_model_comparison.py"


rule tabulate_groups_bias:
    """Tabulate bias by combination of attributes and by source and target group."""
    input:
        verdicts=ALL_VERDICTS,
        pairs="results/dictionary/pairs.csv",
        repeats=ALL_REPEATS,
        warnings=WARNINGS,
    output:
        csv="results/tables/groups_bias.csv",
        markdown="results/tables/groups_bias.md",
        latex="results/tables/groups_bias.tex",
        html=report(
            "results/tables/groups_bias.html",
            caption="../report/groups_bias.rst",
            category="RQ4",
            labels={"what": "Bias by combination and group"},
        ),
    log:
        "results/logs/tabulate_groups_bias.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=lambda wildcards: code_digest("tabulate_groups_bias.py"),
        settings={"seed": config["seed"], "outcome_statuses": config["outcome_statuses"]},
    script:
        "../scripts/tabulate_groups_bias.py"
