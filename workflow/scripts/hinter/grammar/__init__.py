"""Grammar by LanguageTool: scores of originals, valid mutants and discarded mutants."""

from .checker import GrammarChecker
from .sample import sample_texts
from .scores import GRAMMAR_SCHEMA, write_scores
from .server import LanguageToolServer, Server
