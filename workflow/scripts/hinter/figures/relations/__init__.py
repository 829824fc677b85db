"""Figures on metamorphic relations."""
