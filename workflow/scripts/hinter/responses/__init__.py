"""The texts of a suite and the stored answers to them: no model is asked about a text twice."""

from .asking import Asker
from .sources import Source, read_source, source_metadata
from .store import ResponseStore
from .suite_shard import Block, SuiteShard
