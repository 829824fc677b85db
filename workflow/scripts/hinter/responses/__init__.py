"""The texts that a suite asks about, and the answers: no text is asked about twice."""

from .asking import Asker
from .sources import Source, read_source, source_metadata
from .store import ResponseStore
from .suite_shard import Block, SuiteShard
