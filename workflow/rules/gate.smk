rule decide_gate:
    """Decide whether the candidate may replace its baseline, and write the decision."""
    input:
        unpack(lambda wildcards: study.gate_inputs()),
    output:
        table="<results>/gate/gate.csv",
        junit="<results>/gate/gate.xml",
        summary="<results>/gate/gate.md",
    log:
        "<results>/logs/decide_gate.log",
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("decide_gate.py"),
        settings=lambda wildcards: study.gating(),
    script:
        "../scripts/decide_gate.py"


# A separate job, so that the decision is kept if the candidate does not pass.
rule gate:
    """Fail unless the candidate passes."""
    input:
        table="<results>/gate/gate.csv",
        summary="<results>/gate/gate.md",
    log:
        "<results>/logs/gate.log",
    retries: 0
    localrule: True
    conda:
        "../../envs/analysis.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("check_gate.py"),
    script:
        "../scripts/check_gate.py"
