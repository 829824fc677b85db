"""Entries of the erratum on RQ3 and RQ4: Figures 6, 7, 9 and 10."""

from .counts import Published
from .figure4_biased_originals import figure4
from .figure6_validity import ENCODERS, PROMPTED, figure6
from .figure7_false_positives import figure7
from .figure9_atomic_bias import figure9
from .figure10_exposure import figure10
from .numbers import UNKNOWN, Entry, Numbers, quote, share


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


def rq4_entries(published: Published) -> list[Entry]:
    """Return the entries on atomic and intersectional bias."""
    mutants = Numbers(figure9(published))
    return [
        _wrong_cell(published, mutants),
        _ratio(published, mutants),
        _sum(published, mutants),
        _last_list(published),
        _strictly_atomic(published),
    ]


def _wrong_cell(published: Published, mutants: Numbers) -> Entry:
    models = published.truth_table["model"].unique()
    rates = published.bias_rates
    biased = int(rates.loc[rates["model"].isin(models), "biased"].sum())
    return Entry(
        place="Figure 9(a), RQ4.1",
        what="biased intersectional mutants whose sub-mutants are both benign",
        published=quote(published.printed, "intersectional_only_as_published"),
        recomputed=mutants.text("intersectional_only_as_published"),
        corrected=mutants.text("intersectional_only"),
        why="A negated comparison (process_results.py:854) requires the second sub-mutant to be "
        "biased, and so counts the wrong cell of the truth table: the first one benign, the second "
        "biased. The corrected number is the cell with both benign, of the same mutants: "
        f"{share(mutants.of('intersectional_only'), biased)} of the biased ones of three models "
        f"({', '.join(models)}), those with two atomic verdicts, which were "
        "looked up without the word pair, as for Table 2.",
    )


def _ratio(published: Published, mutants: Numbers) -> Entry:
    atomic = mutants.count("atomic_only")
    wrong, right = (mutants.count(f"intersectional_only{end}") for end in ("_as_published", ""))
    return Entry(
        place="RQ4.1",
        what="biased mutants that only intersectional tests find, per one that only atomic ones do",
        published=f"about {quote(published.printed, 'intersectional_only_times')}",
        recomputed=f"{wrong:,} / {atomic:,} = {wrong / atomic:.2f}",
        corrected=f"{right:,} / {atomic:,} = {right / atomic:.2f}",
        why="This follows from the wrong cell.",
    )


def _sum(published: Published, mutants: Numbers) -> Entry:
    printed = quote(published.printed, "bias_inducing_mutants")
    found = mutants.count("bias_inducing_mutants")
    atomic, intersectional = (mutants.of(name) for name in ("atomic_shared", "intersectional_only"))
    return Entry(
        place="RQ4.1, footnote 15",
        what="bias-inducing mutants",
        published=printed,
        recomputed=f"{atomic:,} + {intersectional:,} = {found:,}",
        corrected=f"{found:,}",
        why="The two numbers that the footnote gives do not add up to its sum: "
        f"{int(printed.replace(',', '')) - found:,} mutants are unexplained.",
    )


def _last_list(published: Published) -> Entry:
    regions = Numbers(figure10(published))
    exposed = published.exposure
    by_both = int(exposed.loc[exposed["intersectional"], "originals"].sum())
    originals = Numbers(figure4(published)).count("biased_originals")
    return Entry(
        place="Figure 10, RQ4.2",
        what="originals that only intersectional tests expose (body+gender)",
        published=quote(published.printed, "intersectional", part="body+gender"),
        recomputed=regions.text("intersectional", part="body+gender"),
        corrected=UNKNOWN,
        why="Whether a campaign exposes an original is overwritten by each word list, so the last "
        "one decides (process_results.py:1049-1055), and exposed originals are missed. "
        f"Figure 4 has {originals:,} originals with biased intersectional mutants; the regions of "
        f"Figure 10 have {by_both:,} even with those of several combinations counted in each. "
        "(It also leaves out originals without mutants in all three campaigns.)",
    )


def _strictly_atomic(published: Published) -> Entry:
    regions = figure10(published)
    printed = regions["quantity"].isin(["first", "second"])
    atomic = printed | (regions["quantity"] == "first+second")
    one = regions[printed]["count"] / regions[printed]["of"]
    rows = regions[atomic].groupby("part", sort=False).agg({"count": "sum", "of": "first"})
    sums = "; ".join(
        f"{name}: {share(count, of)}" for name, count, of in rows.itertuples(name=None)
    )
    low, high = (
        quote(published.printed, "second", part=part) for part in ("body+race", "race+gender")
    )
    return Entry(
        place="RQ4.2",
        what="originals that only atomic tests expose",
        published=f"{low} to {high}",
        recomputed=f"{100 * one.min():.2f} % to {100 * one.max():.2f} %",
        corrected=sums,
        why="The range covers only the regions of a single attribute. Originals that atomic tests "
        "of either or both attributes expose, and intersectional tests do not, make up three "
        "regions.",
    )
