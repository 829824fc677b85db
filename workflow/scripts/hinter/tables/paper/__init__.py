"""The study beside the paper."""
