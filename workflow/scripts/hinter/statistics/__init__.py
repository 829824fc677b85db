"""Statistics: intervals, tests, corrections and power."""

from .agreement import bootstrap_kappa, bootstrap_macro_f1_difference, cohen_kappa, macro_f1
from .power import Assumptions, PairedTexts, SimulatedStudies, least_excess, simulate_studies
from .rates import bootstrap_ranks, bootstrap_two_samples, wilson_interval
from .ratios import (
    PairedDifference,
    bootstrap_difference,
    bootstrap_rate_ratio,
    cluster_bootstrap,
    paired_difference,
)
from .resampling import Interval, Numbers, Sums, divide, likely_bounds
from .significance import mcnemar_exact, q_values, sign_flip_test, sign_flip_tests
from .strata import Stratum, permutation_test
