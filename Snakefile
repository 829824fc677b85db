"""The entry of the study when it is run from its own folder: see workflow/Snakefile."""


include: "workflow/Snakefile"


# Snakemake takes no default target from an included file.
workflow.default_target = "all"
