PUBLISHED = collect(
    "data/published/{name}.csv",
    name=[
        "bias_rates",
        "encoder_mutants",
        "exposure",
        "originals",
        "printed",
        "prompted_mutants",
        "prompted_tests",
        "table1",
        "truth_table",
        "underived",
        "unique_mutants",
    ],
)
PUBLISHED_FIGURES = [
    "figure4_biased_originals",
    "figure6_validity",
    "figure7_false_positives",
    "figure9_atomic_bias",
    "figure9_truth_table",
    "figure10_exposure",
]
PUBLISHED_TABLES = ["table2_bias_rates", *PUBLISHED_FIGURES, "erratum"]
PUBLISHED_RESULTS = [
    *collect("results/published/{table}.csv", table=PUBLISHED_TABLES),
    *collect("figures/published/{figure}.pdf", figure=PUBLISHED_FIGURES),
    "docs/erratum.md",
]


rule tabulate_published:
    """Tabulate numbers of the paper, beside what it prints."""
    input:
        published=PUBLISHED,
    output:
        csv=collect("results/published/{table}.csv", table=PUBLISHED_TABLES),
        markdown=collect("results/published/{table}.md", table=PUBLISHED_TABLES),
        latex=collect("results/published/{table}.tex", table=PUBLISHED_TABLES),
        html=collect("results/published/{table}.html", table=PUBLISHED_TABLES),
    log:
        "results/logs/tabulate_published.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("tabulate_published.py"),
    script:
        "../scripts/tabulate_published.py"


rule draw_published:
    """Draw figures of the paper from its published counts."""
    input:
        published=PUBLISHED,
    output:
        pdf=collect("figures/published/{figure}.pdf", figure=PUBLISHED_FIGURES),
        png=collect("figures/published/{figure}.png", figure=PUBLISHED_FIGURES),
    log:
        "results/logs/draw_published.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_published.py"),
    script:
        "../scripts/draw_published.py"


rule write_erratum:
    """Write the erratum, the table and what cannot be derived, as a page."""
    input:
        published=PUBLISHED,
    output:
        page="docs/erratum.md",
    log:
        "results/logs/write_erratum.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("write_erratum.py"),
    script:
        "../scripts/write_erratum.py"


rule compare_with_paper:
    """Compare the numbers of the study with those of the paper."""
    input:
        unpack(
            lambda wildcards: (
                {"false_positives": "results/tables/figure7_false_positives.csv"}
                if DISCARDED
                else {}
            )
        ),
        published=PUBLISHED,
        bias_rates="results/tables/table2_bias_rates.csv",
        biased_originals="results/tables/figure4_biased_originals.csv",
        validity="results/tables/figure6_validity.csv",
        warnings=WARNINGS,
    output:
        csv="results/tables/paper_comparison.csv",
        markdown="results/tables/paper_comparison.md",
        latex="results/tables/paper_comparison.tex",
        html=report(
            "results/tables/paper_comparison.html",
            caption="../report/paper_comparison.rst",
            category="The paper",
            labels={"what": "The paper's numbers and ours"},
        ),
    log:
        "results/logs/compare_with_paper.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("compare_with_paper.py"),
    script:
        "../scripts/compare_with_paper.py"
