"""The controls of a whole suite, and suites with controls: results/suites/{dataset}.parquet."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from ..blocks import OF_BLOCK, RowGroups, blocks_of_originals
from ..database import open_database
from ..mutants import SUITE_SCHEMA
from ..mutation import Mutant
from ..responses import SuiteShard
from .making import ControlMaker
from .matching import CONTROLS_SCHEMA, Match

MUTANTS_AT_ONCE = 250_000
"""About how many mutants are joined with their controls at once."""

# Some controls are sub-mutants of others. A row that was listed or sampled itself comes first.
JOINED = f"""
    SELECT DISTINCT ON (mutant_id) *
    FROM (
        FROM read_parquet('{{sampled}}') WHERE {OF_BLOCK}
        UNION ALL BY NAME FROM read_parquet('{{controls}}') WHERE {OF_BLOCK}
    )
    ORDER BY original_id, "order", attributes, mutant_id, sampled DESC NULLS FIRST, edits
"""


def match_suite(
    suite: SuiteShard, *, makers: Mapping[str, ControlMaker]
) -> Iterator[tuple[int, pa.Table, pa.Table]]:
    """Yield matches and rows of controls, some mutants of a suite at a time.

    Mutants are matched by the maker for their operator. Each item has the number of mutants; the
    rows of `CONTROLS_SCHEMA` of the valid mutants that were listed or sampled themselves, without a
    control if none was found; and the rows of `SUITE_SCHEMA` of the controls of both kinds, with
    their sub-mutants that have a neutral pair.
    """
    for block in suite.blocks():
        texts = {text.original_id: text.text for text in block.originals}
        for maker in makers.values():
            maker.substituting.prepare(texts.values())
        for rows in block.mutants:
            for operator, maker in makers.items():
                own = [row for row in rows if row["operator"] == operator]
                asked = [row for row in own if row["sampled"] is not False]
                sampled = {row["mutant_id"]: row["sampled"] for row in asked}
                found = maker.match(
                    [Mutant.of_row(row, texts[row["original_id"]]) for row in asked]
                )
                matched = [
                    found[key].row() if key in found else {"mutant_id": key} for key in sampled
                ]
                matches = pa.Table.from_pylist(matched, schema=CONTROLS_SCHEMA)
                yield len(own), matches, _rows(found, sampled=sampled, maker=maker)


def join_controls(sampled: Path, controls: Path, suite: Path) -> None:
    """Write the rows of the Parquets `sampled` and `controls` to the Parquet `suite`, sorted."""
    connection = open_database()
    query = JOINED.format(sampled=sampled, controls=controls)
    # Controls have the same originals as the sampled mutants.
    blocks = blocks_of_originals(
        connection, rows=f"read_parquet('{sampled}')", at_once=MUTANTS_AT_ONCE
    )
    with RowGroups(suite, schema=SUITE_SCHEMA) as written:
        for _ in blocks:
            rows = connection.sql(query).to_arrow_table()
            written.write(rows.select(SUITE_SCHEMA.names).cast(SUITE_SCHEMA))


def _rows(
    found: Mapping[str, Match], *, sampled: Mapping[str, bool | None], maker: ControlMaker
) -> pa.Table:
    rows = [
        {
            **part.recipe(),
            "operator": maker.substituting.index.operator,
            "one_person": maker.one_person(part),
            "valid": True,
            "sampled": sampled[mutant_id] and part is parts[-1],
            "control": True,
        }
        for mutant_id, match in found.items()
        for parts in (match.parts, match.neutral_parts)
        for part in parts
    ]
    return pa.Table.from_pylist(rows, schema=SUITE_SCHEMA)
