rule check_assessed:
    """Check the annotated mutants by every comparator of the invariant."""
    input:
        assessments=locate("data/validity/assessments.csv"),
        blind=locate("data/validity/described_annotations.csv"),
        answers=config["assessment"]["answers"],
        parser=study.parser_source(),
    output:
        assessed="<results>/assessed.parquet",
    log:
        "<results>/logs/check_assessed.log",
    benchmark:
        "<results>/benchmarks/check_assessed.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        gpu=study.parser_gpus(),
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("check_assessed.py"),
        parser=study.parser_state(),
        settings={
            "operators": config["mutation"]["operators"],
            "invariant": config["invariant"],
            "store": CHECK_STORE,
        },
    script:
        "../scripts/check_assessed.py"


rule write_form:
    """Write the form in which people annotate mutants of the suites."""
    input:
        corpora=result_files("corpora"),
        suites=result_files("suites"),
        pairs="<results>/dictionary/pairs.csv",
        guideline=locate("data/validity/guideline.md"),
        template=locate("workflow/scripts/hinter/assessments/form.html"),
    output:
        form="<results>/assessment/form.csv",
        page="<results>/assessment/form.html",
    log:
        "<results>/logs/write_form.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("write_form.py"),
        settings={"mutants": config["assessment"]["mutants"], "seed": config["seed"]},
    script:
        "../scripts/write_form.py"


rule write_assessed_form:
    """Write the form in which people annotate what language models have annotated."""
    input:
        assessments=locate("data/validity/assessments.csv"),
        guideline=locate("data/validity/guideline.md"),
        template=locate("workflow/scripts/hinter/assessments/form.html"),
    output:
        form="<results>/assessment/assessed_form.csv",
        page="<results>/assessment/assessed_form.html",
    log:
        "<results>/logs/write_assessed_form.log",
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("write_form.py"),
        settings={"operators": config["mutation"]["operators"]},
    script:
        "../scripts/write_form.py"
