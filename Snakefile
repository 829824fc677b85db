"""HInter: hidden intersectional bias in language models, from texts to tables and figures."""

from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/terminal.smk"
include: "workflow/rules/common.smk"
include: "workflow/rules/resources.smk"
include: "workflow/rules/dictionary.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/mutants.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/predictions.smk"
include: "workflow/rules/oracle.smk"
include: "workflow/rules/grammar.smk"
include: "workflow/rules/validity.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        COUNTS,
        RESULTS,
        "report.html",


rule resources:
    input:
        collect("resources/{resource}", resource=NEEDED_RESOURCES),


rule published:
    input:
        PUBLISHED_RESULTS,


onsuccess:
    if "all" in {job.rule.name for job in workflow.dag.targetjobs}:
        print(LEFT_BEHIND)
        tell_warnings()
