"""The form in which people annotate mutants, sampled from the suites, as CSV and as a page."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv as pa_csv
from jinja2 import Environment, StrictUndefined

from ..database import open_database
from ..dictionary import WordPair
from ..errors import InputError
from ..invariant import split_sentences
from ..mutation import Mutant, Span, plain
from .assessed_mutants import ASKED, ASKED_OF_CASES, AssessedMutant

LEFT_OUT = " […] "
"""The mark for omitted sentences between two passages."""


class Part(NamedTuple):
    """A piece of a text, and whether it is replaced in the mutant."""

    text: str
    replaced: bool = False


def passages_of(mutant: Mutant) -> tuple[list[Part], list[Part]]:
    """Return the changed sentences of original and mutant, with one neighbour on each side."""
    spans = mutant.spans
    return list(_parts(mutant.original, spans)), list(_parts(mutant.text, spans.values()))


def _parts(text: str, replaced: Collection[Span]) -> Iterator[Part]:
    for number, (start, end) in enumerate(_passages(text, replaced)):
        if number:
            yield Part(LEFT_OUT)
        position = start
        for first, last in sorted(span for span in replaced if start <= span[0] < end):
            yield Part(text[position:first])
            yield Part(text[first:last], replaced=True)
            position = last
        yield Part(text[position:end])


def _passages(text: str, replaced: Collection[Span]) -> list[Span]:
    """Return the runs of sentences that are changed or next to a changed one."""
    sentences = split_sentences(plain(text))
    changed = [
        number
        for number, (start, end) in enumerate(sentences)
        if any(first < end and start < last for first, last in replaced)
    ]
    shown = {near for number in changed for near in (number - 1, number, number + 1)}
    runs = groupby(range(len(sentences)), key=shown.__contains__)
    passages = [[*run] for is_shown, run in runs if is_shown]
    return [(sentences[run[0]][0], sentences[run[-1]][1]) for run in passages]


FORM_COLUMNS = ("mutant_id", "dataset", "replacements", "before", "after")
"""The columns of a form that are already filled in; the others are for the annotator."""
ANNOTATOR_COLUMNS = (*ASKED, "comment")
CASE_COLUMNS = (*FORM_COLUMNS, *ASKED_OF_CASES, "comment")
"""The columns of answers on cases."""

_SECTION = re.compile(r"^## \d+\. (.+)$", flags=re.MULTILINE)


class Item(NamedTuple):
    """A mutant in the form with its pairs, and its `sample` if it has been annotated before."""

    mutant: Mutant
    pairs: Sequence[WordPair]
    dataset: str
    sample: str = ""

    @property
    def replacements(self) -> str:
        """The pairs as `source -> target`."""
        return "; ".join(f"{pair.source} -> {pair.target}" for pair in self.pairs)

    @property
    def passages(self) -> tuple[list[Part], list[Part]]:
        """The passages of the original and of the mutant."""
        return passages_of(self.mutant)

    def row(self) -> dict[str, str]:
        """Return the row of the form, without answers."""
        before, after = ("".join(part.text for part in parts) for parts in self.passages)
        filled = (self.mutant.mutant_id, self.dataset, self.replacements, before, after)
        return {
            **({"sample": self.sample} if self.sample else {}),
            **dict(zip(FORM_COLUMNS, filled, strict=True)),
            **dict.fromkeys(ANNOTATOR_COLUMNS, ""),
        }


def assessed_items(assessed: Sequence[AssessedMutant]) -> list[Item]:
    """Return the items for annotated mutants, in the order of a hash.

    An annotator who answers only the first ones has thus annotated a random sample of each stratum.
    """
    ordered = sorted(assessed, key=lambda each: hashlib.sha256(each.mutant_id.encode()).digest())
    return [Item(each.mutant, each.pairs, each.dataset, each.sample) for each in ordered]


def write_form(
    items: Sequence[Item], path: Path, *, page: Path, template: Path, guideline: Path
) -> None:
    """Write the form as CSV to `path`, and as one page of HTML, which works offline, to `page`.

    `template` is a Jinja template of the page. `guideline` has a section per question in Markdown.
    """
    rows = [item.row() for item in items]
    # Every cell is in quotes, as texts may contain any line break.
    quoted = pa_csv.WriteOptions(quoting_style="all_valid")
    pa_csv.write_csv(pa.Table.from_pylist(rows), path, quoted)
    questions = read_questions(guideline.read_text(encoding="utf-8"))
    jinja = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    rendered = jinja.from_string(template.read_text(encoding="utf-8")).render(
        items=items,
        rows=rows,
        columns=[*rows[0]],
        questions=questions[: len(ASKED)],
        # Keeps what a browser has stored for one form apart from the answers to another.
        key=hashlib.sha256(repr(rows).encode()).hexdigest()[:16],
    )
    # Texts keep their line breaks, which Python would otherwise make those of the system.
    page.write_text(rendered, encoding="utf-8", newline="")


def read_questions(guideline: str) -> list[tuple[str, str, str]]:
    """Return name, question and instruction of each section of the guideline in Markdown.

    The last question is only about cases.
    """
    _, *sections = _SECTION.split(guideline)
    questions = zip(ASKED_OF_CASES, sections[::2], sections[1::2], strict=True)
    return [(name, asked, about.strip()) for name, asked, about in questions]


SUITE = """
    SELECT '{dataset}' AS dataset, mutant_id, original_id, "order", pair_ids, edits
    FROM read_parquet('{suite}') WHERE valid AND sampled IS DISTINCT FROM false AND NOT control
"""
# Originals take turns within an order, orders within a dataset, and datasets within the form. If a
# text is in two datasets, it has the same mutants in both, and each is annotated once.
SAMPLE_QUERY = """
    WITH hashed AS (
        SELECT dataset, mutant_id, original_id, "order", md5('{seed}:' || mutant_id) AS hash
        FROM valid QUALIFY row_number() OVER (PARTITION BY mutant_id ORDER BY dataset) = 1
    ),
    of_original AS (
        SELECT *, row_number() OVER (
            PARTITION BY dataset, "order", original_id ORDER BY hash, mutant_id
        ) AS turn FROM hashed
    ),
    of_order AS (
        SELECT * REPLACE (row_number() OVER (
            PARTITION BY dataset, "order" ORDER BY turn, hash, mutant_id
        ) AS turn) FROM of_original
    ),
    of_dataset AS (
        SELECT * REPLACE (row_number() OVER (PARTITION BY dataset ORDER BY turn, "order") AS turn)
        FROM of_order
    ),
    sampled AS (
        SELECT dataset, mutant_id, hash FROM of_dataset ORDER BY turn, dataset LIMIT {mutants}
    )
    SELECT dataset, mutant_id, original_id, pair_ids, edits
    FROM valid JOIN sampled USING (dataset, mutant_id) ORDER BY hash, mutant_id
"""


def sample_mutants(suites: Mapping[str, Path], *, mutants: int, seed: int) -> list[dict[str, Any]]:
    """Return at most so many valid `mutants` of the suites by dataset, in the order of the form.

    They are sampled by seeded hash: equal numbers from each dataset, within it from each order, and
    within that from each original, as far as there are enough. A row has dataset, mutant_id,
    original_id, pair_ids and edits. Raises `InputError` if no mutant is valid.
    """
    connection = open_database()
    valid = " UNION ALL ".join(
        SUITE.format(dataset=dataset, suite=suite) for dataset, suite in suites.items()
    )
    connection.execute(f"CREATE VIEW valid AS {valid}")
    sampled = connection.sql(SAMPLE_QUERY.format(seed=seed, mutants=mutants)).to_arrow_table()
    if not sampled.num_rows:
        raise InputError(
            where=", ".join(map(str, suites.values())),
            found="no valid mutant",
            expected="at least one to annotate",
            fix="Test more texts (`splits` in the datasets sheet), or add terms to the dictionary.",
        )
    return sampled.to_pylist()
