"""Find the labels that an answer affirms, and those that it denies."""

import re
from dataclasses import dataclass
from itertools import dropwhile, takewhile, zip_longest

from .label_matching import LabelNames

TOKENS = {
    "negation": (
        # The head of a list of denied labels: "Not violated: Article 3".
        r"(?:^|(?<=[.;] ))not? \w+(?: of)?:|\bwrong to\b"
        r"|\b(?:not(?! (?:only|just|merely)\b)|no violation|no(?! (?:doubt|question)\b)|neither|nor"
        r"|none|never|nothing|nobody|(?<=: )false|hardly|scarcely|barely|far from|free (?:of|from)"
        r"|over|(?:devoid|opposite|absence|instead) of|lack(?:s|ing)?|anything but|non-violation"
        r"|nicht|(?:rather )?than|without(?! (?:a )?(?:doubt|question)\b)|keine?|ne|pas|nunca|non"
        r"|niet|geen|não|nie|не)\b|[^\W\d_a-z]*(?:不是|不属于|不屬於|并非|並非|没有|沒有)"
        # A probability below a half.
        r"|(?<![0-9.])[0-4]?[0-9](?:\.[0-9]+)? ?% (?:chance|probability|likelihood)\b"
        r"|\b(?:chance|probability|likelihood|confidence)\b(?= (?:that|of|for)\b[^.!?\n0-9%]{0,60}"
        r"(?:0?\.[0-4]|[0-4]?[0-9](?:\.[0-9]+)? ?(?:%|/ ?100\b)))"
        # A box that is not ticked.
        r"|(?<!\S)(?:\[ ?\]|\( ?\)|[☐⬜✗✘❌]\ufe0f?)(?= [^|])"
    ),
    # Of the labels before it.
    "rejection": (
        r"\b(?:in(?:correct|valid|applicable|accurate|admissible)|wrong|untrue|unlikely"
        r"|ruled out)\b|[✗✘❌]\ufe0f?(?=$| \|)|ではな|ではありません|じゃな|아니|아닙"
    ),
    "sentence": r"[.!?](?=[\"')\]*]*(?:\s|$))|\n",
    "relative": r"\b(?:that|which|who|as|when|where)\b",
    "clause": (
        # The text of an option is after its letter.
        r";|(?<!\(\w)(?<=\b\w)\)|\[x\]|[☑✓✔✅]|\b(?:but|however|rather|instead|while|whereas|therefore"
        r"|thus|hence|except|besides|other than|apart from)\b"
    ),
    "subordinate": r"\b(?:because|since|(?:al)?though|whether|if(?! i (?:must|ha))|allege[ds]?)\b",
    "mark": r"[:–—]|(?<=\s)-(?=\s)",
    "joint": r"(?:,\s*)?(?:\b(?:and|or)\b(?: (?:from|of)\b)?|[&/])",
    "comma": ",",
    "auxiliary": (
        r"\b(?:be|been|being|is|are|was|were|has|have|had|does|do|did|can|could|may|might|will|would|should)\b"
    ),
    "word": r"[^\W_]+",
}
"""The kinds of tokens and their patterns. Names of labels are matched before all of them."""
ASPECTS = re.compile(r"(?<!\d) \w+s\b[^\w\n]*:")
"""What makes a label the kind of aspects that are listed: "Positive aspects:"."""
OF_WHAT_STANDS_BEFORE = {"not", "no", "no violation", "none", "never", "false"}
COMPARING = {"than", "over"}
DENIED = {"label", "negation", "word", "auxiliary", "relative"}
"""The kinds of what follows a negation that denies it."""
CONCORD = {"nor", "ne", "pas", "non", "nunca", "nie", "не", "keine", "kein"}
"""Negations that do not undo one before them."""


@dataclass
class Mention:
    """A label named from `start` to `end` of a text: an `aside` in a question, reason or claim."""

    label: str
    start: int
    end: int
    sentence: int
    denied: bool
    aside: bool = False


class MentionFinder:
    """Finds the labels that a text names, and whether it denies them.

    A negation denies the labels after it in its clause, which ends with the sentence, at a colon or
    dash, at words such as "but", and at a comma or "and" that is not followed by a label; directly
    after "not A", at any comma, unless "or" follows ("not A, B or C"). A negation about the labels
    before it denies these: "A was not violated", "A: no". "No," by itself denies nothing, and a
    second negation before the same label undoes the first.
    """

    def __init__(self, names: LabelNames) -> None:
        self._names = names
        kinds = {"label": names.pattern, **TOKENS}
        groups = [f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()]
        self._token = re.compile("|".join(groups), re.MULTILINE)

    def find(self, text: str) -> list[Mention]:
        """Return the mentions in normalised text, from left to right."""
        scan = _Scan(self._names)
        tokens = list(self._token.finditer(text))
        for token, after in zip_longest(tokens, tokens[1:]):
            scan.take(token, following=after and after.lastgroup)
        return scan.mentions


class _Scan:
    """The state of a scan between two tokens of a text."""

    def __init__(self, names: LabelNames) -> None:
        self._names = names
        self.mentions: list[Mention] = []
        self._sentence = 0
        self._denying = self._directly = False
        # Whether this is a subordinate clause, the first of its sentence, or the first word of one.
        self._explaining, self._is_first, self._is_new = False, False, True
        # The mentions that the next words may refer to, the kinds of tokens since the last mention,
        # and whether a negation here would refer to them.
        self._subject: list[Mention] = []
        self._since: set[str | None] = set()
        self._predicate = False

    def take(self, token: re.Match[str], *, following: str | None) -> None:
        kind, text = token.lastgroup, token[0]
        is_again = kind in self._since
        self._since.add(kind)
        if kind == "comma" and self._is_first:
            self._explaining = False
        match kind:
            case "label":
                self._mention(token)
            case "negation":
                self._negate(text, following=following, is_again=is_again)
            case "rejection" if self._predicate:
                self._end_clause(denies=True)
            case "sentence":
                self._end_sentence(text)
            case "clause" | "subordinate":
                self._explaining = kind == "subordinate"
                self._is_first = self._is_first if kind == "clause" else self._is_new
                self._end_clause()
            case "relative":
                self._subject = []
            case "mark":
                self._mark(following)
            case "comma" | "joint":
                self._enumerate(kind, text, following=following)
            case "auxiliary":
                self._predicate = True
            case "word":
                self._predicate = self._predicate and text.endswith("ly")
        self._is_new = kind in {"sentence", "clause"}

    def _mention(self, token: re.Match[str]) -> None:
        for label in self._names.named(token[0]):
            aside = self._explaining or ASPECTS.match(token.string, token.end()) is not None
            mention = Mention(label, *token.span(), self._sentence, self._denying, aside)
            self.mentions.append(mention)
            self._subject.append(mention)
        self._since, self._predicate = set(), True
        self._denying = self._denying or token[0] == "neither"

    def _negate(self, text: str, *, following: str | None, is_again: bool) -> None:
        said_of_subject = self._predicate and text in OF_WHAT_STANDS_BEFORE
        other = {"label", "word"} if text == "no" else {"label"}
        if self._subject and said_of_subject and following not in other:
            self._end_clause(denies=True)
        else:
            what = {"label"} if text in COMPARING else DENIED
            # "No not A" says the same thing twice.
            what = what - {"negation"} if text == "no" else what
            undoes = self._denying and is_again and text not in CONCORD
            self._denying = following in what and not undoes
            self._directly = self._denying and text == "not" and following == "label"

    def _mark(self, following: str | None) -> None:
        self._denying, self._directly, self._predicate = False, False, True
        if following not in {"negation", "rejection", "auxiliary"}:
            self._subject = []

    def _enumerate(self, kind: str, text: str, *, following: str | None) -> None:
        says_or = "or" in text.split()
        if following != "label" and not says_or:
            self._end_clause()
        elif following == "label" and says_or and self._directly:
            self._denying, self._directly = True, False
            for mention in dropwhile(lambda each: not each.denied, self._subject):
                mention.denied = True
        elif kind == "comma":
            is_listed = bool(self._subject) and self._subject[-1].denied
            self._denying = self._denying and is_listed and not self._directly
        if self._since & ({"auxiliary"} if kind == "joint" else {"auxiliary", "word"}):
            self._subject = []

    def _end_sentence(self, mark: str) -> None:
        asked = reversed(self.mentions) if mark == "?" else ()
        for mention in takewhile(lambda each: each.sentence == self._sentence, asked):
            mention.aside = True
        self._sentence += 1
        self._explaining = self._is_first = False
        self._end_clause()

    def _end_clause(self, *, denies: bool = False) -> None:
        for mention in self._subject:
            mention.denied |= denies
        self._denying = self._directly = self._predicate = False
        self._subject = []
