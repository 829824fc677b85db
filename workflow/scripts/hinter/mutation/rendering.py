"""From recipe to text: replacements at their places in the original, in the right case."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from ..dictionary import WordPair
from .combinations import Combination
from .matching import TermMatcher, resolve_overlaps
from .roles import Place, Role, Span
from .wording import wording

PLACES = pa.list_(
    pa.struct(
        [("start", pa.int32()), ("end", pa.int32()), ("pair", pa.int8()), ("role", pa.string())]
    )
)
"""The type of a recipe's places in Parquet files (see `place_rows`)."""

RECIPE_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("attributes", pa.string()),
        ("pair_ids", pa.list_(pa.string())),
        ("places", PLACES),
    ]
)
"""The columns that make a mutant of its original, which all files with mutants begin with."""


class Substitution(NamedTuple):
    """A place in the original and the target term that decides what goes there."""

    place: Place
    target: str


def render(original: str, substitutions: Iterable[Substitution]) -> str:
    """Return `original` with every place in the wording that its target asks for."""
    return render_with_spans(original, substitutions)[0]


def render_with_spans(
    original: str, substitutions: Iterable[Substitution]
) -> tuple[str, dict[Span, Span]]:
    """Return the mutated text, and the span in it of each replaced span of the original."""
    parts: list[str] = []
    spans: dict[Span, Span] = {}
    position = length = 0
    for (start, end, role), target in sorted(substitutions):
        replacement = wording(original[start:end], role=role, target=target)
        parts += [original[position:start], replacement]
        length += start - position
        spans[start, end] = (length, length + len(replacement))
        length += len(replacement)
        position = end
    return "".join([*parts, original[position:]]), spans


def place_pairs(
    original: str,
    pairs: Sequence[WordPair],
    places: Iterable[Mapping[str, Any]] | None = None,
) -> list[list[Substitution]]:
    """Return the substitutions of each of a mutant's pairs, in the order of `pairs`.

    `places` are those of its recipe (`place_rows`), and None for one of literal substitution.
    """
    if places is not None:
        return _recorded(pairs, places)
    found = TermMatcher(pair.source for pair in pairs).find(original)
    kept = resolve_overlaps({pair.source: found.get(pair.source, []) for pair in pairs})
    return [
        [Substitution(Place(*span), pair.target) for span in kept[pair.source]] for pair in pairs
    ]


def place_part(
    original: str,
    pairs: Sequence[WordPair],
    places: Iterable[Mapping[str, Any]] | None,
    *,
    part: Container[WordPair],
) -> list[list[Substitution]]:
    """Return the substitutions of the sub-mutant of these `pairs` that are in `part`.

    `places` are those of the whole mutant's recipe.
    """
    if places is None:
        return place_pairs(original, [pair for pair in pairs if pair in part])
    placed = _recorded(pairs, places)
    return [changes for pair, changes in zip(pairs, placed, strict=True) if pair in part]


def place_rows(combination: Combination) -> list[dict[str, int | str]] | None:
    """Return the places of a combination as recipes hold them, None where they hold none.

    A row has start, end and role of a place, and the number of its pair among the mutant's.
    """
    if not combination.recorded:
        return None
    return rows_of_places(term.places for term in combination.terms)


def rows_of_places(placed: Iterable[Sequence[Place]]) -> list[dict[str, int | str]]:
    """Return the places of a mutant's pairs, given pair by pair, as recipes hold them."""
    return [
        {"start": place.start, "end": place.end, "pair": number, "role": place.role.value}
        for number, places in enumerate(placed)
        for place in places
    ]


def _recorded(
    pairs: Sequence[WordPair], places: Iterable[Mapping[str, Any]]
) -> list[list[Substitution]]:
    placed: list[list[Substitution]] = [[] for _ in pairs]
    for row in places:
        place = Place(row["start"], row["end"], Role(row["role"]))
        placed[row["pair"]].append(Substitution(place, pairs[row["pair"]].target))
    return placed
