rule draw_originals:
    """Draw the share of originals with at least one intersectional bias (Figure 4)."""
    input:
        shares="results/tables/figure4_biased_originals.csv",
        accuracy="results/tables/accuracy.csv",
    output:
        pdf="figures/figure4_biased_originals.pdf",
        png=report(
            "figures/figure4_biased_originals.png",
            caption="../report/figure4_biased_originals.rst",
            category="RQ1",
            labels={"what": "Figure 4: biased originals"},
        ),
    log:
        "results/logs/draw_originals.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    params:
        code=lambda wildcards: code_digest("draw_originals.py"),
    script:
        "../scripts/draw_originals.py"
