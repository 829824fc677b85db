"""What LanguageTool is asked about: stretches of text that it judges by themselves."""

from ..invariant import split_sentences


def split_units(text: str) -> list[str]:
    """Return the sentences of `text`, with those joined that LanguageTool takes for one.

    It never ends a sentence before a lower-case letter, unless a line ends there.
    """
    units: list[str] = []
    end = 0
    for start, stop in split_sentences(text):
        gap = text[end:start]
        if units and text[start].islower() and "\n" not in gap:
            units[-1] += gap + text[start:stop]
        else:
            units.append(text[start:stop])
        end = stop
    return units
