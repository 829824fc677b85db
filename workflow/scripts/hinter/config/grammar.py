"""How grammar is scored."""

from typing import Annotated

from pydantic import Field

from .types import Address, Count, Distinct, Positive, Shards, Sheet

CATEGORIES = [
    "CASING",
    "COLLOCATIONS",
    "COMPOUNDING",
    "CONFUSED_WORDS",
    "GRAMMAR",
    "MISC",
    "MULTITOKEN_SPELLING",
    "NONSTANDARD_PHRASES",
    "PROPER_NOUNS",
    "PUNCTUATION",
    "SEMANTICS",
    "TYPOS",
]
LEFT_OUT = [
    "ENGLISH_WORD_REPEAT_BEGINNING_RULE",
    "EN_REPEATEDWORDS",
    "EN_UNPAIRED_BRACKETS",
    "EN_UNPAIRED_QUOTES",
    "EN_WORD_COHERENCY",
    "PUNCTUATION_PARAGRAPH_END",
    "REP_PASSIVE_VOICE",
    "REP_THANK_YOU_FOR",
    "SENTENCE_WHITESPACE",
    "TOO_LONG_SENTENCE",
    "UPPERCASE_SENTENCE_START",
    "WHITESPACE_RULE",
]

RuleName = Annotated[str, Field(pattern=r"^[\w.-]+$", description="a name without spaces")]


class Grammar(Sheet):
    """How grammar is scored."""

    enabled: bool = True
    """whether grammar is scored; false leaves out RQ2 and Figure 8"""
    server: Address | None = None
    """address of a running LanguageTool, such as http://localhost:8081, without a user or a
    password; null starts one in each job"""
    categories: Distinct[RuleName] = Field(default=CATEGORIES, min_length=1)
    """LanguageTool's categories of rules that count; those of style, redundancy, repetition and
    typography do not"""
    left_out: Distinct[RuleName] = LEFT_OUT
    """names of rules that are not applied: by default all active ones that look beyond a sentence,
    since texts are checked by units that hold little more"""
    originals: Count | None = None
    """from how many originals of a dataset mutants are drawn, evenly over orders and combinations
    of attributes; null is all of the suite"""
    valid: Count | None = None
    """how many valid mutants of a dataset are drawn, as evenly; null is all"""
    discarded: Count | None = None
    """how many discarded mutants of a dataset are drawn, as evenly; null is all"""
    margin: Positive = 0.1
    """how many matches more or less per text, on average, mutants and originals may have and still
    be called equivalent; 0.1 is one match more in every tenth text"""
    shards: Shards = 1
    """number of jobs that a dataset's texts are divided into; scores do not depend on it"""
