"""The study's tables, each computed from result files.

Each folder is a section:

    rq1         how much intersectional and hidden bias models show
    rq2         whether mutants keep the grammar of their originals
    rq3         how well the invariant works
    rq4         intersectional bias compared with atomic bias
    data        the study's material: mutants, controls, dictionary and fine-tuned models
    assessment  answers of people who read mutants
    mitigation  the effects of training on counterfactuals
    probes      answers to the probes
    relations   answers to prompts that metamorphic relations rewrite
    ablation    from this study to the authors' code, one switch at a time
    paper       the study compared with the paper
    published   the paper's numbers: as printed, recomputed from its published counts, and corrected
"""

from .columns import proportion_columns, rate_columns
from .data.mutants import COUNTED, NOTHING
from .groups import CAMPAIGNS, FEWEST_MENTIONS, are_clear
from .pairing import MEASURED, open_paired
from .published.numbers import describe_agreement
from .relations.faults import open_faults
from .rq3.discarded import describe_false_positives
from .rq4.contrast_findings import JUDGING, describe_groups
from .rq4.groups_bias import describe_crossed
from .shown import TableFiles, difference_of, each_as, percent, shown, titled, whole
from .table import Part, Results, Table, open_results, read_parts, read_table
