"""Format for the terminal what was read from a dataset, and which mutants to expect."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

import pyarrow as pa

from ..corpora import TESTED, Text
from ..invariant import Reason, changed_sentences
from ..mutation import Mutant, reason_in_short
from .estimates import Checked, Expected, examples_of
from .results import marked

EXAMPLES = 10
RULES_SHOWN = 6
LABELS_SHOWN = 12


def show_read(corpus: pa.Table, *, counts: Mapping[str, int], tested: int) -> list[str]:
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
