"""Render the text of a structured prompt."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..mutation import indefinite_article
from .prompt import Prompt

if TYPE_CHECKING:
    from ..config import Gap

GAP = re.compile(r"\{(\w+)\}")
ARTICLE = re.compile(r"\b([Aa])n?\b(?= (\S.*))")
SOMEONE = "as someone who"


def render(prompt: Prompt) -> str:
    """Return the text of a prompt: a sentence in which articles agree and lists read naturally."""
    clauses = " ".join([*_clauses(prompt), *_someone(prompt, closing=True)])
    text = " ".join(clauses.split()).replace(" ,", ",")
    agreeing = ARTICLE.sub(lambda found: found[1] + indefinite_article(found[2])[1:], text)
    return agreeing[0].upper() + agreeing[1:] + prompt.template.end


def _clauses(prompt: Prompt) -> Sequence[str]:
    """Return the clauses in their order; an opening clause moves the setting to the end."""
    template = prompt.template
    main = _filled(getattr(template, prompt.wording), prompt)
    setting = _filled(template.setting or "", prompt)
    opening = _someone(prompt, closing=False)
    if opening or not setting:
        return [*opening, main, setting]
    first = template.setting_first != prompt.turned
    return [f"{setting},", main] if first else [main, setting]


def _someone(prompt: Prompt, *, closing: bool) -> list[str]:
    """Return the clause with attributes before or after the sentence, if there are any."""
    slots = prompt.at("closing" if closing else "opening")
    clauses = _listed([slot.fill(slot.attribute.clause) for slot in slots])
    if not clauses:
        return []
    return [f", {SOMEONE} {clauses}"] if closing else [f"{SOMEONE} {clauses},"]


def _filled(words: str, prompt: Prompt) -> str:
    gaps = prompt.template.gaps
    return GAP.sub(lambda found: _in_gap(gaps[found[1]], prompt), words)


def _in_gap(gap: "Gap", prompt: Prompt) -> str:
    phrases = [
        slot.fill(gap.phrase(slot.name, rephrased=prompt.rephrased))
        for slot in prompt.at("home")
        if slot.name in gap.phrases
    ]
    return (", ".join(phrases) if gap.join == "commas" else _listed(phrases)) or gap.bare


def _listed(phrases: Sequence[str]) -> str:
    """Return a list in words, with a comma before the last of three or more, as in the paper."""
    if len(phrases) < 3:
        return " and ".join(phrases)
    return f"{', '.join(phrases[:-1])}, and {phrases[-1]}"
