"""The texts of a suite and the stored answers to them: no model is asked about a text twice."""

from .store import Asker, ResponseStore, Source, read_source, source_metadata
from .suite_shard import Block, SuiteShard
