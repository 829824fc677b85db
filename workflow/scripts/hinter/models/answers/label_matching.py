"""Find the labels named in an answer: as whole words, longest first, and in enumerations.

Labels that are single letters are told from words of one letter.
"""

import html
import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from ...errors import InputError

NOT_INSIDE_WORD = r"(?<![^\W_])(?<![^\W_]-)"
NOT_BEFORE_WORD = r"(?!-?[^\W_])"
WORD_GAP = re.compile(r"\s+|(?<=[^\W_])[-_]+(?=[^\W_])")
WORD = re.compile(NOT_INSIDE_WORD + r"[^\W_]+")
NUMBER = re.compile("[0-9]+")
DETERMINER = r"(?:^no|(?<=[.!?:*] )no|no(?! (?!(?:as|and|or|but|because|since|for|it|not)\b)[a-z]))"
"""The label "no", unless it belongs to a word after it: "no doubt"."""
NEXT_IN_LIST = r" ?(?:,? ?\b(?:and/or|and|or|nor)\b|[,;/&]) ?"
PARAGRAPHS = r"(?: ?§§ ?[0-9]+(?: ?(?:,|and|or|to|-|–) ?[0-9]+)*| ?§ ?[0-9]+| ?\([0-9a-z]+\))*"
"""May follow a number without being the number of another label: Article 6 § 1, Article 6(1)."""
SCALE = r"(?: ?(?:/|out of) ?[0-9]+)?"
"""May follow a number: 4/5, 4 out of 5."""
LONG, NEAR = 6, 0.85
"""The fewest letters of a name that may be misspelt, and the least similarity to it."""
VOWELS, REPEATED = re.compile("[aeiou]"), re.compile(r"(.)\1+")
ABBREVIATED_NUMBER = re.compile(r"\bno\.\s?(?=\d)")
ONE_SPELLING = str.maketrans(
    dict(zip("‘’ʼ“”‐", "'''\"\"-", strict=True))
    | {"≤": "<=", "≥": ">=", "−": "-"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)
ESCAPED = re.compile(r"\\(?=_|[^\w\s\\])")
"""A backslash of Markdown or JSON."""
BEFORE = 40
"""Characters before a letter that say what it is."""
LONE = re.compile(r"(?<![\w'’-])([^\W\d_])(?![\w'’])")
INTRODUCED = re.compile(
    r"\b(?:answer|option|choice|letter|label|class|category|pick|choose)(?: is)?:?[\s*\"'(]*$",
    re.IGNORECASE,
)
GOES_ON = re.compile(
    r"[ \t]+(?!(?:is|was|as|and|or|nor|but|because|since|for|over|rather|would|not)\b)\w"
)
"""A word after a letter that is an article or a pronoun: "A person", "I think"."""
COMPARED = re.compile(r"(?<=[<>=])\s+(?=\d)")
NON = re.compile(r"\bnon[- ](?=\w)")
WRITTEN_OUT = {"cannot": "can not", "can't": "can not", "won't": "will not", "n't": " not"}


def normalise(text: str) -> str:
    """Return `text` normalised for comparison: lower case, one spelling of signs and "not".

    Lines are kept, with single spaces inside. The abbreviation in "Protocol No. 1" is left out, and
    so are escapes.
    """
    said = ESCAPED.sub("", html.unescape(text))
    plain = unicodedata.normalize("NFKC", said).translate(ONE_SPELLING).casefold()
    lines = unicodedata.normalize("NFKC", plain).splitlines()
    plain = "\n".join(" ".join(line.split()) for line in lines)
    for short, long in WRITTEN_OUT.items():
        plain = plain.replace(short, long)
    return COMPARED.sub("", ABBREVIATED_NUMBER.sub("", plain))


class LabelNames:
    """The names of a label set, as a pattern to search for in normalised text.

    Spaces, hyphens and underscores inside a name are interchangeable. Names with numbers that no
    label has ("Article 3 of Protocol 4") are also found: they name no label, not even the label
    inside them. A number that is a label is no part of a decimal, a percentage or a number below
    zero. If all labels begin with the same word and differ in the rest, the rest may be enumerated
    after the word, its plural or its abbreviation: "Articles 3 and 8", "Arts. 3, 8".
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = {_key(normalise(label)): label for label in labels}
        _check(self._labels, labels=labels)
        self._head = _shared_head(list(self._labels))
        keys = {key.removeprefix(head) for key in self._labels for head in ("", self._head)}
        self._shapes = [NUMBER.sub("0", key) for key in keys]
        names = [key.removeprefix(self._head) for key in self._labels]
        names.sort(key=lambda name: (-len(name), name))
        # Without labels, the pattern matches nothing.
        any_name = "|".join(dict.fromkeys(map(_shape, names))) or "(?!)"
        scale = SCALE if sum(key.isdecimal() for key in self._labels) > 2 else ""
        end = NOT_BEFORE_WORD + (PARAGRAPHS if self._head else "") + scale
        self._name = re.compile(f"{NOT_INSIDE_WORD}({any_name}){end}")
        self.pattern = name = f"{NOT_INSIDE_WORD}(?:{any_name}){end}"
        if self._head:
            word = self._head.rstrip()
            short = re.escape(word[:3]) + r"s?\.\s*"
            head = f"{NOT_INSIDE_WORD}(?:{re.escape(word)}(?:e?s)?\\s+|{short})"
            self.pattern = f"{head}{name}(?:{NEXT_IN_LIST}{name})*"

        self._says_not = any(key.startswith("not ") for key in self._labels)
        self._words = {word for key in self._labels for word in key.split(" ")}
        self._less = re.compile(rf"\bless ({self.pattern}) than ({self.pattern})")

    def named(self, found: str) -> list[str]:
        """Return the labels named in `found`, a match of `pattern`."""
        keys = [self._head + _key(name[1]) for name in self._name.finditer(found)]
        return [self._labels[key] for key in keys if key in self._labels]

    def comparable(self, text: str) -> str:
        """Return normalised text that says "not" where labels do, and no "less A than B"."""
        if self._says_not:
            text = NON.sub("not ", text)
        return self._less.sub(r"\2 rather than \1", text)

    def opposites(self) -> dict[str, str]:
        """Return pairs of labels of which one is "not" or "non" the other, in both directions."""
        pairs = [
            (label, self._labels[rest])
            for key, label in self._labels.items()
            for rest in [key.removeprefix("not ").removeprefix("non ")]
            if rest != key and rest in self._labels
        ]
        return dict([*pairs, *((other, label) for label, other in pairs)])

    def hidden(self, text: str) -> str:
        """Return normalised text with each name replaced by a placeholder."""
        return re.sub(self.pattern, "§", text)

    def corrected(self, text: str) -> str:
        """Return normalised text in which words that are nearly a single word of names are it.

        They have its consonants, as others are often another word: "neural" is not "neutral".
        """
        long = [word for word in self._words if word.isalpha() and len(word) >= LONG]

        @cache
        def right(word: str) -> str:
            if word in self._words:
                return word
            alike = (one for one in long if _consonants(one) == _consonants(word))
            near = [one for one in alike if SequenceMatcher(None, one, word).ratio() > NEAR]
            return near[0] if len(near) == 1 else word

        return WORD.sub(lambda word: right(word[0]), text)

    def without_begun(self, text: str) -> str:
        """Return normalised text without a name at its end that may be incomplete.

        This includes any beginning of a name, and whole names with any numbers.
        """
        for word in WORD.finditer(text):
            rest = NUMBER.sub("0", WORD_GAP.sub(" ", text[word.start() :]))
            if any(shape.startswith(rest) for shape in self._shapes):
                return text[: word.start()]
        return text


def _consonants(word: str) -> str:
    """Return the first letter and the consonants of a word, doubled ones once, in any number."""
    return word[:1] + REPEATED.sub(r"\1", VOWELS.sub("", word[1:].removesuffix("s")))


class Letters:
    """Distinguishes the letters that are `labels` from words of one letter."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._folded = {label.casefold() for label in labels if LONE.fullmatch(label)}

    def without_words(self, answer: str) -> str:
        """Return an answer without the single letters that name no label."""
        return LONE.sub(lambda found: found[0] if self._names(found) else "it", answer)

    def _names(self, found: re.Match[str]) -> bool:
        letter, text = found[1], found.string
        # Other letters are rarely words.
        if letter.casefold() not in self._folded.intersection("ai"):
            return True
        before = text[max(0, found.start() - BEFORE) : found.start()]
        introduced = letter.isupper() and INTRODUCED.search(before) is not None
        return introduced or not GOES_ON.match(text, found.end())


def _key(text: str) -> str:
    return WORD_GAP.sub(" ", text.strip())


def _shape(name: str) -> str:
    """Return the pattern of a name with any numbers."""
    words = [NUMBER.sub(r"[0-9]+", re.escape(word)) for word in name.split(" ")]
    shape = r"(?:\s+|[-_]+)".join(words)
    if name.isdecimal():
        return rf"(?<![0-9][.,])(?<!-){shape}(?![.,][0-9]|\s?%)"
    return DETERMINER if name == "no" else shape


def _shared_head(keys: Sequence[str]) -> str:
    """Return the first word of all keys with the space after it, or nothing."""
    heads = {key.partition(" ")[:2] for key in keys}
    (word, gap), *others = heads or {("", "")}
    return word + gap if gap and len(keys) > 1 and not others else ""


def _check(keys: dict[str, str], *, labels: Sequence[str]) -> None:
    clashing = [label for label in labels if keys[_key(normalise(label))] != label]
    blank = [label for label in labels if not label.strip()]
    if clashing or blank:
        raise InputError(
            where="label_names in the datasets sheet",
            found=f"the label '{(clashing + blank)[0]}'",
            expected="names that differ in more than case, spaces, hyphens and underscores, "
            "and are not blank",
            fix="Rename the label.",
        )
