"""Figures on RQ4."""
