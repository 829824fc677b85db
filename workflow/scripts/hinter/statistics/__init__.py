"""Statistics: intervals, tests, corrections and power."""

from .agreement import (
    agreement_of,
    bootstrap_macro_f1_difference,
    cohen_kappa,
    count_agreement,
    kappa_interval,
    macro_f1,
)
from .power import Assumptions, PairedTexts, SimulatedStudies, least_excess, simulate_studies
from .ratios import (
    PairedDifference,
    bootstrap_difference,
    bootstrap_ranks,
    bootstrap_rate_ratio,
    bootstrap_two_samples,
    cluster_bootstrap,
    paired_difference,
    wilson_interval,
)
from .resampling import Interval, Numbers, Sums, divide, likely_bounds
from .significance import (
    Stratum,
    mcnemar_exact,
    permutation_test,
    q_values,
    sign_flip_test,
    sign_flip_tests,
)
