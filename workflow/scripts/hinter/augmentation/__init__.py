"""Augmentation: the texts that are added to a training split, as recipes and as full texts."""

from .drawing import AUGMENTED_SCHEMA, draw_augmentation
from .rendering import added_texts, export_texts
