"""Estimate the mutants of a dataset's texts: their numbers by order, and examples."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import prod
from random import Random
from typing import NamedTuple

import numpy as np

from ..corpora import Text
from ..invariant import Reason
from ..mutants import Making, check_recipes
from ..mutation import Combination, DictionaryIndex, Mutant, Operating, combinations_of, compose

CHECKED = 60
"""The number of mutants of an operator and order that are checked, for the share of valid ones."""


class Checked(NamedTuple):
    """A mutant and its check."""

    mutant: Mutant
    reason: Reason


class Expected(NamedTuple):
    """The mutants that an operator makes from some texts.

    `mentioning` is the number of texts with something to change, by attribute. `left_alone` is the
    number of occurrences or mentions, by the rule that leaves them alone. `mutants` is the exact
    number of mutants by order, some of which are `checked`.
    """

    mentioning: Counter[str]
    left_alone: Counter[str]
    mutants: dict[int, int]
    checked: dict[int, list[Checked]]


class _Found(NamedTuple):
    text: Text
    combination: Combination
    shape: tuple[int, ...]


def expect_mutants(
    texts: Sequence[Text], *, making: Making, orders: Sequence[int], seed: int
) -> dict[str, Expected]:
    """Return the mutants that each operator makes from the texts, by its name.

    Only the texts are parsed, for operators that need it, and the mutants that are checked: at most
    `CHECKED` of each order, sampled uniformly by the seed.
    """
    expected = {}
    for name, operating in making.operators.items():
        operating.prepare(text.text for text in texts)
        found = _combinations(texts, operating, orders=orders)
        sampled = {
            order: _sample(of_order, index=operating.index, seed=f"{seed}:{name}:{order}")
            for order, of_order in found.items()
        }
        expected[name] = Expected(
            *_count_rulings(texts, operating),
            {order: sum(prod(one.shape) for one in of_order) for order, of_order in found.items()},
            {order: _check(mutants, making=making) for order, mutants in sampled.items()},
        )
    return expected


def _count_rulings(
    texts: Iterable[Text], operating: Operating
) -> tuple[Counter[str], Counter[str]]:
    mentioning, left_alone = Counter[str](), Counter[str]()
    for text in texts:
        rulings = operating.rulings(text.text)
        mentioning.update({one.occurrence.attribute for one in rulings if not one.rule})
        # A rule may apply to a mention once for each attribute.
        ruled = {(one.occurrence.span, one.rule) for one in rulings}
        left_alone.update(rule for _, rule in ruled if rule)
    return mentioning, left_alone


def _combinations(
    texts: Iterable[Text], operating: Operating, *, orders: Sequence[int]
) -> dict[int, list[_Found]]:
    found: dict[int, list[_Found]] = {order: [] for order in sorted(orders)}
    for text in texts:
        for one in combinations_of(text.text, orders=orders, substituting=operating):
            shape = tuple(len(operating.index.positions(term)) for term in one.terms)
            found[len(one.terms)].append(_Found(text, one, shape))
    return found


def _sample(found: Sequence[_Found], *, index: DictionaryIndex, seed: str) -> list[Mutant]:
    """Return a uniform sample of all mutants of the combinations."""
    ends = [*accumulate(prod(one.shape) for one in found)]
    total = ends[-1] if ends else 0
    chosen = Random(seed).sample(range(total), min(total, CHECKED))
    mutants = []
    for number in chosen:
        place = bisect_right(ends, number)
        one = found[place]
        cell = np.unravel_index(number - ends[place] + prod(one.shape), one.shape)
        mutants.append(_mutant(one, [int(choice) for choice in cell], index=index))
    return mutants


def _mutant(found: _Found, cell: Sequence[int], *, index: DictionaryIndex) -> Mutant:
    chosen = [
        (term, index.pairs[index.positions(term)[choice]])
        for term, choice in zip(found.combination.terms, cell, strict=True)
    ]
    edits = compose(found.text.text, [(term, pair.target) for term, pair in chosen])
    pair_ids = tuple(pair.pair_id for _, pair in chosen)
    return Mutant(found.text.original_id, found.text.text, pair_ids, tuple(edits))


def _check(mutants: Sequence[Mutant], *, making: Making) -> list[Checked]:
    [reasons] = check_recipes(mutants, by=[making.invariant])
    return [Checked(*pair) for pair in zip(mutants, reasons, strict=True)]


def examples_of(expected: Iterable[Expected], *, most: int) -> list[Checked]:
    """Return checked mutants, high orders first, from as many texts as possible."""
    checked = [
        one
        for each in expected
        for order in sorted(each.checked, reverse=True)
        for one in each.checked[order]
    ]
    by_text = defaultdict[str, list[Checked]](list)
    for one in checked:
        by_text[one.mutant.original_id].append(one)
    first = [own[0] for own in by_text.values()]
    return [*first, *(one for own in by_text.values() for one in own[1:])][:most]
