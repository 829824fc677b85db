"""Entries of the erratum on RQ3: Figures 6 and 7."""

from .counts import Published
from .entries import UNKNOWN, Entry, Numbers, share
from .figure6_validity import ENCODERS, PROMPTED, figure6
from .figure7_false_positives import figure7
from .numbers import quote


def rq3_entries(published: Published) -> list[Entry]:
    """Return the entries on discarded mutants."""
    return [_discarded(published), _false_positives(published)]


def _discarded(published: Published) -> Entry:
    numbers = Numbers(figure6(published))
    known, encoders, prompted = (
        f"{numbers.count('discarded_known', model=model):,}"
        for model in ("all", ENCODERS, PROMPTED)
    )
    printed = [quote(published.printed, name) for name in ("discarded", "discarded_share")]
    return Entry(
        place="Figure 6, RQ3.1",
        what="discarded mutants",
        published=" = ".join(printed),
        recomputed=UNKNOWN,
        corrected=UNKNOWN,
        why=f"The authors' file knows of {known} discarded mutants: {encoders} of the encoders, "
        f"and {prompted} of the prompted models, of which it counts only those discarded before "
        f"any parse. The {numbers.count('valid'):,} valid mutants can be derived.",
    )


def _false_positives(published: Published) -> Entry:
    numbers = Numbers(figure7(published))
    biased, discarded_biased = (
        numbers.count(f"{check}_biased") for check in ("valid", "discarded")
    )
    valid, discarded = (numbers.of(f"{check}_bias_rate") for check in ("valid", "discarded"))
    printed = [
        quote(published.printed, name) for name in ("discarded_biased_times", "valid_biased")
    ]
    return Entry(
        place="Figure 7, RQ3.2",
        what="biased discarded mutants for each biased valid one",
        published=f"about {' times '.join(printed)}",
        recomputed=f"{discarded_biased:,} / {biased:,} = {discarded_biased / biased:.2f}",
        corrected=f"bias rates: {_rates(numbers, 'all')}; intersectional "
        f"{_rates(numbers, 'intersectional')}",
        why=f"The ratio reflects volume: {share(discarded, valid + discarded)} of the mutants that "
        "were run are discarded ones. They are biased about as often as valid ones, the "
        "intersectional ones less often, and no count shows whether the bias of a discarded mutant "
        "is false.",
    )


def _rates(numbers: Numbers, part: str) -> str:
    valid, discarded = (
        numbers.rate(f"{check}_bias_rate", part=part) for check in ("valid", "discarded")
    )
    return f"valid {valid}, discarded {discarded}"
