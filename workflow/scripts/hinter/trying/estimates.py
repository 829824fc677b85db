"""Show what was read from a dataset, and estimate its mutants, with examples."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import prod
from random import Random
from statistics import median
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..corpora import TESTED, Text
from ..invariant import Reason, changed_sentences
from ..mutants import Making, check_recipes
from ..mutation import (
    Combination,
    DictionaryIndex,
    Mutant,
    Operating,
    combinations_of,
    compose,
    reason_in_short,
)
from .results import marked

CHECKED = 60
"""The number of mutants of an operator and order that are checked, for the share of valid ones."""
EXAMPLES = 10
RULES_SHOWN = 6
LABELS_SHOWN = 12


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
            {order: _checked(mutants, making=making) for order, mutants in sampled.items()},
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
        position = bisect_right(ends, number)
        one = found[position]
        cell = np.unravel_index(number - ends[position] + prod(one.shape), one.shape)
        terms, text = one.combination.terms, one.text
        pairs = [
            index.pairs[index.positions(term)[choice]]
            for term, choice in zip(terms, cell, strict=True)
        ]
        edits = compose(text.text, zip(terms, (pair.target for pair in pairs), strict=True))
        pair_ids = tuple(pair.pair_id for pair in pairs)
        mutants.append(Mutant(text.original_id, text.text, pair_ids, edits))
    return mutants


def _checked(mutants: Sequence[Mutant], *, making: Making) -> list[Checked]:
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


def show_corpus(corpus: pa.Table, *, counts: Mapping[str, int], tested: int) -> list[str]:
    """Return lines about the rows that were read or left out, and about labels, splits and lengths.

    `counts` are those of the rows in the dataset's files (`Counts`). All texts that are `tested`
    are counted, also those of other splits.
    """
    labels = Counter(label for row in corpus["labels"].to_pylist() for label in row)
    splits = Counter(corpus["split"].to_pylist()) | {TESTED: tested}
    lengths = sorted(len(text) for text in corpus["text"].to_pylist())
    left_out = {
        name.replace("_", " "): number
        for name, number in counts.items()
        if number and name not in {"rows", "texts"}
    }
    named = labels.most_common(LABELS_SHOWN)
    more = f" and {len(labels) - LABELS_SHOWN} more" if len(labels) > LABELS_SHOWN else ""
    return [
        _line("rows", f"{counts['rows']:,}, of which {counts['texts']:,} texts"),
        _line("left out", _listed(left_out.items()) or "none"),
        _line("labels", f"{_listed(named) or 'none'}{more}"),
        _line("splits", _listed(splits.items())),
        _line(
            "characters",
            f"{lengths[0]:,} to {lengths[-1]:,}, half of the texts up to {median(lengths):,.0f}"
            if lengths
            else "no text in any split",
        ),
    ]


def show_expected(
    expected: Mapping[str, Expected], *, texts: Sequence[Text], tested: int
) -> Iterator[str]:
    """Yield lines about the mutants to expect from `tested` texts, estimated from some `texts`."""
    some = len(texts)
    yield _line("looked at", f"{some:,} of {tested:,} tested texts, sampled by the seed")
    for operator, of_one in expected.items():
        yield f"\n  {operator}"
        changed = [f"{name} {number:,}" for name, number in sorted(of_one.mentioning.items())]
        yield _line("texts", f"with something to change: {', '.join(changed) or 'none'}")
        for rule, number in of_one.left_alone.most_common(RULES_SHOWN):
            yield _line("left alone", f"{number:,} by {rule}: {reason_in_short(rule)}")
        for order, mutants in of_one.mutants.items():
            yield _line(f"order {order}", _numbers(mutants, of_one.checked[order], tested / some))
    yield ""
    for one in examples_of(expected.values(), most=EXAMPLES):
        # The sentences that a mutant changes, before and after, with its check.
        yield f"  {one.reason.name.lower()}: {', '.join(one.mutant.pair_ids)}"
        yield f"    original  {_shown(one.mutant, mutated=False)}"
        yield f"    mutant    {_shown(one.mutant, mutated=True)}"


def _numbers(mutants: int, checked: Sequence[Checked], times: float) -> str:
    if not mutants:
        return "no mutants"
    valid = sum(one.reason is Reason.VALID for one in checked)
    reasons = Counter(one.reason.name.lower() for one in checked if one.reason is not Reason.VALID)
    said = f"{mutants:,} mutants; {valid} of {len(checked)} checked are valid"
    others = f" ({_listed(reasons.most_common())})" if reasons else ""
    about = mutants * times
    of_all = f"about {about:,.0f}, {about * valid / len(checked):,.0f} valid, of all tested texts"
    return f"{said}{others}; {of_all}"


def _shown(mutant: Mutant, *, mutated: bool) -> str:
    sentences = changed_sentences(mutant.original, mutant.edits)
    if sentences is None:
        text = marked(mutant.text, mutant.spans.values() if mutated else mutant.spans)
    else:
        text = " ... ".join(
            marked(change.mutated, change.replacing)
            if mutated
            else marked(change.original, change.replaced)
            for _, change in sentences
        )
    return " ".join(text.split())


def _listed(numbers: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in numbers)


def _line(what: str, text: str) -> str:
    return f"  {what:11} {text}"
