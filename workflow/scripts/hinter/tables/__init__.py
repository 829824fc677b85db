"""The study's tables, each computed from result files by a module of its own."""

from .columns import proportion_columns, rate_columns
from .data.occurrences import COUNTED, NOTHING
from .groups import CAMPAIGNS, FEWEST_MENTIONS, are_clear
from .pairing import open_paired
from .published.numbers import describe_agreement
from .relations.verdicts import open_faults
from .rq3.volume import describe_false_positives
from .rq4.contrasts import JUDGING, say_groups
from .rq4.groups_bias import say_crossed
from .shown import percent, show_points, whole
from .table import Part, Results, Table, open_results, read_parts, read_table
from .writing import TableFiles
