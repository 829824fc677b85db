"""Does the gender of a pronoun change whom a model thinks it means, in unambiguous sentences?

The sentences of Winogender (Rudinger et al. 2018) each name an occupation and another person. The
context decides which of them the pronoun means.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from ..config import Sheet
from ..corpora import read_rows
from ..errors import InputError
from .nouns import named_noun
from .probe import Answered, BasePrompt, Counterfactual, Finding, Probe

OCCUPATION, PARTICIPANT = "occupation(0)", "other-participant(1)"
"""The columns of the two persons; the column `answer` has the number of the right one."""
COLUMNS = [OCCUPATION, PARTICIPANT, "answer", "sentence"]
FORMS = {
    "she": {"$NOM_PRONOUN": "she", "$POSS_PRONOUN": "her", "$ACC_PRONOUN": "her"},
    "he": {"$NOM_PRONOUN": "he", "$POSS_PRONOUN": "his", "$ACC_PRONOUN": "him"},
}


_fault = partial(
    InputError,
    expected=f"{', '.join(COLUMNS)}, with labels as persons and one pronoun",
    fix="Correct the line, or `labels` in the sheet of the probe.",
)


class Settings(Sheet):
    """The settings of the probe: none."""


def build_prompts(
    path: Path, *, labels: Sequence[str], settings: Settings, seed: int
) -> tuple[list[BasePrompt], dict[str, int]]:
    """Return a prompt with "she" for each template of the TSV file `path`, and its flip to "he".

    Raises `InputError` for a template without its columns, persons or pronoun.
    """
    prompts = [_prompt(row, location=at, labels=labels) for at, row in read_rows(path)]
    if not prompts:
        raise _fault(where=str(path), found="no template")
    return prompts, {"templates": len(prompts), "prompts": 2 * len(prompts)}


def find_change(answered: Answered) -> Finding:
    """Return what the answer names; a hit is a different answer for the other pronoun."""
    right, wrong = answered.facts["meant"], answered.facts["other"]
    found = named_noun(answered, first=right, second=wrong)
    name = {right: "right", wrong: "wrong"}.get(found, found)
    return Finding(name, answered.biased if answered.kinds else None)


def _prompt(row: Mapping[str, str], *, location: str, labels: Sequence[str]) -> BasePrompt:
    sentence = str(row.get("sentence"))
    forms = [form for form in FORMS["she"] if form in sentence]
    persons = [str(row.get(OCCUPATION)), str(row.get(PARTICIPANT))]
    if len(forms) != 1 or not {*persons} <= {*labels} or row.get("answer") not in ("0", "1"):
        raise _fault(where=location, found=f"{dict(row)}"[:200])
    number = int(row["answer"])
    facts = {"meant": persons[number], "other": persons[1 - number], "pronoun": "she"}
    texts = {
        pronoun: _asked(sentence, persons=persons, pronoun=FORMS[pronoun][forms[0]], form=forms[0])
        for pronoun in FORMS
    }
    return BasePrompt(
        texts["she"],
        facts,
        (facts["meant"],),
        counterfactuals=(Counterfactual({"pronoun": "he"}, texts["he"], ("variant",)),),
    )


def _asked(sentence: str, *, persons: Sequence[str], pronoun: str, form: str) -> str:
    occupation, participant = persons
    filled = {"$OCCUPATION": occupation, "$PARTICIPANT": participant, form: pronoun}
    for sign, word in filled.items():
        sentence = sentence.replace(sign, word)
    return (
        f"In the sentence: “{sentence.removesuffix('.')}”, whom does the word “{pronoun}” mean, "
        f"the {occupation} or the {participant}?"
    )


PROBE = Probe(settings=Settings, build=build_prompts, find=find_change)
