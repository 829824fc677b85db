"""Grammar as LanguageTool sees it: originals, valid and discarded mutants, unit by unit."""

from .checker import GrammarChecker
from .sample import sample_texts
from .scores import GRAMMAR_SCHEMA, write_scores
from .server import LanguageToolServer, Server
