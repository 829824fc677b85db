"""Figures on RQ3."""
