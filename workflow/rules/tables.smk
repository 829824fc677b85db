# One rule for each declared table that the study makes, and for each of the paper's.
for table in [*TABLES, *PUBLISHED_TABLES]:

    rule:
        name:
            f"tabulate_{table.label}"
        input:
            **{name: INPUTS[name] for name in table.reads},
            **({"warnings": "<results>/tables/warnings.csv"} if table.warned else {}),
        output:
            forms_of(table, f"<results>/{table.folder}", seen="html", **TABLE_FORMS),
        log:
            f"<results>/logs/tabulate_{table.label}.log",
        localrule: RESULT_FILES.keys().isdisjoint(table.reads)
        conda:
            "../../envs/analysis.yaml"
        resources:
            mem_mb=growing(2000),
            runtime=growing(60),
        params:
            code=code_of("make_table.py", table.module),
            caption=caption_of(table),
            module=table.module,
            settings={
                key: lookup(dpath=key.replace(".", "/"), within=config) for key in table.settings
            },
        script:
            "../scripts/make_table.py"
