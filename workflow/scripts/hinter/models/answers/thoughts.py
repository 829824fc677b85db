"""Remove the thoughts of models that reason before they answer: labels are outside of them.

They are between tags, of which the first may be in the prompt, and the last cut off.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ...job import warn
from ..model import is_cut

_WORDS = (
    r"[\w▁:]*(?:think|thought|reason|monologue|deliberat|working[_▁]out)\w*"
    r"|(?:\w+:)?(?:cot|rationale|reflection|analysis|scratchpad|details)"
)
_TAG = rf"(?:[<＜]|&lt;)\s*[|｜]?{{}}\s*(?:{_WORDS})(?:\s[^<>]*)?\s*[|｜]?(?:[>＞]|&gt;)"
_BEGIN = (
    rf"{_TAG.format('(?!end[_▁])')}|\[(?:(?:begin|start)\W(?:of\W)?)?(?:{_WORDS})\]|◁think▷"
    r"|<\|channel\|?>(?!final)|<\|inner_prefix\|>|<unused94>|\Aanalysis(?-i:(?=[A-Z]))"
    rf"|<\|im_start\|>\s*(?:{_WORDS})|\bhere (?:is|are) my (?:{_WORDS}) (?:process|steps?)\b"
)
_END = (
    rf"{_TAG.format('[|｜]?(?:/|end[_▁])(?:of[_▁])?')}|\[(?:/|end\W(?:of\W)?)(?:{_WORDS})\]"
    r"|◁/think▷|<channel\|>|<\|inner_suffix\|>|<unused95>"
    r"|<\|channel\|>final(?:<\|message\|>)?|\Aanalysis.*?assistantfinal|<\|im_start\|>answer"
)
_TAGGED = (
    r"<(?:final[_ ]?)?(?:answer|response|solution|output|result)>"
    rf"|\[begin (?:final )?(?!(?:{_WORDS})\])\w+\]"
)
_FINAL = rf"{_TAGGED}|\bhere is my (?:final )?(?:answer|response)\b"
BEGIN = re.compile(_BEGIN, re.IGNORECASE)
END = re.compile(_END, re.IGNORECASE | re.DOTALL)
THOUGHT = re.compile(rf"(?:{_BEGIN}).*?(?:{_END}|(?=(?:{_FINAL})))", re.IGNORECASE | re.DOTALL)
TAGGED = re.compile(_TAGGED, re.IGNORECASE)
OPENED = re.compile(rf"(?:{_BEGIN})\s*\Z", re.IGNORECASE)
WORDLESS = {
    "cut": "%s: %d answers used up all their tokens before the first word: raise "
    "`max_answer_tokens` in the prompt file",
    "bare": "%s: %d answers are thoughts with no word after them: turn off the server's parser of "
    "thoughts, or raise `max_answer_tokens` in the prompt file",
}


def said_in(answer: str) -> str:
    """Return the part of an answer outside its thoughts."""
    if not any(mark.search(answer) for mark in (BEGIN, END, TAGGED)):
        return answer
    rest = THOUGHT.sub("\n\n", answer)
    # Remove a thought that began in the prompt, and one that is cut off.
    *_, rest = END.split(rest)
    *_, rest = TAGGED.split(rest)
    return BEGIN.split(rest)[0].lstrip()


def thought_end(answer: str) -> int:
    """Return the end of the last thought in an answer, or 0 if it has none."""
    return max((match.end() for match in END.finditer(answer)), default=0)


def begins_inside(answer: str) -> bool:
    """Return whether an answer begins inside a thought: it ends one that it has not begun."""
    return END.search(THOUGHT.sub("", answer)) is not None


def opens_thought(prompt: str) -> bool:
    """Return whether a prompt ends with the beginning of a thought."""
    return OPENED.search(prompt) is not None


def reporting(
    parts: Iterator[list[tuple[int, str]]], *, location: str, begun: str = ""
) -> Iterator[list[tuple[int, str]]]:
    """Pass responses on, and warn of those without words after `begun`, first and at the end."""
    found: Counter[str] = Counter()
    for part in parts:
        new = Counter(_wordless(json.loads(response), begun=begun) for _, response in part)
        for kind in WORDLESS:
            if new[kind] and not found[kind]:
                warn(WORDLESS[kind], location, new[kind])
        found += new
        yield part
    for kind in WORDLESS:
        if found[kind] > 1:
            warn(WORDLESS[kind], location, found[kind])


def _wordless(response: Mapping[str, Any], *, begun: str) -> str:
    answer = begun + response["answer"]
    if said_in(answer).strip():
        return ""
    if is_cut(response["finish"]):
        return "cut"
    return "bare" if answer or response.get("thoughts") else ""
