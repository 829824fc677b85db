"""The table of the effects of training on counterfactuals."""
