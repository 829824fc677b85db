"""Tables of what training on counterfactuals changes."""
