"""Tables on the study's material: mutants, controls, dictionary and fine-tuned models."""
