"""The rungs from a study to what the paper's authors' code does."""

from .rungs import OURS, TOGETHER, rungs_of
