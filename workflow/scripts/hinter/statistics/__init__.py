"""Statistics, one per module."""

from .bootstrap import cluster_bootstrap
from .difference import bootstrap_difference
from .paired import PairedDifference, paired_difference
from .rate_ratio import bootstrap_rate_ratio
from .resampling import Numbers, Sums, divide
from .two_samples import bootstrap_two_samples
from .wilson import wilson_interval

__all__ = [
    "Numbers",
    "PairedDifference",
    "Sums",
    "bootstrap_difference",
    "bootstrap_rate_ratio",
    "bootstrap_two_samples",
    "cluster_bootstrap",
    "divide",
    "paired_difference",
    "wilson_interval",
]
