"""What a text mentions, as lines for the terminal: what takes its place, or why nothing does."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from ..mutation import DictionaryIndex, Ruling, reason_in_short

SHOWN = 4


def show_rulings(
    text: str, rulings: Iterable[Ruling], *, index: DictionaryIndex, nothing: str
) -> list[str]:
    """Return lines on each occurrence or mention, those that read alike once, or `nothing`."""
    places = sorted(rulings, key=lambda ruling: ruling.occurrence.span)
    shown = Counter(
        "\n".join(_lines(text[slice(*span)], [*of_place], index=index))
        for span, of_place in groupby(places, key=lambda ruling: ruling.occurrence.span)
    )
    return [
        lines if times == 1 else lines.replace(":", f" ({times} times):", 1)
        for lines, times in shown.items()
    ] or [f"  {nothing}"]


def _lines(found: str, rulings: list[Ruling], *, index: DictionaryIndex) -> Iterator[str]:
    told = {one.occurrence.attribute: _told(found, one, index=index) for one in rulings}
    if len({one.rule for one in rulings}) == 1 and rulings[0].rule:
        yield f"  {found}: {told.popitem()[1]}"
        return
    yield f"  {found}:"
    yield from (f"    {attribute:10} {what}" for attribute, what in told.items())


def _told(found: str, ruling: Ruling, *, index: DictionaryIndex) -> str:
    if ruling.rule:
        return f"left alone by {ruling.rule}: {reason_in_short(ruling.rule)}"
    targets = index.targets_of(ruling.term)
    source = ruling.occurrence.source
    replaced = "" if source.lower() == found.lower() else f"{source} > "
    more = f" and {len(targets) - SHOWN:,} more" if len(targets) > SHOWN else ""
    return f"{replaced}{', '.join(targets[:SHOWN])}{more}"
