"""HInter: find hidden intersectional bias in language models.

Each folder is a room with one door, and imports only from the rooms before it:
config, resources, dictionary, corpora, mutation, invariant, models, oracle, statistics, tables,
figures.
"""
