"""Statistics, one per module."""

from .bootstrap import cluster_bootstrap
from .wilson import wilson_interval

__all__ = ["cluster_bootstrap", "wilson_interval"]
