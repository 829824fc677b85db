# One rule for each declared figure whose tables the study makes, and for each of the paper's.
for figure in [*FIGURES, *PUBLISHED_FIGURES]:
    folder = "<figures>/published" if figure.published else "<figures>"
    tables = {table.name: table for table in ALL_TABLES if table.published == figure.published}
    # Its caption is that of the first table that it reads.
    first = tables[figure.reads[0]]

    rule:
        name:
            f"draw_{figure.label}"
        input:
            collect(f"<results>/{figure.folder}/{{table}}.csv", table=figure.reads),
        output:
            forms_of(figure, folder, seen="png", **FIGURE_FORMS),
        log:
            f"<results>/logs/draw_{figure.label}.log",
        localrule: True
        conda:
            "../../envs/analysis.yaml"
        params:
            code=code_of("draw_figure.py", figure.module),
            caption=caption_of(first),
            empty=first.empty,
            module=figure.module,
        script:
            "../scripts/draw_figure.py"
