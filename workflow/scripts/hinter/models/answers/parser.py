"""Parse answers in words: they name labels, or say that none applies, refuse, or are unclear."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model import ParsedAnswer, Status
from .conclusions import Conclusions, mark_asides, scores_in
from .label_matching import LabelNames, Letters, normalise
from .negation import Mention, MentionFinder
from .thoughts import said_in

FURTHER_EXAMPLE = re.compile(
    r"\n(?:text|question|review|input|document|example|user|human)(?: #?[0-9]+)?:"
)
"""The beginning of another example, which some models write after their answer."""
ANSWER_END = re.compile(
    r"(?<=\w)\W*?(?:<[|｜][^<>|｜\n]{0,30}(?:end|eo[st])[^<>|｜\n]{0,30}[|｜]>|<(?:/s|eos|end_of_turn)>)"
)
"""The end of an answer, which some models do not stop at."""
PARAGRAPH_END = re.compile(r"\n\n(?!(?:[-*•]|[0-9]+[.)])\s)")
"""An empty line, unless an item of a list follows."""
STRUCK = re.compile(r"~~.+?~~")
ANSWER = re.compile(r"(?:^|\n)[^\w\n]*answer\W{0,9}[:=\n–—-](?=\W*\w)")
GLOSS = re.compile(r"(?<=\w) \((?:(?P<score>[0-9.]+ ?%?)|[^()\n]*)\)")
LEAST, WHOLE = 0.5, {1, 100}
"""The least score of a label if several are asked for, and sums of the scores of all labels."""
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
ASKED = (
    (
        re.compile(r"[.!?\n]"),
        re.compile(r"\b(?:please|(?:can|could) you) (?:\w+ )?(?:provide|share|paste|send|give)\b"),
        re.compile(
            r"\b(?:texts?|reviews?|comments?|messages?|posts?|tweets?|sentences?|articles?|it|them)\b"
        ),
    ),
    (
        re.compile(r"[.!\n]"),
        re.compile(
            r"\b(?:which|what) (?:text|review|comment|message|post|tweet|sentence|article)\b"
        ),
        re.compile(r"\?"),
    ),
)
"""Ends of sentences, and what begins and ends a request for the text, as if it were to come."""
OPEN = re.compile(rf"{UNABLE.pattern}|\b(?:unknown|undetermined|unclear|not (?:known|clear))\b")
"""A label that says that the answer is open."""
AROUND = 40
NOT = re.compile(
    r"\b(?:not|far from|anything but|opposite of)(?: (?:an?|the|really|clearly))?\W{0,9}\Z"
)
END = re.compile(r"\W*?(?:[.!\n]|\Z)")
"""What is before and after a label that is plainly denied: if there are two, it is the other."""
REPLY = re.compile(
    r"[^\w.!?\n]*\?\W*"
    r"(?:(?P<no>no|nope|not|hardly|never)\b|(?P<yes>yes|yep|yeah|indeed|definitely)\b|\w)"
)
"""What follows a label in a question that an answer replies to."""
NOTHING = (
    r"\b(?:none|neither|not applicable|n/a)\b"
    r"|\bno (?:\w+ ){0,2}(?:violations?|breach(?:es)?|articles?|labels?)\b"
    r"|\bnot (?:\w+ ){0,3}(?:any|either)\b|\[\]"
)


class AnswerParser:
    """Parses answers about the labels `labels`; `none` is the answer if no label applies.

    Thoughts are ignored, and so is everything from another example on, which the model has made up.
    If an answer is introduced ("Answer:"), only what follows the last introduction counts. A label
    counts if it is affirmed (see `MentionFinder`).

    If one label is asked for, the mentions decide that say most clearly that they are the answer:
    after the last words that introduce one ("Final answer:", "so it is"), at the beginning or as a
    sentence, in a sentence about the text or the choice, or else anywhere. They must agree. Lists
    ("positive or negative"), questions, reasons, quotations and parentheses only count if there is
    nothing else, and a label in a question with another reply than yes or no never does. If one
    label is "not" another, denying one affirms the other. If there is a score for each label, that
    with the highest counts. A misspelt label only counts where it is introduced or stands alone.

    If several are asked for, what follows the last introduction counts, and the first paragraph
    that affirms a label, declines, or says that nothing applies decides. Scores up to 1 affirm
    labels from `LEAST` on; higher ones leave the answer open.

    A refusal counts unless a label is clearly the answer; if one label says that the answer is
    open, the refusal means that label. An answer that asks for the text has no label. Of a cut
    answer, one label only counts if it is clearly the answer. At its end, anything that may be the
    beginning of a label's name is ignored, even a whole name: "Article 1" may be the beginning of
    Article 10.
    """

    def __init__(self, labels: Sequence[str], *, multi_label: bool, none: str) -> None:
        self._names = LabelNames(labels)
        self._mentions = MentionFinder(self._names)
        self._letters = Letters(labels)
        self._opposites = {} if multi_label else self._names.opposites()
        self._other = dict(zip(labels, reversed(labels), strict=True)) if len(labels) == 2 else {}
        open_ones = tuple(label for label in labels if OPEN.search(normalise(label)))
        self._open = open_ones if len(open_ones) == 1 and not multi_label else None
        self._multi_label = multi_label
        self._number = len(labels)
        word = re.escape(normalise(none).strip())
        self._only_none = re.compile(rf"(?:\W*answer:)?\W*{word}[*\"']*\s*(?:[-.,;:!(\n]|$)")
        self._conclusions = Conclusions(self._names.pattern)
        self._nothing = re.compile(rf"(?<!\w){word}(?!\w)|{NOTHING}")

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of `answer`, which is `cut` if it used up its tokens."""
        answer = said_in(answer)
        said = ANSWER_END.split(answer)[0]
        text = normalise(self._letters.without_words(STRUCK.sub("", said)))
        text = self._names.comparable(text)
        if cut and said == answer and not answer.endswith("\n"):
            # A space may end a name, or be inside a longer one.
            space = " " if answer[-1:].isspace() else ""
            text = self._names.without_begun(text + space)
        if self._names.hidden(text) == text:
            corrected = self._names.corrected(text)
            if self._conclusions.are_all(self._mentions.find(corrected), corrected):
                text = corrected
        text = self._without_examples(text)
        introduced = [found.end() for found in ANSWER.finditer(text)]
        text = text[max(introduced, default=0) :]
        if self._multi_label:
            parts = PARAGRAPH_END.split(text[self._conclusions.start(text) :])
        else:
            parts = [text]
        status, outcome = self._meaning(parts, cut=cut)
        return ParsedAnswer(status, outcome, answer)

    def _without_examples(self, text: str) -> str:
        """Return a text up to another example, but for the question if it is repeated first."""
        ends = [found.start() for found in FURTHER_EXAMPLE.finditer(text)]
        if not ends:
            return text
        first, second = [*ends, None][:2]
        mentions = self._mentions.find(text[:first])
        mark_asides(mentions, text[:first])
        lists = mentions and all(mention.aside for mention in mentions)
        return text[: second if lists or text[:first].rstrip("*_ \n").endswith(":") else first]

    def _meaning(self, parts: Sequence[str], *, cut: bool) -> tuple[Status, tuple[str, ...] | None]:
        denied: set[str] = set()
        for part in parts:
            text = part if self._multi_label else GLOSS.sub(self._gloss, part)
            mentions = _replied_to(self._mentions.find(text), text)
            scores = scores_in(mentions, text, nested=False) if self._multi_label else []
            if max(scores, default=0) > 1:
                return Status.UNPARSED, None
            for mention, score in zip(mentions, scores, strict=False):
                mention.denied |= score < LEAST
            affirmed, clear = self._affirmed(mentions, text)
            if _asks_for_text(text) or (cut and affirmed and not (clear or self._multi_label)):
                return Status.UNPARSED, None
            said = self._names.hidden(text[: affirmed[0].start] if affirmed else text)
            if (not clear and UNABLE.search(said)) or (not affirmed and EXCUSE.search(said)):
                is_open = self._open and not EXCUSE.search(said)
                return (Status.OK, self._open) if is_open else (Status.REFUSED, None)
            if self._only_none.match(text):
                return Status.NONE, None
            labels = tuple(sorted({mention.label for mention in affirmed}))
            if len(labels) == 1 or (labels and self._multi_label):
                return Status.OK, labels
            if labels:
                return Status.UNPARSED, None
            if not mentions and self._nothing.search(text):
                return Status.NONE, None
            denied |= {mention.label for mention in mentions}
        is_open = not denied or (self._number > len(denied) + 1 and not self._multi_label)
        return Status.UNPARSED if is_open else Status.NONE, None

    def _gloss(self, found: re.Match[str]) -> str:
        """Return parentheses if they name a label, and what may be a score without them."""
        kept = found[0] if self._names.hidden(found[0]) != found[0] else ""
        return kept or (f": {found['score']}" if found["score"] else "")

    def _affirmed(self, mentions: list[Mention], text: str) -> tuple[list[Mention], bool]:
        """Return the mentions that decide, and whether they are clearly the answer."""
        if not self._multi_label:
            mark_asides(mentions, text)
            if best := self._highest(mentions, text):
                return best, True
        main = [mention for mention in mentions if not mention.aside]
        others = self._other if len({mention.label for mention in mentions}) == 1 else {}
        turned = [self._turned(mention, text, others) for mention in main or mentions]
        affirmed = [mention for mention in turned if not mention.denied]
        if self._multi_label or not main:
            return affirmed, False
        clear = self._conclusions.clearest(affirmed, text)
        return clear or affirmed, bool(clear)

    def _highest(self, mentions: Sequence[Mention], text: str) -> list[Mention]:
        """Return the mention with the highest score, if a text gives one for each label in all."""
        scores = scores_in(mentions, text, nested=True)
        are_all = len(mentions) == self._number or round(sum(scores), 3) in WHOLE
        best = max(scores, default=0)
        return [mentions[scores.index(best)]] if are_all and scores.count(best) == 1 else []

    def _turned(self, mention: Mention, text: str, others: Mapping[str, str]) -> Mention:
        """Return a mention, which affirms another label if it denied one that has an opposite.

        It also does if it plainly denied one of two labels, which have each `others`.
        """
        plainly = REPLY.match(text, mention.end) or (
            NOT.search(text, max(0, mention.start - AROUND), mention.start)
            and END.match(text, mention.end)
        )
        opposites = self._opposites or (others if plainly else {})
        other = opposites.get(mention.label) if mention.denied else None
        return replace(mention, label=other, denied=False) if other else mention


def _asks_for_text(text: str) -> bool:
    # A single pattern would take quadratic time where many requests begin and none ends.
    return any(
        (begun := beginning.search(sentence)) and ending.search(sentence, begun.end())
        for ends, beginning, ending in ASKED
        for sentence in ends.split(text)
    )


def _replied_to(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Return mentions without those in questions that the answer does not reply to with yes or no.

    "Spam? No." denies a label, and "Spam? It asks for a password." leaves it open.
    """
    found = []
    for mention in mentions:
        reply = REPLY.match(text, mention.end)
        mention.denied |= bool(reply and reply["no"])
        if not reply or reply["no"] or reply["yes"]:
            found.append(mention)
    return found
