"""Algorithms 1 and 2, literally: the oracle that the engine's verdicts are held against.

Every mutant is made and judged by itself, from its whole text. Only the splitter and the parser are
the engine's, and both are given exactly what the algorithms give them: a whole text, and one
sentence at a time. Parses are kept by sentence, so a sentence that comes back is not parsed again;
this changes no verdict as long as a parser answers the same question the same way.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from hinter.dictionary import WordPair
from hinter.invariant import Parse, Parser, split_sentences


class Mutant(NamedTuple):
    """A mutant's text and its verdict: `valid`, or the reason why it is discarded."""

    text: str
    reason: str


class LiteralCheck:
    """Algorithm 2 on one original and one mutant."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._parses: dict[str, Parse] = {}

    def reason(self, original: str, mutant: str) -> str:
        """Return `valid`, or the first check that fails: `sentence_count`, `pos` or `dep`."""
        sentences, mutated_sentences = _split(original), _split(mutant)
        if len(sentences) != len(mutated_sentences):
            return "sentence_count"
        for i in range(len(sentences)):
            tree, mutated_tree = self._parse(sentences[i]), self._parse(mutated_sentences[i])
            if not tolerant_table_comp(tree.tags, mutated_tree.tags):
                return "pos"
            if not tolerant_table_comp(tree.labels, mutated_tree.labels):
                return "dep"
        return "valid"

    def _parse(self, sentence: str) -> Parse:
        if sentence not in self._parses:
            [self._parses[sentence]] = self._parser.parse([sentence])
        return self._parses[sentence]


def literal_mutants(
    original_id: str,
    original: str,
    *,
    pairs: Iterable[WordPair],
    orders: Iterable[int],
    check: LiteralCheck,
) -> dict[str, Mutant]:
    """Return the verdict and the text of every mutant of an original by its mutant_id."""
    present = present_pairs(original, pairs)
    mutants = {}
    for order in orders:
        for chosen in pairs_of_different_attributes(present, order=order):
            text = substitute(original, chosen)
            if text is not None:
                mutant_id = "|".join([original_id, *(pair.pair_id for pair in chosen)])
                mutants[mutant_id] = Mutant(text, check.reason(original, text))
    return mutants


def present_pairs(original: str, pairs: Iterable[WordPair]) -> list[WordPair]:
    """Return the pairs whose source stands in the original, sorted by attribute."""
    pairs = list(pairs)
    sources = {pair.source for pair in pairs}
    present = {source for source in sources if any(occurrences(source, original))}
    return sorted(
        (pair for pair in pairs if pair.source in present), key=lambda pair: pair.attribute
    )


def pairs_of_different_attributes(
    pairs: Sequence[WordPair], *, order: int
) -> Iterator[tuple[WordPair, ...]]:
    """Yield every choice of `order` pairs, no two of the same attribute."""
    for chosen in combinations(pairs, order):
        if len({pair.attribute for pair in chosen}) == order:
            yield chosen


def substitute(original: str, pairs: Sequence[WordPair]) -> str | None:
    """Return the original with all pairs substituted at once, or None where one has no place left.

    Pairs take their characters in turn, those with the longest source first; an occurrence that
    has lost a character to an earlier pair is left alone.
    """
    owners: list[WordPair | None] = [None] * len(original)
    replacements: dict[int, tuple[int, str]] = {}
    for pair in sorted(pairs, key=lambda pair: -len(pair.source)):
        places = [
            place
            for place in occurrences(pair.source, original)
            if all(owners[position] is None for position in place)
        ]
        if not places:
            return None
        for place in places:
            found = original[place.start : place.stop]
            replacements[place.start] = (place.stop, recased(found, pair.target))
            for position in place:
                owners[position] = pair
    mutant, position = "", 0
    for start, (end, replacement) in sorted(replacements.items()):
        mutant += original[position:start] + replacement
        position = end
    return mutant + original[position:]


def occurrences(term: str, text: str) -> Iterator[range]:
    """Yield the whole-word places of `term` in `text`, in any case, left to right, none twice."""
    if term.lower() not in text.lower():
        return
    free = 0
    for match in re.finditer(f"(?={re.escape(term)})", text, re.IGNORECASE):
        start, end = match.start(), match.start() + len(term)
        # The case folding of regular expressions is wider than lower-casing: the long s is an s.
        same = text[start:end].lower() == term.lower()
        if same and start >= free and _stands_alone(text[:start], text[end:]):
            yield range(start, end)
            free = end


def recased(found: str, target: str) -> str:
    """Return `target` in the case of `found`; capitals it is declared with are never lost."""
    letters = [character for character in found if character.isalpha()]
    if len(letters) > 1 and found == found.upper() != found.lower():
        return target.upper()
    if found[0] != found[0].lower():
        return target[0].upper() + target[1:]
    return target


def tolerant_table_comp(first: Sequence[int], second: Sequence[int]) -> bool:
    """Compare two sequences as the paper's appendix does, in the words of its released code.

    Walk both with one pointer each. At a mismatch count an error and, if fewer shifts than the
    difference of the lengths were made, count a shift and move the pointer of the longer sequence
    one further; then both move on. What is left over adds to the errors, which may be as many as
    the difference of the lengths.
    """
    limit = abs(len(first) - len(second))
    i = j = errors = shifts = 0
    while i < len(first) and j < len(second):
        if first[i] != second[j]:
            errors += 1
            if shifts < limit:
                shifts += 1
                if len(first) > len(second):
                    i += 1
                else:
                    j += 1
        i += 1
        j += 1
    errors += len(first[i:]) + len(second[j:])
    return errors <= limit


def _stands_alone(before: str, after: str) -> bool:
    # The nearest characters come first on either side.
    for outside in (before[:-3:-1], after[:2]):
        if _is_joined(outside[:1]) or (outside[:1] == "-" and _is_joined(outside[1:])):
            return False
    return True


def _is_joined(character: str) -> bool:
    if not character:
        return False
    mark = unicodedata.category(character).startswith("M")
    return character.isalnum() or character == "_" or mark


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]
