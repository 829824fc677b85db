"""The ablation: variants of a study, each closer to what the code of the paper's authors does."""

from .rungs import OURS, TOGETHER, rungs_of
