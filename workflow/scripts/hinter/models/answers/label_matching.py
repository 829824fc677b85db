"""Find the labels named in an answer: as whole words, longest first, and in enumerations."""

import html
import re
import unicodedata
from collections.abc import Sequence

from ...errors import InputError
from .word_forms import WordForms

NOT_INSIDE_WORD = r"(?<![^\W_])(?<![^\W_]-)"
NOT_BEFORE_WORD = r"(?!-?(?!stars?\b)[^\W_])"
WORD_GAP = re.compile(r"\s+|(?<=[^\W_])[-_]+(?=[^\W_])")
WORD = re.compile(NOT_INSIDE_WORD + r"[^\W_]+")
NUMBER = re.compile("[0-9]+")
_ENDS = (
    r"(?! (?:(?!(?:is|was|as|and|or|nor|but|because|since|for|if|it|over|rather|than|would|not"
    r"|to(?= [0-9]))\b)[a-z]|(?:or|and|to) [0-9]+ [a-z]))"
)
"""May not follow a label that may belong to a word after it: "no doubt", "a man", "3 laughs"."""
DETERMINER = rf"(?:(?:^|(?<=[.!?:*] ))no(?! (?:idea|clue|comment|opinion)\b)|no{_ENDS})"
ARTICLE = r"(?:(?:(?<=option )|(?<=answer )|(?<=answer: )|(?<=choice )|(?<=class )){0}|{0}(?!'){1})"
NEXT_IN_LIST = r" ?(?:,? ?\b(?:and/or|and|or|nor)\b|[,;/&]) ?"
PARAGRAPHS = r"(?: ?§§ ?[0-9]+(?: ?(?:,|and|or|to|-|–) ?[0-9]+)*| ?§ ?[0-9]+| ?\([0-9a-z]+\))*"
SCALE = r"(?: ?(?:/|out of) ?[0-9]+)?(?:[ -](?:star|point)s?)?(?: ?(?:/|out of) ?[0-9]+)?"
"""May follow a number without being that of another label: Article 6 § 1, 4 out of 5."""
ABBREVIATED_NUMBER = re.compile(r"\bno\.\s?(?=\d)")
ONE_SPELLING = str.maketrans(
    dict(zip("‘’ʼ“”‐−≤≥", [*"'''\"\"--", "<=", ">="], strict=True))
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)
ESCAPED = re.compile(r"\\(?=_|[^\w\s\\])")
COMPARED = re.compile(r"(?<=[<>=])\s+(?=\d)")
NON = re.compile(r"\bnon[- ](?=\w)")
WRITTEN_OUT = {"cannot": "can not", "can't": "can not", "won't": "will not", "n't": " not"}


def normalise(text: str) -> str:
    """Return `text` in lower case, with single spaces and one spelling of signs and "not"."""
    said = ESCAPED.sub("", html.unescape(text))
    plain = unicodedata.normalize("NFKC", said).translate(ONE_SPELLING).casefold()
    lines = unicodedata.normalize("NFKC", plain).splitlines()
    plain = "\n".join(" ".join(line.split()) for line in lines)
    for short, long in WRITTEN_OUT.items():
        plain = plain.replace(short, long)
    return COMPARED.sub("", ABBREVIATED_NUMBER.sub("", plain))


class LabelNames:
    """The names of a label set, as a `pattern` to search for in normalised text.

    Spaces, hyphens and underscores inside a name are interchangeable. Names with numbers that no
    label has ("Article 3 of Protocol 4") are also found, but name none, not even the one inside. A
    number that is a label is no part of a decimal, a percentage or a number below zero. If all
    labels begin with the same word, the rest may be listed after it: "Articles 3 and 8".
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
        scale = SCALE + _ENDS if all(key.isdecimal() for key in self._labels) else ""
        end = NOT_BEFORE_WORD + (PARAGRAPHS if self._head else "") + scale
        self._name = re.compile(f"{NOT_INSIDE_WORD}({any_name}){end}")
        self.pattern = name = f"{NOT_INSIDE_WORD}(?:{any_name}){end}"
        if self._head:
            word = self._head.rstrip()
            short = re.escape(word[:3]) + r"s?\.\s*"
            head = f"{NOT_INSIDE_WORD}(?:{re.escape(word)}(?:e?s)?\\s+|{short})"
            self.pattern = f"{head}{name}(?:{NEXT_IN_LIST}{name})*"
        self.found = re.compile(self.pattern)
        short, *others = sorted(self._labels, key=len) or [""]
        self.are_opposites = others in ([f"not {short}"], [f"non {short}"])
        self._says_not = any(key.startswith("not ") for key in self._labels)
        self._forms = WordForms(list(self._labels), pattern=self.pattern)
        self._less = re.compile(rf"\bless ({self.pattern}) than ({self.pattern})")

    def named(self, found: str) -> list[str]:
        """Return the labels named in `found`, a match of `pattern`."""
        keys = [self._head + _key(name[1]) for name in self._name.finditer(found)]
        return [self._labels[key] for key in keys if key in self._labels]

    def comparable(self, text: str) -> str:
        """Return normalised text that says "not" where labels do, and no "less A than B"."""
        text = NON.sub("not " if self._says_not else "non-", text)
        return self._less.sub(r"\2 rather than \1", text)

    def in_forms(self, text: str) -> str:
        """Return normalised text with forms of words replaced by the words of names."""
        return self.comparable(self._forms.replaced(text))

    def is_name(self, text: str) -> bool:
        """Return whether a text is a name, and nothing else."""
        return self.found.fullmatch(normalise(text).strip()) is not None

    def without_begun(self, text: str) -> str:
        """Return normalised text without a name at its end, or the beginning of one."""
        for word in WORD.finditer(text):
            rest = NUMBER.sub("0", WORD_GAP.sub(" ", text[word.start() :]))
            if any(shape.startswith(rest) for shape in self._shapes):
                return text[: word.start()]
        return text


def _key(text: str) -> str:
    return WORD_GAP.sub(" ", text.strip())


def _shape(name: str) -> str:
    """Return the pattern of a name with any numbers."""
    words = [NUMBER.sub(r"[0-9]+", re.escape(word)) for word in name.split(" ")]
    shape = r"(?:\s+|[-_]+)".join(words)
    if len(name) == 1:
        # The end of a word: "I'd".
        shape = rf"(?<![^\W_]'){shape}"
    if name[:1].isdecimal():
        shape = rf"(?<![0-9][.,])(?<![0-9]/)(?<!out of )(?<!-){shape}"
    if name.isdecimal():
        return rf"{shape}(?![.,][0-9]|\s?%)"
    if name in {"a", "i"}:
        return ARTICLE.format(name, _ENDS)
    return DETERMINER if name == "no" else shape


def _shared_head(keys: Sequence[str]) -> str:
    """Return the first word of all keys with the space after it, or nothing."""
    heads = {"".join(key.partition(" ")[:2]) for key in keys}
    return heads.pop() if len(keys) > 1 and len(heads) == 1 and " " in keys[0] else ""


def _check(keys: dict[str, str], *, labels: Sequence[str]) -> None:
    unclear = [one for one in labels if keys[_key(normalise(one))] != one or not one.strip()]
    if unclear:
        raise InputError(
            where="label_names in the datasets sheet",
            found=f"the label '{unclear[0]}'",
            expected="names that differ in more than case and punctuation, and are not blank",
            fix="Rename the label.",
        )
