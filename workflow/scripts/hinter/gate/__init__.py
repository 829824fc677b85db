"""The gate: decide by paired differences in bias whether one model may replace another."""

from .deciding import Outcome, decide, overall, read_decided
from .measuring import measure_differences
from .summary import describe_outcome, write_junit, write_summary
