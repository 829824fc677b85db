"""Statistics, one per module."""

from .arrays import Numbers, divide
from .bootstrap import cluster_bootstrap
from .difference import bootstrap_difference
from .false_discovery import q_values
from .kappa import bootstrap_kappa, cohen_kappa
from .macro_f1 import bootstrap_macro_f1_difference, macro_f1
from .mcnemar import mcnemar_exact
from .paired import PairedDifference, paired_difference
from .power import Assumptions, PairedTexts, SimulatedStudies, least_excess, simulate_studies
from .ranks import bootstrap_ranks
from .rate_ratio import bootstrap_rate_ratio
from .resampling import Sums, likely_bounds
from .sign_flips import sign_flip_test, sign_flip_tests
from .strata import Stratum, permutation_test
from .two_samples import bootstrap_two_samples
from .wilson import Interval, wilson_interval
