"""Mutants of two pairs beside their atomic sub-mutants."""

# Of a mutant whose sub-mutants all have a verdict, the minimal subsets of one pair are the biased
# atomic ones: so the exact pairs are looked up, and the first attribute's pair comes first.
TOLD = """
    SELECT model, dataset, original_id, attributes AS combination, pair_ids, complete,
        biased AS intersectional,
        list_contains(minimal_subsets, pair_ids[1]) AS first,
        list_contains(minimal_subsets, pair_ids[2]) AS second
    FROM counted_verdicts WHERE "order" = 2
"""
"""The mutants of two pairs that have a verdict, with those of their atomic sub-mutants."""
