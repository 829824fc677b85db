"""Tables on what the study is made of: mutants and fine-tuned models."""
