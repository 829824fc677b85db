"""The table of the ladder."""
