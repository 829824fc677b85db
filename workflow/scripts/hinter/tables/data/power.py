"""The excess that each suite can be expected to find: the study's tests on simulated models."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...statistics import Assumptions, PairedTexts, least_excess, simulate_studies
from ..shown import in_percent, shown
from ..table import Part, Results, Table, open_results

BASE_RATES = 0.02, 0.1
"""The base rates of a steady model, and of one that often changes its answer."""
PLANTED = 0.1
"""The rate at which planted bias changes the outcome."""

Names = npt.NDArray[np.str_]
Indices = npt.NDArray[np.int64]

PARTS = """
    list_transform(
        parts({of}.pair_ids)[2:], lambda part: part_id({of}.original_id, {of}.pair_ids, part)
    )
"""
PAIRS = f"""
    SELECT m."order", {PARTS.format(of="m")} AS mutant, {PARTS.format(of="c")} AS control
    FROM suites AS m
    JOIN controls AS k USING (dataset, mutant_id)
    JOIN suites AS c ON c.mutant_id = k.control_id
    WHERE m.valid AND m.sampled IS NOT FALSE AND NOT m.control
    ORDER BY m."order", mutant_id
"""
COLUMNS = {
    "suite": "whole, or the model that is run on this part of the suite",
    "dataset": "name of the dataset",
    "order": "number of attributes that the mutants change",
    "measure": "bias, or hidden bias, as in the table excess",
    "n": "mutants with a control; for hidden bias, those whose sub-mutants are all run",
    "originals": "originals of these mutants",
    "base_rate": "assumed share of texts that change the outcome without any bias",
    "correlation": "assumed correlation of these changes between two texts of an original",
    "excess_half_width": "half the mean width of the 95 % interval of the excess without any bias",
    "found_share": "share of studies that find an excess if there is no bias",
    "attribute": "the most common attribute of the mutants",
    "attribute_share": "share of studies that find an excess if pairs of this attribute alone "
    "change a tenth of the outcomes, in all texts with the pair",
    "together_share": "share of studies that find an excess if a tenth of the mutants change the "
    "outcome, and their sub-mutants do not",
    "least_excess": "least excess of the latter kind that is found with a power of 80 %",
}


def tabulate_power(run_suites: Results, controls: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per suite, order, measure and assumed base rate, with shares as proportions.

    `run_suites` are the suites that models are run on. A study finds an excess if it is above 0
    with a p-value of at most 0.05, by the test and over all mutants of the order as in the table
    excess.
    """
    rows = [
        {
            "suite": "whole" if suite == "suites" else suite,
            "dataset": dataset,
            "order": order,
            "measure": measure,
            "base_rate": base_rate,
            **_expected(names, Assumptions(base_rate), seed=seed),
        }
        for suite, dataset, path in run_suites
        for order, measure, names in _compared((suite, dataset, path), controls)
        for base_rate in BASE_RATES
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).round(4)


def _compared(suite: Part, controls: Results) -> Iterator[tuple[int, str, Names]]:
    """Yield order, measure and the ids of the texts of mutants and controls, by pair and part."""
    connection = open_results(suites=[suite], controls=controls)
    asked = connection.execute("SELECT mutant_id FROM suites WHERE valid").df()["mutant_id"]
    for order, pairs in connection.execute(PAIRS).df().groupby("order"):
        names = np.array([pairs["mutant"].tolist(), pairs["control"].tolist()], dtype=str)
        yield int(order), "bias", names[:, :, -1:]
        complete = np.isin(names, asked.to_numpy(dtype=str)).all(axis=(0, 2))
        if order > 1 and complete.any():
            yield int(order), "hidden bias", names[:, complete]


def _expected(names: Names, assumptions: Assumptions, *, seed: int) -> dict[str, Any]:
    texts, numbers = np.unique(names, return_inverse=True)
    split = [text.split("|") for text in texts.tolist()]
    _, originals = np.unique([original for original, *_ in split], return_inverse=True)
    pairs = PairedTexts(originals, *numbers.reshape(names.shape))
    mutants = pairs.mutants[:, -1]
    held = Counter(_attribute(pair) for text in mutants for pair in split[text][1:])
    attribute = max(sorted(held), key=held.__getitem__)
    alone = _numbers_of_pairs(split, attribute=attribute)
    together = np.full(len(texts), -1)
    together[mutants] = mutants
    nothing, of_attribute, of_mutants = (
        simulate_studies(pairs, planted=planted, rate=rate, assumptions=assumptions, seed=seed)
        for planted, rate in ((together, 0), (alone, PLANTED), (together, PLANTED))
    )
    return {
        "n": len(mutants),
        "originals": len(np.unique(originals[mutants])),
        "correlation": assumptions.correlation,
        "excess_half_width": nothing.half_width,
        "found_share": nothing.found,
        "attribute": attribute,
        "attribute_share": of_attribute.found,
        "together_share": of_mutants.found,
        "least_excess": least_excess(pairs, planted=together, assumptions=assumptions, seed=seed),
    }


def _numbers_of_pairs(split: Sequence[Sequence[str]], *, attribute: str) -> Indices:
    """Return the number of the original and the pair of an attribute of each text, -1 for none."""
    held = [[pair for pair in pairs if _attribute(pair) == attribute] for _, *pairs in split]
    ids = [f"{text[0]}|{pair}" for text, pair in zip(split, held, strict=True)]
    return np.where([bool(pair) for pair in held], np.unique(ids, return_inverse=True)[1], -1)


def _attribute(pair: str) -> str:
    return pair.split(":")[0]


TABLE = Table(
    question="Mutants",
    title="Excess that the suite can find",
    only_if=("controls",),
    columns=COLUMNS,
    compute=tabulate_power,
    show=shown(
        *("suite", "dataset", "order", "measure", "n", "originals"),
        in_percent("base_rate", "changed anyway %"),
        in_percent("excess_half_width", "interval ±"),
        in_percent("found_share", "found without bias %"),
        in_percent("attribute_share", "found of one attribute %"),
        in_percent("together_share", "found of all together %"),
        in_percent("least_excess", "found from"),
    ),
    empty="Nothing to show: no mutant has a control.",
    text="""\
The excess over controls that the suite can be expected to find, in percentage points: half the
width of its 95 % interval, and the least excess that four studies in five find (p at most 0.05).
The tests of the table of excess are applied to simulated models, which change the outcome of any
text at the given rate, with a correlation of 0.4 within originals. The last columns give the share
of such studies that find an excess if there is no bias, if pairs of one attribute change a tenth of
the outcomes, and if a tenth of the mutants change it but none of their sub-mutants.

Simulated models answer the suite's own texts in 200 studies. They change the outcome of any text,
harmless edits included, at a rate of 2 % (a steady model) or 10 %; these are assumptions, not
results. Changes by pairs of one attribute are not hidden bias. Bias that is spread less evenly over
originals is harder to find.
""",
)
