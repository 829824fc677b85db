"""The datasets of the paper."""

PAPER_DATASETS = {
    **{name: name for name in ("ecthr_a", "eurlex", "ledgar", "scotus")},
    "imdb_50k": "imdb",
}
"""The paper's name of each of its datasets; the default study's reviews are not among them."""
