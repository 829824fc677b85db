"""The paper's numbers: as printed, recomputed from the counts its authors published, corrected."""

from .against import StudyTables, compare_with_paper, show_comparison
from .counts import Published, read_published
from .erratum import erratum_page, show_erratum, tabulate_erratum
from .numbers import describe_agreement, show_numbers
from .rq1 import figure4, show_table2, table2
from .rq3 import figure6, figure7
from .rq4 import exposure, figure9, figure10, show_truth_table, truth_table

__all__ = [
    "Published",
    "StudyTables",
    "compare_with_paper",
    "describe_agreement",
    "erratum_page",
    "exposure",
    "figure4",
    "figure6",
    "figure7",
    "figure9",
    "figure10",
    "read_published",
    "show_comparison",
    "show_erratum",
    "show_numbers",
    "show_table2",
    "show_truth_table",
    "table2",
    "tabulate_erratum",
    "truth_table",
]
