"""The table of the ablation, an ablation from this study to the authors' code."""
