"""The table of the ladder, an ablation from this study to the authors' code."""
