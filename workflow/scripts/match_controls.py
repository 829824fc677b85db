"""Match controls to the mutants of a suite, and add them to it."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.controls import CONTROLS_SCHEMA, ControlMaker, join_controls, match_suite, of_neutral
from hinter.dictionary import CONTROL, read_pairs, read_word_classes
from hinter.invariant import Annotator, Invariant
from hinter.job import progress_bar, run_job
from hinter.mutants import SUITE_SCHEMA
from hinter.mutation import operating_by
from hinter.responses import SuiteShard


def main(
    *,
    corpus: str,
    sampled: str,
    pairs: str,
    groups: str,
    parser: str,
    mutation: list[dict[str, Any]],
    invariant: dict[str, Any],
    store: str,
    annotations: str,
    seed: int,
    suite: str,
    controls: str,
) -> None:
    """Write the control of each valid mutant of the suite `sampled` to the Parquet `controls`.

    The Parquet `suite` gets the rows of `sampled` and those of the controls, with all sub-mutants
    of the controls that have a neutral pair. Neutral `pairs` are those of the attribute `control`;
    `groups` has the word classes of their terms. Controls are made by the operators of `mutation`
    and checked like mutants; `store` keeps checks of sentences, `annotations` parsed texts.
    """
    dictionary = {pair.pair_id: pair for pair in read_pairs(Path(pairs))}
    neutral = [pair for pair in dictionary.values() if pair.attribute == CONTROL]
    annotator = partial(Annotator.of_sheet, invariant, parser=Path(parser), store=Path(annotations))
    operating = operating_by(of_neutral(mutation), pairs=neutral, annotator=annotator)
    check = Invariant.of_sheet(invariant, parser=Path(parser), store=Path(store))
    makers = {
        operator: ControlMaker(
            substituting=substituting,
            pairs=dictionary,
            invariant=check,
            classes=read_word_classes(Path(groups), operator=operator),
            seed=seed,
        )
        for operator, substituting in operating.items()
    }
    mutants = SuiteShard(corpus=Path(corpus), suite=Path(sampled))
    total = pq.read_metadata(sampled).num_rows
    with TemporaryDirectory() as scratch:
        added = Path(scratch, "added.parquet")
        with (
            RowGroups(Path(controls), schema=CONTROLS_SCHEMA) as matched,
            RowGroups(added, schema=SUITE_SCHEMA) as written,
            progress_bar(total=total, label="controls", unit=" mutants") as bar,
        ):
            for count, matches, rows in match_suite(mutants, makers=makers):
                matched.write(matches)
                written.write(rows)
                bar.update(count)
        join_controls(Path(sampled), added, Path(suite))


if __name__ == "__main__":
    run_job(main, snakemake)
