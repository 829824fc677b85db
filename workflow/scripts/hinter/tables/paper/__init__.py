"""The study compared with the paper."""
