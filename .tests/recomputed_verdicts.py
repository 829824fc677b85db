"""The texts and verdicts of a finished study computed again from its raw files.

Nothing of the library is imported: this reads what docs/files.md says of the files.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

Row = dict[str, Any]
KEYS = ["original_id", "order", "attributes", "reason"]
FLIPS = 9_999
"""How many sign flips the library draws."""
JUDGED = ["biased", "hidden", "complete", "counted", "minimal_subsets", "shift", "margin"]
JUDGED += ["worse", "better", "favoured"]
"""What is compared of verdicts."""


class Tally:
    """How many numbers of each kind were compared, and which of them disagree."""

    def __init__(self) -> None:
        self.compared = Counter[str]()
        self.wrong: list[str] = []

    def same(self, kind: str, where: object, told: Any, found: Any, within: float = 2e-6) -> None:
        """Compare what a file tells with what was found; None and nan are no number."""
        self.compared[kind] += 1
        told, found = (None if isinstance(x, float) and np.isnan(x) else x for x in (told, found))
        numbers = all(isinstance(x, int | float) for x in (told, found))
        if not (abs(told - found) <= within if numbers else told == found):
            self.wrong.append(f"{kind}, {where}: printed {told}, found {found}")

    def table(self, name: str, told: pd.DataFrame, found: pd.DataFrame, keys: list[str]) -> None:
        """Compare the cells of a table that were found; its lines have these keys."""
        told, found = told.set_index(keys).sort_index(), found.set_index(keys).sort_index()
        self.same(name, "lines", told.index.tolist(), found.index.tolist())
        for (*line, column), value in found.stack(future_stack=True).items():
            p = value if column.endswith("p_value") else np.nan
            within = 2e-6 if np.isnan(p) else 2e-4 + 6 * sqrt(p * (1 - p) / FLIPS)
            if tuple(line) in told.index:
                self.same(name, (*line, column), told.loc[tuple(line), column], value, within)


def read(path: Path) -> list[Row]:
    """Return the rows of a Parquet file."""
    relation = duckdb.read_parquet(str(path))
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def render(text: str, edits: Iterable[Row]) -> str:
    """Return the text of a mutant of an original."""
    for edit in sorted(edits, key=lambda edit: -edit["start"]):
        text = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    return text


def substitute(text: str, pairs: Mapping[str, str]) -> str:
    """Return the text with all sources replaced as whole words, the longest first."""
    taken: list[Row] = []
    for source in sorted(pairs, key=lambda source: -len(source)):
        whole = rf"(?<!\w)(?<!\w-){re.escape(source)}(?!-?\w)"
        for start, end in (match.span() for match in re.finditer(whole, text, re.IGNORECASE)):
            if all(end <= other["start"] or other["end"] <= start for other in taken):
                taken.append({"start": start, "end": end, "text": pairs[source]})
    return render(text, taken)


def check_texts(results: Path, settings: Mapping[str, Any], tally: Tally) -> None:
    """Compare ids, texts and numbers of all mutants, and whether models were given these texts."""
    pairs = pd.read_csv(results / "dictionary" / "pairs.csv", dtype=str).set_index("pair_id")
    terms = pairs["source"].to_dict(), pairs["target"].to_dict()
    literal = settings["mutation"]["operators"] == ["literal"]
    for path in sorted((results / "mutants").glob("*.parquet")):
        texts = {row["original_id"]: row["text"] for row in read(results / "corpora" / path.name)}
        for key, text in texts.items():
            tally.same("ids", key, key, hashlib.sha256(text.encode()).hexdigest()[:16])
        listed, rendered = read(path), dict(texts)
        rows = [*listed, *read(results / "suites" / path.name)]
        check_parts({row["mutant_id"]: row for row in rows}, literal=literal, tally=tally)
        for row in rows:
            key, text = row["mutant_id"], texts[row["original_id"]]
            tally.same("ids", key, key, "|".join([row["original_id"], *row["pair_ids"]]))
            rendered[key] = render(text, row["edits"])
            if literal:
                own = substitute(text, {terms[0][pair]: terms[1][pair] for pair in row["pair_ids"]})
                tally.same("texts", key, rendered[key].lower(), own.lower())
        counts = Counter(tuple(row[k] for k in KEYS) for row in listed if row["sampled"] is None)
        told = {
            tuple(row[k] for k in KEYS): row["mutants"]
            for row in read(results / "counts" / path.name)
        }
        told = {key: n for key, n in told.items() if key[1] in settings["orders"]}
        for key in told | counts:
            tally.same("counts", key, told.get(key), counts.get(key))
        for answers in sorted((results / "predictions").glob(f"*/{path.name}")):
            given = defaultdict(set)
            for row in read(answers):
                if row["visible_order"] == row["input_id"].count("|"):
                    given[rendered[row["input_id"]]].add(row["input_hash"])
            tally.same("inputs", answers, len(set(map(frozenset, given.values()))), len(given))


def check_parts(rows: Mapping[str, Row], *, literal: bool, tally: Tally) -> None:
    """Compare what sub-mutants do to a text with what the mutant does for the same pairs."""
    for row in rows.values():
        named = dict(zip(row["pair_ids"], row["attributes"].split("+"), strict=True))
        for size in range(1, row["order"]):
            for part in combinations(row["pair_ids"], size):
                sub = rows.get("|".join([row["original_id"], *part]))
                if sub:
                    of_part = _places(row, {named[pair] for pair in part})
                    whole = _places(sub, set(sub["attributes"].split("+")))
                    # Literally, a longer term of another attribute may have taken some.
                    tally.same("parts", row["mutant_id"], of_part - whole, set())
                    tally.same(
                        "parts", row["mutant_id"], bool(whole - of_part) and not literal, False
                    )


def _places(row: Row, attributes: set[str]) -> set[tuple[int, int, str]]:
    told = [e for e in row["edits"] if e["attribute"] in attributes and e["role"] != "article"]
    return {(edit["start"], edit["end"], edit["text"]) for edit in told}


def margin_of(outcome: list[str] | None, scores: Mapping[str, float] | None) -> int | None:
    """Return how far scores are on the side of an outcome, in hundredths."""
    if outcome is None or not scores or not set(outcome) <= set(scores):
        return None
    return round(100 * min(s if label in outcome else -s for label, s in scores.items()))


def judge(
    suite: list[Row], answers: list[Row], *, statuses: Sequence[str], favourable: Sequence[str]
) -> dict[str, Row]:
    """Return the mutants that were run, by id, with the verdicts on them."""
    known = {row["input_id"]: row for row in answers}
    rows = {row["mutant_id"]: row for row in suite if row["mutant_id"] in known}
    for key, row in rows.items():
        own, original = known[key], known[row["original_id"]]
        meant = [(each["status"], each["outcome"]) for each in (own, original)]
        told = all(status in ("ok", *statuses) for status, _ in meant)
        row["biased"] = meant[0] != meant[1] if told else None
        row["margin"] = margin_of(original["outcome"], own["scores"])
        row["before"] = margin_of(original["outcome"], original["scores"])
        scored = None not in (row["margin"], row["before"])
        row["shift"] = row["margin"] - row["before"] if scored else None
        row["seen"] = told and own["visible_order"] == row["order"]
        listed = row["valid"] and not row["control"] and row["sampled"] is not False
        row["counted"] = row["seen"] and listed
        good, favoured = (bool({*(each or ())} & {*favourable}) for _, each in meant)
        directions = (good < favoured, good > favoured, favoured)
        known_good = told and favourable
        for name, value in zip(("worse", "better", "favoured"), directions, strict=True):
            row[name] = value if known_good else None
    for row in rows.values():
        _judge_parts(row, rows)
    return rows


def _judge_parts(row: Row, rows: Mapping[str, Row]) -> None:
    """Tell bias that is there in a part from hidden bias, and what all parts add up to."""
    pairs = row["pair_ids"]
    parts = [part for size in range(1, len(pairs)) for part in combinations(pairs, size)]
    subs = {part: rows.get("|".join([row["original_id"], *part]), {}) for part in parts}
    told = {part: sub["biased"] if sub.get("valid") else None for part, sub in subs.items()}
    row["complete"], row["below"] = None not in told.values(), True in told.values()
    is_hidden = bool(row["biased"]) and not row["below"]
    open_ = row["biased"] is None or len(pairs) < 2 or (is_hidden and not row["complete"])
    row["hidden"] = None if open_ else is_hidden
    biased = [part for part, one in {**told, tuple(pairs): row["biased"]}.items() if one]
    minimal = [one for one in biased if not any(set(other) < set(one) for other in biased)]
    row["minimal_subsets"] = sorted("|".join(part) for part in minimal)
    shifts = [sub.get("shift") for sub in subs.values()]
    signs = [(-1) ** (len(pairs) - len(part) + 1) for part in parts]
    known = row["complete"] and None not in (*shifts, row["shift"])
    row["additive"] = sum(map(int.__mul__, signs, shifts)) if known else None
    row["interaction"] = row["shift"] - row["additive"] if known else None
    margins = [sub.get("margin") for sub in subs.values()]
    scored = None not in (*margins, row["shift"])
    row["clearance"] = min(row["before"], *margins, -row["margin"]) / 100 if scored else None


def check_verdicts(told: list[Row], rows: Mapping[str, Row], tally: Tally) -> None:
    """Compare the verdicts on all mutants."""
    tally.same("verdicts", "mutants", sorted(row["mutant_id"] for row in told), sorted(rows))
    for row in told:
        own, row["minimal_subsets"] = rows[row["mutant_id"]], sorted(row["minimal_subsets"])
        for name in ("shift", "margin"):
            row[name] = None if row[name] is None else round(100 * row[name])
        for name in JUDGED:
            tally.same(name, row["mutant_id"], row[name], own[name])
