"""Parse answers in words: they name labels, or say that none applies, refuse, or are unclear."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ..model import ParsedAnswer, Status
from .conclusions import TEXT, Conclusions, mark_asides, scores_in, without_spoken
from .label_matching import LabelNames, normalise
from .negation import Mention, MentionFinder
from .objects import in_words
from .thoughts import said_in

EXAMPLE = re.compile(
    r"\n(?:sentence|(?:text|question|review|input|document|example|user|human)(?: #?[0-9]+)?):"
)
ANSWER_END = re.compile(
    r"(?<=\w)\W*?(?:<[|｜][^<>|｜\n]{0,30}(?:end|eo[st])[^<>|｜\n]{0,30}[|｜]>|<(?:/s|eos|end_of_turn)>)"
)
"""The beginning of another example, and the end of an answer, which some models do not stop at."""
PARAGRAPH_END = re.compile(r"\n\n(?!(?:[-*•]|[0-9]+[.)])\s)")
"""An empty line, unless an item of a list follows."""
LAST_WORD = re.compile(r"\w+\Z")
STRUCK = re.compile(
    r"~~.+?~~|```(?!json)\w+\n(?:(?!```).)*?\b(?:if|def|import|return)\b.*?(?:```|\Z)", re.DOTALL
)
"""What is no part of an answer: words that are struck out, and a program."""
LEAST, WHOLE, AROUND = 0.5, {1, 100}, 40
"""The least score of one of several labels, sums of all scores, and characters before a label."""
UNABLE = re.compile(
    r"\b(?:i|we) (?:can|could|will)(?: \w+)? not\b"
    r"(?! (?:find|see|detect|identify any|agree more|say enough|recommend it (?:more|enough)))"
    r"|\b(?:i|we)(?: would|'d)? (?:rather|prefer) not\b"
    r"|\b(?:(?:i|we) do not know|no (?:idea|clue))\b(?=\W*(?:$|[.,;!\n]))"
    r"|\b(?:unable|not able|impossible|not possible) to\b(?! (?:find|see|detect|identify any))"
    r"|\b(?:(?:i|we) (?:do|am|are|would) not (?:feel )?(?:comfortable|willing)|can not be (?:said"
    r"|told|determined|answered|identified|classified)"
    r"|(?:not (?:have )?(?:enough|sufficient)|insufficient) (?:information|context|details?))\b"
)
"""A refusal, even if labels are named after it."""
NO_HELP = re.compile(
    r"\W*no\b[^.!?\n]*?\b(?:i|we) (?:can|could|will|would) not (?:\w+ )?"
    r"(?:help|assist|comply|answer)\b"
)
"""A refusal that begins with what may be a label."""
EXCUSE = re.compile(
    r"\bas an? (?:ai|artificial|large language|language model)\b|\bi (?:\w+ ){0,3}(?:declin|refus)e"
    r"\b|\b(?:i(?:'m| am) sorry|i apologi[sz]e|es tut mir leid|désolée?|lo siento|mi dispiace)\b"
    r"|抱歉|对不起|извините|申し訳|죄송"
)
"""A refusal if no label is affirmed."""
ASKS = re.compile(
    r"\b(?:please|(?:can|could) you) (?:\w+ )?(?:provide|share|paste|send|give)\b"
    rf"[^.!?\n]{{0,60}}?\b(?:{TEXT}|it|them)\b|\b(?:which|what) {TEXT}\b[^.!\n]{{0,99}}?\?"
)
"""A request for the text, as if it were to come."""
OPEN = re.compile(rf"{UNABLE.pattern}|\b(?:unknown|undetermined|unclear|not (?:known|clear))\b")
"""A label that says that the answer is open."""
NOT = re.compile(r"\b(?:not|far from|anything but|opposite of)(?: (?:an?|the|\w+ly))?\W{0,9}\Z")
END = re.compile(r"\W*?(?:[.!\n]|\Z)")
"""What is before and after a label that is plainly denied: if there are two, it is the other."""
REPLY = re.compile(
    r"[^\w.!?\n]*\?\W*"
    r"(?:(?P<no>no|nope|not|hardly|never)\b|(?P<yes>yes|yep|yeah|indeed|definitely)\b|\w)"
)
NOTHING = (
    r"\b(?:none|neither|not applicable|n/a|no (?:\w+ ){0,2}(?:violation|breach|article|label)e?s?"
    r"|not (?:\w+ ){0,3}(?:any|either|(?:an? )?(?:violation|breach)))\b|\[\]"
)
Meaning = tuple[Status, tuple[str, ...] | None]


class AnswerParser:
    """Parses answers about the labels `labels`; `none` is the answer if no label applies.

    Thoughts, further examples and prose in objects of JSON are ignored. Labels count that are
    affirmed (see `MentionFinder`), and forms of their words that are clearly the answer.

    If one label is asked for, those mentions decide that say most clearly that they are the answer
    (see `Conclusions`). They must agree. Lists, questions, reasons, quotations and parentheses only
    count if there is nothing else. Denying one of two labels plainly affirms the other, and so does
    any denial if one is "not" the other. If each label has a score, the highest decides.

    If several are asked for, the first paragraph decides that affirms a label, declines, or says
    that nothing applies. Scores up to 1 affirm from `LEAST` on; higher ones leave the answer open.

    A refusal counts unless a label is clear, and means the label that leaves the answer open, if
    one does. Requests for the text have no label. Of a cut answer, one label only counts if it is
    clear, and none at the end: "Article 1" may be the beginning of Article 10.
    """

    def __init__(self, labels: Sequence[str], *, multi_label: bool, none: str) -> None:
        self._names = LabelNames(labels)
        self._mentions = MentionFinder(self._names)
        self._conclusions = Conclusions(self._names.pattern)
        # A label may be in parentheses, and its score.
        self._gloss = re.compile(
            rf"(?<=\w) \((?![^()\n]*?{self._names.pattern})[^()\n]*[^\W0-9][^()\n]*\)"
        )
        is_pair = len(labels) == 2 and not multi_label
        self._other = dict(zip(labels, reversed(labels), strict=True)) if is_pair else {}
        open_ones = tuple(label for label in labels if OPEN.search(normalise(label)))
        self._open = open_ones if len(open_ones) == 1 and not multi_label else None
        self._multi_label, self._number = multi_label, len(labels)
        word = re.escape(normalise(none).strip())
        self._only_none = re.compile(rf"(?:\W*answer:)?\W*{word}[*\"']*\s*(?:[-.,;:!(\n]|$)")
        self._nothing = re.compile(rf"(?<!\w){word}(?!\w)|{NOTHING}")

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of `answer`, which is `cut` if it used up its tokens."""
        answer = said_in(answer)
        said = ANSWER_END.split(answer)[0]
        words = in_words(STRUCK.sub("", said), self._names.is_name)
        text = self._names.comparable(normalise(words))
        if cut and said == answer and not words.endswith("\n"):
            # A space may end a name, or be inside a longer one.
            space = " " if answer[-1:].isspace() else ""
            text = self._names.without_begun(text + space)
        text = self._without_examples(text)
        found = self._meaning(text, cut=cut)
        named = {mention.label for mention in self._mentions.find(text)}
        if self._multi_label or (found[0] is Status.UNPARSED and not named):
            found = self._in_forms(LAST_WORD.sub("", text) if cut else text, named) or found
        return ParsedAnswer(*found, answer)

    def _in_forms(self, text: str, named: set[str]) -> Meaning | None:
        """Return the meaning of a text in which forms of words are the words, if it is clear."""
        formed = self._names.in_forms(text)
        mentions = self._mentions.find(formed) if self._multi_label else []
        if formed == text or not self._conclusions.are_all(mentions, formed, named=named):
            return None
        found = self._meaning(formed, cut=True)
        return found if found[0] in {Status.OK, Status.NONE} else None

    def _without_examples(self, text: str) -> str:
        """Return a text up to another example, but for the question if it is repeated first."""
        first, second, *_ = [*(found.start() for found in EXAMPLE.finditer(text)), None, None]
        mentions = self._mentions.find(text[:first])
        mark_asides(mentions, text[:first])
        lists = mentions and all(mention.aside for mention in mentions)
        return text[: second if lists or text[:first].rstrip("*_ \n").endswith(":") else first]

    def _meaning(self, said: str, *, cut: bool) -> Meaning:
        rest = said[self._conclusions.start(said) :]
        parts = PARAGRAPH_END.split(rest) if self._multi_label else [said]
        denied: set[str] = set()
        for number, part in enumerate(parts):
            text = part if self._multi_label else self._gloss.sub("", part)
            mentions = _replied_to(self._mentions.find(text), text)
            scores = scores_in(mentions, text) if self._multi_label else []
            if max(scores, default=0) > 1:
                return Status.UNPARSED, None
            for mention, score in zip(mentions, scores, strict=False):
                mention.denied |= score < LEAST
            affirmed, clear = self._affirmed(mentions, text)
            is_cut = cut and affirmed and not (clear or (self._multi_label and not number))
            if ASKS.search(text) or is_cut:
                return Status.UNPARSED, None
            said = self._names.found.sub("§", text[: affirmed[0].start] if affirmed else text)
            labels = tuple(sorted({mention.label for mention in affirmed}))
            is_outcome = len(labels) == 1 or (self._multi_label and bool(labels))
            excused = EXCUSE.search(said)
            is_unable = (not clear and UNABLE.search(said)) or NO_HELP.match(text)
            if is_unable or (excused and not is_outcome):
                is_open = self._open and not excused
                return (Status.OK, self._open) if is_open else (Status.REFUSED, None)
            if self._only_none.match(text) or (not mentions and self._nothing.search(text)):
                return Status.NONE, None
            if labels:
                return (Status.OK, labels) if is_outcome else (Status.UNPARSED, None)
            denied |= {mention.label for mention in mentions}
        is_open = not denied or (self._number > len(denied) + 1 and not self._multi_label)
        return Status.UNPARSED if is_open else Status.NONE, None

    def _affirmed(self, mentions: list[Mention], text: str) -> tuple[list[Mention], bool]:
        """Return the mentions that decide, and whether they are clearly the answer."""
        if not self._multi_label:
            mark_asides(mentions, text)
            if best := self._highest(mentions, text):
                return best, True
        main = [mention for mention in mentions if not mention.aside]
        if not (self._multi_label or main):
            mentions = without_spoken(mentions, text)
        is_only = len({mention.label for mention in mentions}) == 1
        turned = [self._turned(mention, text, is_only=is_only) for mention in main or mentions]
        affirmed = [mention for mention in turned if not mention.denied]
        if self._multi_label:
            return affirmed, False
        clear = self._conclusions.clearest(affirmed, text) if main else []
        return clear or affirmed, bool(clear) or not re.search(
            r"\w", self._names.found.sub("", text)
        )

    def _highest(self, mentions: Sequence[Mention], text: str) -> list[Mention]:
        """Return the mention with the highest score, if a text gives one for each label in all."""
        scores = scores_in(mentions, text)
        are_all = len(mentions) == self._number or round(sum(scores), 3) in WHOLE
        best = max(scores, default=0)
        return [mentions[scores.index(best)]] if are_all and scores.count(best) == 1 else []

    def _turned(self, mention: Mention, text: str, *, is_only: bool) -> Mention:
        """Return a mention, or that of the other of two labels if it denies one of them."""
        plainly = REPLY.match(text, mention.end) or (
            NOT.search(text, max(0, mention.start - AROUND), mention.start)
            and END.match(text, mention.end)
        )
        turns = mention.denied and (self._names.are_opposites or (plainly and is_only))
        other = self._other.get(mention.label) if turns else None
        return replace(mention, label=other, denied=False) if other else mention


def _replied_to(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Return mentions without those in questions that are left open: "Spam? It may be."."""
    replies = [REPLY.match(text, mention.end) for mention in mentions]
    for mention, reply in zip(mentions, replies, strict=True):
        mention.denied |= bool(reply and reply["no"])
    pairs = zip(mentions, replies, strict=True)
    return [one for one, reply in pairs if not reply or reply["no"] or reply["yes"]]
