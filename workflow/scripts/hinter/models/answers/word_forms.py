"""Recognise words that are forms of a label's words, or misspelt: "sadness", "nontoxic", "four"."""

import re
from collections import Counter
from collections.abc import Sequence

ENDINGS = dict.fromkeys(("s", "es", "ed", "ing", "ness", "ful", "ous"), 3)
ENDINGS |= dict.fromkeys(("en", "ment", "ion", "ity", "al", "ic", "ory"), 4)
"""Endings that keep what a word is about, and the fewest letters before them."""
CHANGED = {"ry": "er", "ist": "ism", "ence": "ent", "ic": "y"}
CHANGED |= {f"i{ending}": "y" for ending in ("es", "ed", "al", "ness", "ful", "ous")}
LONG, VOWELS, REPEATED = 6, re.compile("[aeiou]"), re.compile(r"(.)\1+")
DOUBLED = re.compile(r"([bdgmnprt])\1$")
DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
SPOKEN = {word: str(number) for number, word in enumerate(DIGITS)}
SPOKEN |= {"yeah": "yes", "yep": "yes", "nope": "no", "nah": "no"}


class WordForms:
    """Recognises forms of the words of `names`, outside of what matches their `pattern`.

    Words are forms of each other if endings of English make them of the same base. A form or a
    misspelling of several words is left alone.
    """

    def __init__(self, names: Sequence[str], *, pattern: str) -> None:
        self._words = {word for name in names for word in name.split(" ")}
        # Shorter words in longer names have forms that mean something else: "not", "noted".
        long = [word for word in self._words if len(word) > 3 or word in names]
        self._bases = {word: _bases(word) for word in sorted(long)}
        self._word = re.compile(rf"(?:{pattern})|(?P<word>[^\W\d_]+)")

    def replaced(self, text: str) -> str:
        """Return normalised text with each form of a word replaced by the word."""
        return self._word.sub(self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        word, before = found["word"] or "", found.string[max(0, found.start() - 2) : found.start()]
        # "One" after another word is mostly a pronoun: "this one".
        if SPOKEN.get(word) in self._words and not (word == "one" and before[:1].isalpha()):
            return SPOKEN[word]
        positive = word.removeprefix("non")
        if word != positive and (right := self._right(positive)) in self._words:
            return f"non-{right}"
        return self._right(word) or found[0]

    def _right(self, word: str) -> str:
        if word in self._words:
            return word
        alike = [one for one in self._bases if one[0] == word[:1] and len(word) < 3 * len(one)]
        bases = _bases(word) if alike else set()
        forms = [one for one in alike if bases & self._bases[one]]
        forms = forms or [one for one in alike if _is_misspelt(word, one)]
        return forms[0] if len(forms) == 1 else word


def _bases(word: str) -> set[str]:
    """Return a word, and what is left of it without endings."""
    found = {word}
    for ending, other in CHANGED.items():
        if word.endswith(ending):
            found |= _bases(word.removesuffix(ending) + other)
    for ending, least in ENDINGS.items():
        stem = word.removesuffix(ending)
        if word != stem and len(stem) >= least and not stem.endswith("i"):
            found |= _bases(stem)
            if VOWELS.match(ending):
                found |= {f"{stem}e", DOUBLED.sub(r"\1", stem)}
    return found


def _is_misspelt(word: str, right: str) -> bool:
    """Return whether `LONG` words of the same consonants differ by less than two letters."""
    consonants = {REPEATED.sub(r"\1", VOWELS.sub("", one)) for one in (word, right)}
    letters, others = Counter(word), Counter(right)
    near = ((letters - others) + (others - letters)).total() < 2
    return near and len(consonants) == 1 and min(len(word), len(right)) >= LONG
