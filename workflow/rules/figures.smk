# One rule for each declared figure whose tables the study makes, and for each of the paper's.
for figure in [*FIGURES, *PUBLISHED_FIGURES]:

    rule:
        name:
            f"draw_{figure.label}"
        input:
            collect(
                "{folder}/{table}.csv", folder=tables_folder(figure.section), table=figure.reads
            ),
        output:
            forms_of(figure, figures_folder(figure.section), seen="png", **FIGURE_FORMS),
        log:
            f"<results>/logs/draw_{figure.label}.log",
        localrule: True
        conda:
            "../../envs/analysis.yaml"
        params:
            code=code_of("draw_figure.py", figure.module),
            caption=caption_of(first_table(figure)),
            empty=first_table(figure).empty,
            module=figure.module,
        script:
            "../scripts/draw_figure.py"
