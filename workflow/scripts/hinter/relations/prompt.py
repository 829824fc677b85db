"""The prompts that relations make from templates, with attributes of a person, and their texts."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..mutation import indefinite_article

# Tables need no types of sheets, whose import takes long.
if TYPE_CHECKING:
    from ..config import Gap, PromptTemplate, SensitiveAttribute

GAP = re.compile(r"\{(\w+)\}")
ARTICLE = re.compile(r"\b([Aa])n?\b(?= (\S.*))")
SOMEONE = "as someone who"

Position = Literal["home", "opening", "closing"]


@dataclass(frozen=True)
class Trait:
    """An attribute of the person by `name`, and the name of its value.

    At `home` it is in a trait of the template; otherwise it is in a clause that opens or closes the
    sentence. `substitute` is the name of the comparable value by which substitution replaces it.
    """

    name: str
    attribute: "SensitiveAttribute"
    value: str
    substitute: str
    position: Position = "home"

    @property
    def contrast(self) -> str:
        """The name of the value that negates its value."""
        return self.attribute.values[self.value].contrast

    def fill(self, phrase: str) -> str:
        """Return the phrase with the value in it."""
        adjective = self.attribute.values[self.value].adjective or self.value
        return phrase.replace("{name}", self.value).replace("{adjective}", adjective)


@dataclass(frozen=True)
class Prompt:
    """A template, by `name`, with attributes of a person in their order in the text.

    `wording` is the form of the template's main clause. If `rephrased`, attributes are expressed by
    their second phrases; if `turned`, the setting is at the other end of the sentence.
    """

    name: str
    template: "PromptTemplate"
    traits: tuple[Trait, ...] = ()
    wording: str = "main"
    rephrased: bool = False
    turned: bool = False

    def at(self, position: Position) -> tuple[Trait, ...]:
        """Return the attributes at this position of the sentence."""
        return tuple(trait for trait in self.traits if trait.position == position)

    def with_traits(self, traits: Iterable[Trait]) -> "Prompt":
        """Return the prompt with these attributes instead of its own."""
        return replace(self, traits=tuple(traits))

    def without(self, *removed: Trait) -> "Prompt":
        """Return the prompt without these attributes."""
        return self.with_traits(trait for trait in self.traits if trait not in removed)

    def changing(self, traits: Sequence[Trait], **fields: Callable[[Trait], Any]) -> "Prompt":
        """Return the prompt with some fields of these attributes made by functions of each."""
        return self.with_traits(
            replace(trait, **{name: made(trait) for name, made in fields.items()})
            if trait in traits
            else trait
            for trait in self.traits
        )


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
    traits = prompt.at("closing" if closing else "opening")
    clauses = _listed([trait.fill(trait.attribute.clause) for trait in traits])
    if not clauses:
        return []
    return [f", {SOMEONE} {clauses}"] if closing else [f"{SOMEONE} {clauses},"]


def _filled(words: str, prompt: Prompt) -> str:
    gaps = prompt.template.gaps
    return GAP.sub(lambda found: _in_gap(gaps[found[1]], prompt), words)


def _in_gap(gap: "Gap", prompt: Prompt) -> str:
    phrases = [
        trait.fill(gap.phrase(trait.name, rephrased=prompt.rephrased))
        for trait in prompt.at("home")
        if trait.name in gap.phrases
    ]
    return (", ".join(phrases) if gap.join == "commas" else _listed(phrases)) or gap.bare


def _listed(phrases: Sequence[str]) -> str:
    """Return a list in words, with a comma before the last of three or more, as in the paper."""
    if len(phrases) < 3:
        return " and ".join(phrases)
    return f"{', '.join(phrases[:-1])}, and {phrases[-1]}"
