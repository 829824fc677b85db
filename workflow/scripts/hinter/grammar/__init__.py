"""Grammar by LanguageTool: scores of originals, valid mutants and discarded mutants."""

from .checker import GrammarChecker
from .scores import GRAMMAR_SCHEMA, sample_texts, write_scores
from .server import LanguageToolServer, Server
