import os

STUDIED = {
    "sources": dataset_origins(study),
    "origins": model_origins(study),
    "settings": study.study_settings(),
}


rule export_evaluations:
    """Write the results as records of Every Eval Ever, each checked by its schema."""
    input:
        sorted({*PROMPTS.values()}),
        # It describes the same run, and is made again with the file that has the time of its end.
        "<crate>",
        verdicts=lambda wildcards: shared_runs("verdicts"),
        predictions=result_files("predictions", study.runs()),
        corpora=result_files("corpora"),
        accuracy=INPUTS["accuracy"],
        excess=INPUTS["excess"],
        # It has the time when the study ended, and exists only if the study is finished.
        provenance="<provenance>",
        citation=locate("CITATION.cff"),
        schemas="<resources>/every_eval_ever",
    output:
        folder=directory("<results>/export/evaluations"),
    log:
        "<results>/logs/export_evaluations.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("export_evaluations.py"),
        settings={
            "prompts": PROMPTS,
            "studied": STUDIED,
            "seed": config["seed"],
            "epoch": os.environ.get("SOURCE_DATE_EPOCH"),
        },
    script:
        "../scripts/export_evaluations.py"


rule export_dataset:
    """Write the suite, cases and verdicts as a dataset for publication, with its card."""
    input:
        verdicts=lambda wildcards: shared_runs("verdicts"),
        suites=result_files("suites"),
        corpora=result_files("corpora"),
        predictions=result_files("predictions", study.runs()),
        comparators=INPUTS["comparators"] if study.meets(["discarded"]) else [],
        cases=INPUTS["cases"],
        pairs="<results>/dictionary/pairs.csv",
        citation=locate("CITATION.cff"),
        template=locate("workflow/scripts/hinter/exports/card.md"),
    output:
        folder=directory("<results>/export/dataset"),
    log:
        "<results>/logs/export_dataset.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        code=code_of("export_dataset.py"),
        settings={"studied": STUDIED},
    script:
        "../scripts/export_dataset.py"
