# A rule for the tables that one job makes, including those of the paper's published counts.
for name, tables in TABLE_JOBS.items():

    rule:
        name:
            f"tabulate_{name}"
        input:
            **inputs_of(tables),
        output:
            **{
                table.name: forms_of(
                    table, f"<results>/{table.folder}", seen=".html", endings=TABLE_FORMS
                )
                for table in tables
            },
        log:
            f"<results>/logs/tabulate_{name}.log",
        localrule: all(RESULT_FILES.keys().isdisjoint(table.reads) for table in tables)
        conda:
            "../../envs/analysis.yaml"
        resources:
            mem_mb=growing(2000),
            runtime=growing(60),
        params:
            code=code_of("make_tables.py", *(table.module for table in tables)),
            captions=captions_of(tables),
            modules={table.name: table.module for table in tables},
            settings=values_of(tables),
        script:
            "../scripts/make_tables.py"
