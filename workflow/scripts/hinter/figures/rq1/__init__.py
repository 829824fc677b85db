"""Figures on RQ1."""
