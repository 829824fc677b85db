"""Parse answers in words: they name labels, or say that none applies, refuse, or are unclear."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ..model import ParsedAnswer, Status
from .label_matching import LabelNames, normalise
from .letters import Letters
from .negation import Mention, MentionFinder
from .thoughts import said_in

FURTHER_EXAMPLE = re.compile(
    r"\n(?:text|question|review|input|document|example|user|human)(?: #?[0-9]+)?:"
)
"""The beginning of another example, which some models write after their answer."""
PARAGRAPH_END = re.compile(r"\n\n(?!(?:[-*•]|[0-9]+[.)])\s)")
"""An empty line, unless an item of a list follows."""
_ANSWER = r"(?:answer|label|output|class(?:ification)?|category|prediction|rating|sentiment)"
CONCLUSION = (
    r"(?:\b(?:final \w+|conclusion|verdict|overall(?: \w+)?|in (?:sum|summary|short)|all in all"
    rf"|the (?:\w+ )?{_ANSWER}(?= is\b)|correct {_ANSWER}|most likely(?: {_ANSWER})?"
    r"|primarily(?: \w+){0,2}"
    r"|(?:no\W+)?(?:wait|actually)(?:\W+no)?|scratch that|correction|i meant?"
    r"|on second thoughts?)\b(?: is)?"
    rf"|\\boxed(?:\W*text)?|(?:^|\n)[^\w\n]*{_ANSWER}(?=[^\w\n]*[:=]))[\W_]*"
)
"""What introduces the label that an answer ends with, or takes back an earlier one."""
_REASON = r"\w*(?:reason|think|thought|rationale|analysis|expla|justif|comment|evidence)\w*"
ASIDE = re.compile(
    rf"~~.+?~~|\"{_REASON}\"\s*:\s*\"(?:[^\"\\]|\\.)*(?:\"|\Z)"
    rf"|^[^\w\n\"]*{_REASON}[^\w\n]*:(?s:.*?)(?=^[^\w\n]*\w+[^\w\n]*:|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
"""What an answer strikes out, and its reasons: in an object of JSON, or before another heading."""
QUOTED = re.compile(r"^>.*$", re.MULTILINE)
SHORT = 5
"""Words of an answer that does not explain what it quotes."""
ANSWER = re.compile(r"(?:^|\n)[^\w\n]*answer\W*[:=\n–—-](?=\W*\w)")
ALTERNATIVE = re.compile(r"(?:\b(?:and|or|vs|versus)\b|[/|,])[\W_]*$")
GLOSS = re.compile(r"(?<=\w) \([^()\n]*\)")
SPANS = re.compile(r"\([^()]*\)|\"(?:[^\s\"]+\s+){2,}[^\s\"]+\"")
"""What an answer puts in parentheses, or quotes at some length."""
UNABLE = re.compile(
    r"\b(?:i|we) (?:can|could|will)(?: \w+)? not\b"
    r"(?! (?:find|see|detect|identify any|agree more|say enough|recommend it (?:more|enough)))"
    r"|\b(?:i|we) do not know\b(?=\W*(?:$|[.,;!\n]))"
    r"|\b(?:unable|not able|impossible|not possible) to\b(?! (?:find|see|detect|identify any))"
    r"|\b(?:i|we) (?:do|am|are|would) not (?:feel )?(?:comfortable|willing)\b"
    r"|\bcan not be (?:said|told|determined|answered|identified|classified)\b"
    r"|\b(?:not (?:have )?(?:enough|sufficient)|insufficient) (?:information|context|details?)\b"
)
"""A refusal, even if labels are named after it."""
EXCUSE = re.compile(
    r"\bas an? (?:ai|artificial|large language|language model)\b|\bi(?:'m| am) sorry\b"
    r"|\bi apologi[sz]e\b|\bi (?:must|have to) decline\b"
)
"""A refusal if no label is affirmed."""
OPEN = re.compile(rf"{UNABLE.pattern}|\b(?:unknown|undetermined|unclear|not (?:known|clear))\b")
"""A label that says that the answer is open."""
NON = re.compile(r"\bnon[- ](?=\w)")
NOTHING = (
    r"\b(?:none|neither|not applicable|n/a)\b"
    r"|\bno (?:\w+ ){0,2}(?:violations?|breach(?:es)?|articles?|labels?)\b"
    r"|\bnot (?:\w+ ){0,3}(?:any|either)\b|\[\]"
)


class AnswerParser:
    """Parses answers about the labels `labels`; `none` is the answer if no label applies.

    Thoughts are ignored, and so is everything from another example on, which the model has made up.
    If a conclusion is introduced ("Final answer:"), only what follows the last introduction counts.
    Reasons, and quotations before a short answer, only count if there is nothing else. The first
    paragraph that affirms a label, declines, or says that nothing applies decides. A label counts
    if it is affirmed (see `MentionFinder`). If one label is asked for, the first sentence that
    affirms any must affirm exactly one, neither a list ("positive or negative") nor parentheses
    nor quotations count if there is another mention, and if one label is "not" another, denying
    one affirms the other. Nor do questions. A refusal counts if
    it comes before all affirmed labels; if one label says that the answer is open, the refusal
    means that label. At the end of a cut answer, anything that may be the beginning of a label's
    name is ignored, even a whole name: "Article 1" may be
    the beginning of Article 10.
    """

    def __init__(self, labels: Sequence[str], *, multi_label: bool, none: str) -> None:
        self._names = LabelNames(labels)
        self._mentions = MentionFinder(self._names)
        self._letters = Letters(labels)
        self._opposites = {} if multi_label else self._names.opposites()
        open_ones = tuple(label for label in labels if OPEN.search(normalise(label)))
        self._open = open_ones if len(open_ones) == 1 and not multi_label else None
        self._multi_label = multi_label
        word = re.escape(normalise(none).strip())
        self._only_none = re.compile(rf"(?:\W*answer:)?\W*{word}[*\"']*\s*(?:[-.,;:!(\n]|$)")
        self._conclusion = re.compile(CONCLUSION + f"(?={self._names.pattern})")
        self._nothing = re.compile(rf"(?<!\w){word}(?!\w)|{NOTHING}")

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of `answer`, which is `cut` if it used up its tokens."""
        answer = said_in(answer)
        text = normalise(self._letters.without_words(_without_asides(answer)))
        if self._opposites:
            text = NON.sub("not ", text)
        if cut and not answer.endswith("\n"):
            # A space may end a name, or be inside a longer one.
            space = " " if answer[-1:].isspace() else ""
            text = self._names.without_begun(text + space)
        further = FURTHER_EXAMPLE.search(text)
        text = text[: further.start() if further else None]
        ends = [found.end() for mark in (ANSWER, self._conclusion) for found in mark.finditer(text)]
        start = max(ends, default=0)
        status, outcome = self._meaning(text[start:], cut=cut)
        return ParsedAnswer(status, outcome, answer)

    def _meaning(self, text: str, *, cut: bool) -> tuple[Status, tuple[str, ...] | None]:
        denied = False
        paragraphs = PARAGRAPH_END.split(text if self._multi_label else self._without_glosses(text))
        named = [self._mentions.find(paragraph) for paragraph in paragraphs]
        asides = [mention.aside for found in named for mention in found]
        if cut and asides and all(asides):
            return Status.UNPARSED, None
        for paragraph, found in zip(paragraphs, named, strict=True):
            counted = [mention for mention in found if all(asides) or not mention.aside]
            if not self._multi_label:
                counted = _without_alternatives(_outside_spans(counted, paragraph), paragraph)
            mentions = [self._turned(mention) for mention in counted]
            affirmed = [mention for mention in mentions if not mention.denied]
            if self._refuses(paragraph, affirmed):
                is_open = self._open and not EXCUSE.search(paragraph)
                return (Status.OK, self._open) if is_open else (Status.REFUSED, None)
            if self._only_none.match(paragraph):
                return Status.NONE, None
            if affirmed and self._open == (affirmed[0].label,):
                # "It cannot be told whether" may be followed by all other labels.
                return Status.OK, self._open
            if affirmed:
                return self._outcome(affirmed)
            if not mentions and self._nothing.search(paragraph):
                return Status.NONE, None
            denied = denied or bool(mentions)
        return Status.NONE if denied else Status.UNPARSED, None

    def _without_glosses(self, text: str) -> str:
        """Return a text without the parentheses that name no label."""
        return GLOSS.sub(
            lambda gloss: gloss[0] if self._names.hidden(gloss[0]) != gloss[0] else "", text
        )

    def _turned(self, mention: Mention) -> Mention:
        """Return a mention, which affirms the opposite if it denied a label that has one."""
        other = self._opposites.get(mention.label) if mention.denied else None
        return replace(mention, label=other, denied=False) if other else mention

    def _refuses(self, paragraph: str, affirmed: Sequence[Mention]) -> bool:
        if affirmed:
            return UNABLE.search(self._names.hidden(paragraph[: affirmed[0].start])) is not None
        said = self._names.hidden(paragraph)
        return bool(UNABLE.search(said) or EXCUSE.search(said))

    def _outcome(self, affirmed: Sequence[Mention]) -> tuple[Status, tuple[str, ...] | None]:
        if not self._multi_label:
            affirmed = [mention for mention in affirmed if mention.sentence == affirmed[0].sentence]
        labels = sorted({mention.label for mention in affirmed})
        if len(labels) > 1 and not self._multi_label:
            return Status.UNPARSED, None
        return Status.OK, tuple(labels)


def _outside_spans(mentions: list[Mention], text: str) -> list[Mention]:
    """Return mentions without those in parentheses and quotations, if there are others."""
    spans = [span.span() for span in SPANS.finditer(text)]
    outside = [each for each in mentions if not any(a <= each.start < b for a, b in spans)]
    return outside or mentions


def _without_alternatives(mentions: list[Mention], text: str) -> list[Mention]:
    """Return mentions without those that list what is asked for, if there are others."""
    listed: set[int] = set()
    run: set[int] = set()
    for number, (one, other) in enumerate(pairwise(mentions)):
        between = ALTERNATIVE.search(text[one.start : other.start])
        if between and one.label != other.label and one.sentence == other.sentence:
            run |= {number, number + 1}
            listed |= set() if between[0].startswith(",") else run
        else:
            run = set()
    return [each for number, each in enumerate(mentions) if number not in listed] or mentions


def _without_asides(answer: str) -> str:
    rest = ASIDE.sub("", answer)
    unquoted = QUOTED.sub("", rest)
    rest = unquoted if 0 < len(re.findall(r"\w+", unquoted)) <= SHORT else rest
    return rest if re.search(r"\w", rest) else answer


class PartReader:
    """Parses the part of an answer that is the value of a JSON key, or the group of a pattern.

    `form` has one item: `json` with the key, or `pattern` with a group `label`. An answer without
    that part is unparsed.
    """

    def __init__(self, parser: AnswerParser, *, form: Mapping[str, str]) -> None:
        self._parser, self._key = parser, form.get("json")
        self._pattern = re.compile(form.get("pattern", ""))

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of a part of `answer`, which is `cut` if it used up its tokens."""
        said = said_in(answer)
        if self._key is None:
            found = self._pattern.search(said)
            part, end = (found["label"], found.end()) if found else (None, 0)
        else:
            part, end = _value(said, self._key)
        if part is None:
            return ParsedAnswer(Status.UNPARSED, None, said)
        cut = cut and end == len(said)
        return self._parser.read(part, cut=cut)._replace(answer=said)


def _value(text: str, key: str) -> tuple[str | None, int]:
    """Return the value of a key of the first JSON object in a text that has it, and its end."""
    for start in re.finditer("{", text):
        try:
            found, end = json.JSONDecoder().raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        if key in found:
            value = found[key]
            parts = value if isinstance(value, list) else [value]
            said = [each if isinstance(each, str) else json.dumps(each) for each in parts]
            return ", ".join(said), end - 1
    return None, 0


class FreeTextParser:
    """Parses answers to prompts without labels, which are rated later.

    They are given, refused in the first paragraph, or empty.
    """

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of `answer`: its words count, and the outcome has no label."""
        answer = said_in(answer)
        first = PARAGRAPH_END.split(normalise(answer).strip())[0]
        if not first:
            return ParsedAnswer(Status.UNPARSED, None, answer)
        if EXCUSE.search(first) or UNABLE.search(first):
            return ParsedAnswer(Status.REFUSED, None, answer)
        return ParsedAnswer(Status.OK, (), answer)
