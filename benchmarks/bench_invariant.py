"""Time the engine against the literal Algorithm 2, mere parsing and spaCy's: one JSON line.

`.venv/bin/python benchmarks/bench_invariant.py`. Engine and parsing run twice in turn, the better
time of each counts; the literal algorithm runs on mutants drawn at random. With `--substitution
coherent` or `describe` the engine also annotates the originals and asks all rules; the bound then
is to annotate the originals and to parse the changed sentences.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow as pa
import spacy
from corpus import (
    add_texts,
    curated_dictionary,
    describing,
    invariant,
    parser_folder,
    read_texts,
    selective,
)
from generate_mutants import CHARACTERS_AT_ONCE
from hinter.corpora import Text, blocks_of
from hinter.invariant import (
    Annotator,
    Parse,
    Parser,
    check_block,
    split_sentences,
    tolerantly_equal,
)
from hinter.invariant.pipelines import ANNOTATORS, open_pipeline
from hinter.mutants import list_orders
from hinter.mutation import Describing, Mutant, Selective
from hinter.mutation import Literal as Replacing
from isa import machine, parse_arguments
from numpy.random import default_rng

ORDERS = [1, 2]


class Recorder(Parser):
    """The parser, noting what it is given."""

    sentences: dict[str, None]

    def parse_where(
        self, sentences: Sequence[str], *, tags_pass: Callable[[int, Parse], bool]
    ) -> Iterator[Parse | None]:
        """Note the sentences and parse them."""
        self.sentences |= dict.fromkeys(sentences)
        return super().parse_where(sentences, tags_pass=tags_pass)


class Noting(Annotator):
    """The annotator, noting which texts it is given."""

    def __init__(self, folder: Path, *, store: Path) -> None:
        super().__init__(folder, store=store)
        self.noted: list[str] = []

    def prepare(self, texts: Iterable[str]) -> None:
        """Note the texts and annotate them."""
        new = list(texts)
        self.noted += new
        super().prepare(new)


SUBSTITUTING: dict[str, Callable[[Annotator], Replacing | Selective | Describing]] = {
    "literal": lambda annotator: Replacing(curated_dictionary()),
    "coherent": lambda annotator: selective(curated_dictionary(coherent=True), annotator=annotator),
    "describe": describing,
}


class Literal(NamedTuple):
    """What the literal algorithm says of a mutant, and what it took."""

    valid: bool
    seconds: float


def main(*, texts: Path | None, count: int, literal: int, seed: int, substitution: str) -> None:
    """Print the record."""
    parser = Recorder(parser_folder())
    originals = read_texts(texts, count=count)
    times: dict[str, list[float]] = {"engine": [], "parsing": [], "spacy": [], "annotating": []}
    plain = spacy.load(parser_folder(), exclude=["attribute_ruler", "lemmatizer", "ner"])
    for _ in range(2):
        parser.sentences = {}
        started = time.perf_counter()
        rows, annotated = _run_engine(originals, substitution=substitution, parser=parser)
        times["engine"].append(time.perf_counter() - started)
        distinct = list(parser.sentences)
        started = time.perf_counter()
        for _ in Parser.parse_where(parser, distinct, tags_pass=lambda position, tagged: True):
            pass
        times["parsing"].append(time.perf_counter() - started)
        started = time.perf_counter()
        for _ in plain.pipe(distinct):
            pass
        times["spacy"].append(time.perf_counter() - started)
        started = time.perf_counter()
        _annotate(annotated)
        times["annotating"].append(time.perf_counter() - started)
    size = min(literal, rows.num_rows)
    sampled = rows.take(default_rng(seed).choice(rows.num_rows, size=size, replace=False))
    answers = _run_literal(sampled, originals=originals, parser=parser)
    engine, parsing, by_spacy, annotating = (min(seconds) for seconds in times.values())
    per_literal = sum(answer.seconds for answer in answers) / len(answers)
    record = {
        "substitution": substitution,
        "texts": len(originals),
        "mutants": rows.num_rows,
        "distinct_sentences": len(distinct),
        "seconds": round(engine, 2),
        "seconds_parsing": round(parsing, 2),
        "seconds_spacy": round(by_spacy, 2),
        "seconds_annotating": round(annotating, 2),
        "ratio_to_parse_bound": round(engine / (parsing + annotating), 3),
        "parsing_speedup_over_spacy": round(by_spacy / parsing, 2),
        "literal_mutants": len(answers),
        "literal_ms_per_mutant": round(1000 * per_literal, 2),
        "speedup_over_literal": round(per_literal * rows.num_rows / engine, 1),
        "checks_identical": [answer.valid for answer in answers] == sampled["valid"].to_pylist(),
        **machine(),
    }
    print(json.dumps(record))


def _run_engine(
    texts: Sequence[Text], *, substitution: str, parser: Parser
) -> tuple[pa.Table, Sequence[str]]:
    """Return the checked mutants, and the texts that were annotated for them."""
    tables = []
    with TemporaryDirectory() as store:
        check = invariant(parser, store=Path(store))
        annotator = Noting(parser_folder(), store=Path(store))
        how = SUBSTITUTING[substitution](annotator)
        for block in blocks_of(texts, characters=CHARACTERS_AT_ONCE):
            how.prepare(text.text for text in block)
            checked = check_block(block, operating=how, orders=ORDERS, invariant=check)
            tables.append(list_orders(list(checked), orders=ORDERS, index=how.index))
    return pa.concat_tables(tables), annotator.noted


def _annotate(texts: Sequence[str]) -> None:
    """Annotate all sentences of texts once, in batches."""
    pipeline, _ = open_pipeline(
        parser_folder(), device="cpu", components=ANNOTATORS, needed=["tagger", "parser"]
    )
    for _ in pipeline.pipe(chain.from_iterable(map(_sentences, texts)), batch_size=128):
        pass


def _run_literal(mutants: pa.Table, *, originals: Sequence[Text], parser: Parser) -> list[Literal]:
    texts = {text.original_id: text.text for text in originals}
    answers = []
    for row in mutants.to_pylist():
        original = texts[row["original_id"]]
        # As in the authors' code, the parses of an original are kept.
        parses = [_parse(sentence, parser=parser) for sentence in _sentences(original)]
        started = time.perf_counter()
        mutant = Mutant.of_row(row, original)
        valid = _conforms(parses, _sentences(mutant.text), parser=parser)
        answers.append(Literal(valid, time.perf_counter() - started))
    return answers


def _conforms(originals: Sequence[Parse], mutated: Sequence[str], *, parser: Parser) -> bool:
    """Algorithm 2, lines 6 to 22."""
    if len(originals) != len(mutated):
        return False
    for original, sentence in zip(originals, mutated, strict=True):
        parse = _parse(sentence, parser=parser)
        if not tolerantly_equal(original.tags, parse.tags):
            return False
        if not tolerantly_equal(original.labels, parse.labels):
            return False
    return True


def _parse(sentence: str, *, parser: Parser) -> Parse:
    [parse] = parser.parse([sentence])
    return parse


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_texts(parser)
    parser.add_argument("--count", type=int, default=150, help="texts, at equal distances")
    parser.add_argument("--literal", type=int, default=600, help="mutants checked literally")
    parser.add_argument("--seed", type=int, default=1, help="seed of the literal mutants")
    parser.add_argument("--substitution", choices=[*SUBSTITUTING], default="literal")
    main(**parse_arguments(parser))
