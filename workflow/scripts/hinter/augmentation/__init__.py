"""Augmentation: the texts that are added to a training split, as recipes and as full texts."""

from .augmented import AUGMENTED_SCHEMA, added_texts, export_texts, sample_augmentation
