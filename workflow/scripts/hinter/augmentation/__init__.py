"""Augmentation: the texts that are added to a training split, as recipes and as full texts."""

from .rendering import added_texts, export_texts
from .sampling import AUGMENTED_SCHEMA, sample_augmentation
