"""The gate: whether a model may take the place of another one, by paired differences of bias."""

from .deciding import Outcome, decide, overall, read_decided
from .measuring import measure_differences
from .summary import describe_outcome, write_junit, write_summary
