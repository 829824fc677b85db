"""The ablation: variants of a study, each closer to what the code of the paper's authors does."""

from .variants import OURS, TOGETHER, variants_of
