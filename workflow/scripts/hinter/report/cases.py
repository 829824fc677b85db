"""The cases of a study in the format of the page: each text once, mutants as lists of edits."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import duckdb

from ..dictionary import WordPair
from ..lattice import lattice_of
from ..mutation import Mutant
from ..tables import Results, open_results
from .lattices import (
    CASES,
    CHECKS,
    CONTROLS,
    EXAMINED,
    OTHERS,
    Key,
    Row,
    choose_cases,
    read_readings,
    rows_by_key,
    rows_of,
)
from .prompts import Change, Prompts, changes_of, in_utf16, passages

MOST = 20_000
"""The maximum number of cases on a page."""
MOST_BYTES = 19_000_000
"""The maximum for all cases on a page; cases that do not fit are left out, last ranks first."""

TEXTS = """
    SELECT dataset, original_id, text, labels FROM corpora
    SEMI JOIN (SELECT dataset, split_part(mutant_id, '|', 1) AS original_id FROM chosen)
        USING (dataset, original_id)
"""
AT_ONCE = 64


@dataclass(frozen=True)
class Cases:
    """The cases of a page as JSON values, and how many the study has.

    `total` counts biased mutants, `hidden` the hidden ones, and `prompts` rewritten prompts.
    `pairs` are word pairs by pair_id, `originals` texts by dataset and original_id, each with its
    passages as [start, text]. `listed` has a row per case (see `_packed`). It refers to `readings`,
    the answers of models, by number, as several cases may share a part.
    """

    total: int
    hidden: int
    prompts: int
    pairs: Mapping[str, Sequence[str]]
    originals: Mapping[str, Mapping[str, Row]]
    readings: Sequence[Row]
    listed: Sequence[Row]

    @property
    def sampled(self) -> bool:
        """Whether the study has more cases than are listed."""
        return len(self.listed) < self.total + self.prompts


def read_cases(
    *,
    verdicts: Results,
    predictions: Results,
    corpora: Results,
    others: Mapping[str, Results],
    prompts: Prompts,
    pairs: Mapping[str, WordPair],
    seed: int,
    most: int = MOST,
    most_bytes: int = MOST_BYTES,
) -> Cases:
    """Return the cases of a study, with controls, checks and examinations if the study has them.

    `others` are the results controls, comparators and cases. `prompts` come after the mutants.
    `pairs` is the dictionary by pair_id. Texts are read a few at a time, and only their passages
    are kept.
    """
    mutants = (
        _read_mutants(
            {"verdicts": verdicts, "predictions": predictions, "corpora": corpora},
            details={name: results for name, results in others.items() if results},
            seed=seed,
            most=most,
        )
        if verdicts
        else Prompts()
    )
    both = mutants + prompts
    listed = list(_within(most_bytes, both.cases[:most], both.originals, both.readings))
    known = {(case["dataset"], case["original"]) for case in listed}
    originals: dict[str, dict[str, Row]] = defaultdict(dict)
    for dataset, original_id in sorted(known):
        originals[dataset][original_id] = both.originals[dataset, original_id]
    used = {pair_id for case in listed for pair_id in case["pairs"]}
    used |= {pair_id for case in listed for pair_id in case.get("control", {}).get("pairs", ())}
    named = {**pairs, **both.pairs}
    return Cases(
        total=mutants.total,
        hidden=mutants.hidden,
        prompts=prompts.total,
        pairs={pair_id: _named(named[pair_id]) for pair_id in sorted(used)},
        originals=originals,
        **_numbered(listed, both.readings),
    )


def _read_mutants(
    results: Mapping[str, Results], *, details: Mapping[str, Results], seed: int, most: int
) -> Prompts:
    """Return the chosen biased mutants of a study."""
    connection = open_results(**results, **details)
    total, hidden = choose_cases(connection, most=most, seed=seed)
    reader = _Reader(connection, details=details)
    return Prompts(total, hidden, reader.cases, reader.originals, reader.readings)


class _Reader:
    """The chosen cases with everything that the page shows of them, and their originals."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, *, details: Mapping[str, Results]
    ) -> None:
        chosen = rows_of(connection, CASES)
        queries = {"controls": CONTROLS, "comparators": CHECKS, "cases": EXAMINED}
        self._details = {
            name: rows_by_key(connection, query) if name in details else {}
            for name, query in queries.items()
        }
        self._others = defaultdict[Key, dict[int, Row]](dict)
        for row in rows_of(connection, OTHERS):
            self._others[_key(row)][row["part"]] = row
        self.readings = read_readings(connection, chosen, self._details["controls"])
        self.originals: dict[tuple[str, str], Row] = {}
        packed = self._packed_by_texts(connection, chosen)
        self.cases = [packed[_key(case)] for case in chosen]

    def _packed_by_texts(
        self, connection: duckdb.DuckDBPyConnection, chosen: Sequence[Row]
    ) -> dict[Key, Row]:
        """Return the cases in the format of the page, and store their originals."""
        of_text = defaultdict[tuple[str, str], list[Row]](list)
        for case in chosen:
            of_text[case["dataset"], case["original_id"]].append(case)
        packed: dict[Key, Row] = {}
        for dataset, original_id, text, labels in _texts(connection):
            cases = {_key(case): self._packed(case, text) for case in of_text[dataset, original_id]}
            changes = chain.from_iterable(map(_all_changes, cases.values()))
            place = in_utf16(text)
            self.originals[dataset, original_id] = {
                "labels": labels,
                "length": place(len(text)),
                "passages": [
                    [place(first), text[first:last]] for first, last in passages(text, changes)
                ],
            }
            for case in cases.values():
                for change in _all_changes(case):
                    change[:2] = map(place, change[:2])
            packed |= cases
        return packed

    def _packed(self, case: Row, text: str) -> Row:
        """Return a case with its changes, the keys of answers by part, and its other fields."""
        key, pair_ids = _key(case), case["pair_ids"]
        whole = Mutant.of_row(case, text)
        others = {part: Mutant.of_row(row, text) for part, row in self._others[key].items()}
        details = {
            **{name: case[name] for name in ("model", "dataset", "hidden", "valid")},
            "original": case["original_id"],
            "pairs": pair_ids,
            "changes": changes_of(whole, whole=whole),
            "others": {part: changes_of(other, whole=whole) for part, other in others.items()},
            "sampled": case["sampled"],
            **{name: case[name] or None for name in ("complete", "undecided")},
            "readings": [
                (*key[:2], input_id) for input_id in lattice_of(case["original_id"], pair_ids)
            ],
            "checks": self._details["comparators"].get(key),
            "examined": self._details["cases"].get(key),
            "control": self._control(key, text),
        }
        return {name: value for name, value in details.items() if value not in (None, {})}

    def _control(self, key: Key, text: str) -> Row | None:
        row = self._details["controls"].get(key)
        if row is None:
            return None
        control = Mutant.of_row(row, text)
        return {
            "pairs": row["pair_ids"],
            "changes": changes_of(control, whole=control),
            "reading": (*key[:2], row["control_id"]),
        }


def _texts(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str, str, list[str]]]:
    asked = connection.execute(TEXTS)
    while rows := asked.fetchmany(AT_ONCE):
        yield from rows


def _all_changes(case: Row) -> Iterator[Change]:
    yield from case["changes"]
    yield from chain.from_iterable(case.get("others", {}).values())
    yield from case.get("control", {}).get("changes", ())


def _within(
    most_bytes: int,
    cases: Sequence[Row],
    originals: Mapping[tuple[str, str], Row],
    readings: Mapping[Key, Row],
) -> Iterator[Row]:
    """Yield cases in the order of their ranks, as long as they fit with their texts and answers."""
    seen: set[tuple[str, ...]] = set()
    size = 0
    for case in cases:
        parts = {key: readings[key] for key in _keys(case) if key in readings}
        details = {
            (case["dataset"], case["original"]): originals[case["dataset"], case["original"]]
        }
        new = {key: row for key, row in [*parts.items(), *details.items()] if key not in seen}
        size += _bytes(_numbered([case], {})["listed"][0]) + sum(map(_bytes, new.values()))
        if size > most_bytes:
            return
        seen |= new.keys()
        yield case


def _keys(case: Row) -> list[Key]:
    """Return the keys of all answers in a case."""
    control = case.get("control")
    return [*case["readings"], *([control["reading"]] if control else [])]


def _numbered(cases: Sequence[Row], readings: Mapping[Key, Row]) -> dict[str, list[Row]]:
    """Return the answers in the cases, and the cases with their numbers (None if not run)."""
    keys = dict.fromkeys(key for case in cases for key in _keys(case) if key in readings)
    numbers = {key: number for number, key in enumerate(keys)}
    listed = []
    for case in cases:
        details = {**case, "readings": [numbers.get(key) for key in case["readings"]]}
        if "control" in case:
            reading = numbers.get(case["control"]["reading"])
            details["control"] = {**case["control"], "reading": reading}
        listed.append(details)
    return {"readings": [readings[key] for key in keys], "listed": listed}


def _bytes(value: Row) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def _key(case: Row) -> Key:
    return case["model"], case["dataset"], case["mutant_id"]


def _named(pair: WordPair) -> tuple[str, ...]:
    return pair.attribute, pair.source_group, pair.target_group, pair.source, pair.target
