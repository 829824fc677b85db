"""Figures on RQ2."""
