rule write_report:
    """Collect tables, figures and their captions on one page, and say what the study was."""
    input:
        COUNTS,
        RESULTS,
    output:
        report="<report>",
        settings="<results>/config.json",
    log:
        "<results>/logs/write_report.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("write_report.py"),
        settings={"snakefile": workflow.main_snakefile, "config": config},
    script:
        "../scripts/write_report.py"
