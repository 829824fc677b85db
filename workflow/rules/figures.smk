# A rule for the figures of a question, including those of the paper's published counts.
for section, figures in FIGURE_JOBS.items():

    rule:
        name:
            f"plot_{section}"
        input:
            **{
                table: f"<results>/{figure.folder}/{table}.csv"
                for figure in figures
                for table in figure.reads
            },
        output:
            **{
                figure.name: forms_of(
                    figure,
                    "<figures>/published" if figure.published else "<figures>",
                    seen=".png",
                    endings=FIGURE_FORMS,
                )
                for figure in figures
            },
        log:
            f"<results>/logs/plot_{section}.log",
        localrule: True
        conda:
            "../../envs/analysis.yaml"
        params:
            code=code_of("plot_figures.py", *(figure.module for figure in figures)),
            captions=captions_of(figures),
            empty={figure.name: first_read(figure).empty for figure in figures},
            modules={figure.name: figure.module for figure in figures},
            section=section,
        script:
            "../scripts/plot_figures.py"
