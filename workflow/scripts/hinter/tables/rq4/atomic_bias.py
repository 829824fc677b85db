"""Mutants of two pairs beside their atomic sub-mutants."""

# Where all sub-mutants of a mutant have a verdict, its minimal subsets of one pair are its biased
# atomic sub-mutants. So the exact pairs are looked up; the pair of the first attribute comes first.
TOLD = """
    SELECT model, dataset, original_id, attributes AS combination, pair_ids, complete,
        biased AS intersectional,
        list_contains(minimal_subsets, pair_ids[1]) AS first,
        list_contains(minimal_subsets, pair_ids[2]) AS second
    FROM counted_verdicts WHERE "order" = 2
"""
"""The verdicts on mutants of two pairs, with those on their atomic sub-mutants."""
