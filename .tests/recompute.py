"""A finished study computed again from its raw files, by what the documents say of them.

`python .tests/recompute.py results` tells how many numbers agree. Nothing of the library is
imported: docs/files.md says what the files hold, docs/statistics.md and docs/tables.md what the
tables do. Intervals drawn at random are left out; p-values of sign flips are enumerated.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from recomputed_contrasts import LINE, by_original, contrasts
from recomputed_verdicts import Row, Tally, check_texts, check_verdicts, judge, read
from scipy.stats import norm

TABLES = {
    "table2_bias_rates": ["order"],
    "one_person": ["order", "one_person"],
    "excess": ["order", "attributes", "measure", "compared_with"],
    "interactions": ["order", "attributes", "one_person"],
    "contrasts": LINE,
}
"""The keys of the lines of a model on a dataset."""


def with_rates(frame: pd.DataFrame, **rates: tuple[str, str]) -> pd.DataFrame:
    """Return the counts with rates of a part in a whole, and their Wilson intervals."""
    z = norm.ppf(0.975)
    for name, (part, whole) in rates.items():
        n = frame[whole].where(frame[whole] > 0).astype(float)
        share = frame[part] / n
        middle = (share + z * z / 2 / n) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + (z / 2 / n) ** 2)
        low, high = (middle - half).clip(lower=0), (middle + half).clip(upper=1)
        frame = frame.assign(**{name: share, f"{name}_low": low, f"{name}_high": high})
    return frame


def totals(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the counts and rates of mutants, of which only counted ones have any part in them."""
    own = frame[frame["counted"]]
    biased = own["biased"].eq(True)
    hidden, complete = own["hidden"].eq(True), biased & own["complete"]
    lines = own.assign(biased=biased, hidden=hidden, complete=complete).groupby(keys)
    found = lines[["biased", "complete", "hidden"]].sum().astype(int)
    found = found.assign(n=lines.size(), originals=lines["original_id"].nunique())
    found = found.reindex(frame.groupby(keys).size().index, fill_value=0)
    rates = {"bias_rate": ("biased", "n"), "hidden_rate_complete": ("hidden", "complete")}
    return with_rates(found, **rates)


def bias_rates(frame: pd.DataFrame, counts: list[Row], *, at_zero: bool) -> pd.DataFrame:
    """Return the rows of Table 2."""
    run = ~frame["control"] & frame["valid"] & frame["sampled"].ne(False) & (frame["order"] > 1)
    found = with_rates(totals(frame[run], ["order"]), hidden_rate=("hidden", "biased"))
    valid = pd.DataFrame(counts).query("reason.isna()").groupby("order")["mutants"].sum()
    neutral = frame["pair_ids"].map(lambda pairs: all(p.startswith("control:") for p in pairs))
    shifts = frame.loc[neutral & frame["seen"], "shift"].dropna().astype(float) / 100
    noise = round(1.4826 * shifts.abs().median(), 4)
    alike = (shifts - shifts.median()).abs().median() == 0
    cases = frame[frame["counted"] & frame["hidden"].eq(True)].dropna(subset=["clearance"])
    cases = cases if at_zero and len(shifts) and not alike else cases[:0]
    robust = cases["clearance"].ge(2 * noise).groupby(cases["order"]).agg(["sum", "size"])
    coverage = found["complete"] / found["biased"].where(found["biased"] > 0)
    told = {"robust": robust["sum"], "robust_of": robust["size"], "coverage": coverage}
    directed = frame[run & frame["counted"] & frame["worse"].notna()].groupby("order")
    told |= {name: directed[name].sum() for name in ("worse", "better")}
    return found.assign(valid=valid, **told)


def excess(rows: Mapping[str, Row], controls: list[Row]) -> pd.DataFrame:
    """Return the rows of excess over both kinds of controls, without q-values."""
    pairs = []
    for match, column in product(controls, ("control_id", "neutral_id")):
        row, other = rows.get(match["mutant_id"]), rows.get(match[column])
        if row and other and row["counted"] and other["control"] and other["seen"]:
            compared = "sensitive + neutral" if column == "control_id" else "neutral + neutral"
            line = {"compared_with": "neutral" if row["order"] == 1 else compared}
            line |= {name: row[name] for name in ("order", "attributes", "original_id")}
            both = row["order"] > 1 and row["complete"] and other["complete"]
            measures = {"bias": "biased", "worse": "worse", "better": "better"}
            for measure, shown in {
                **measures,
                **({"hidden bias": "hidden"} if both else {}),
            }.items():
                if row[shown] is not None:
                    told = {"rate": int(row[shown]), "control_rate": int(other[shown])}
                    pairs += [{**line, "measure": measure, **told}]
    frame = pd.DataFrame(pairs)
    frame = pd.concat([frame, frame.assign(attributes="all")])
    frame["excess"], keys = frame["rate"] - frame["control_rate"], TABLES["excess"]
    lines = frame.groupby(keys)
    found = lines[["rate", "control_rate", "excess"]].mean()
    found = found.assign(n=lines.size(), originals=lines["original_id"].nunique())
    return found.assign(p_value=by_original(frame, keys, "excess"))


def interactions(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of interactions, without q-values."""
    frame = frame[frame["counted"] & frame["complete"] & (frame["order"] > 1)]
    every, known = frame.assign(one_person="all"), frame[frame["one_person"].notna()]
    frame = pd.concat(
        [every, every.assign(attributes="all"), known.assign(attributes="all")], ignore_index=True
    )
    frame["masked"] = frame["below"] & frame["biased"].eq(False)
    frame["hidden"] = frame["hidden"].eq(True)
    frame["joint"] = frame["shift"].where(frame["interaction"].notna())
    summed = ["joint", "additive", "interaction"]
    frame[summed] = frame[summed].astype(float) / 100
    lines = frame.groupby(TABLES["interactions"])
    found = lines[summed].mean().add_prefix("mean_").join(lines[["hidden", "masked"]].sum())
    found = found.assign(n=lines.size(), originals=lines["original_id"].nunique())
    p_values = by_original(frame, TABLES["interactions"], "interaction")
    return found.assign(scored=lines["interaction"].count(), p_value=p_values)


def check_q(told: pd.DataFrame, prefix: str, name: str, tally: Tally) -> None:
    """Compare the q-values of a family with those of the p-values that stand there."""
    known = told[f"{prefix}p_value"].dropna().sort_values(ascending=False)
    q_values = (known * len(known) / np.arange(len(known), 0, -1)).cummin().clip(upper=1)
    for line, q_value in q_values.items():
        tally.same(f"{name}: q", line, told.loc[line, f"{prefix}q_value"], q_value)


def check_families(tables: Mapping[str, pd.DataFrame], primary: Row, tally: Tally) -> None:
    """Compare all q-values: of the primary comparisons, and of the other lines of each model."""
    table = tables["excess"]
    compared = "neutral" if primary["order"] == 1 else "sensitive + neutral"
    named = pd.Series({**primary, "attributes": "all", "compared_with": compared})
    is_primary = (table[named.index] == named).all(axis=1)
    tally.same("excess", "primary", table["primary"].tolist(), is_primary.tolist())
    check_q(table[is_primary], "", "excess", tally)
    explored = {
        "excess": [""],
        "interactions": ["", "absolute_"],
        "contrasts": ["", "shift_", "rate_"],
    }
    for name, prefixes in explored.items():
        rows = table[~is_primary] if name == "excess" else tables[name]
        for (_, family), prefix in product(rows.groupby("model"), prefixes):
            check_q(family, prefix, name, tally)


def lines_of(results: Path, path: Path, rows: Mapping[str, Row]) -> dict[str, pd.DataFrame]:
    """Return the lines of each table of one model on one dataset."""
    frame = pd.DataFrame(rows.values())
    answers = read(results / "predictions" / path.parent.name / path.name)
    scores = [row["scores"] for row in answers if row["scores"]]
    sums = [sum(1 / (1 + exp(-s)) for s in each.values()) for each in scores]
    several = any(abs(each - 1) > 0.1 for each in sums)
    counts = read(results / "counts" / path.name)
    at_zero = several or len(set().union(*scores)) == 2
    known = frame[frame["counted"] & frame["one_person"].notna()]
    persons = totals(known, TABLES["one_person"])
    share = persons["n"] / persons["n"].groupby("order").transform("sum")
    pairs = pd.read_csv(results / "dictionary" / "pairs.csv", dtype=str)
    return {
        "table2_bias_rates": bias_rates(frame, counts, at_zero=at_zero),
        "one_person": persons.assign(share=share),
        "excess": excess(rows, read(results / "controls" / path.name)),
        "interactions": interactions(frame),
        "contrasts": contrasts(frame, pairs),
    }


def recompute(results: Path, settings: Mapping[str, Any]) -> Tally:
    """Compare the verdicts and tables of a study with what its raw files come to."""
    tally, found = Tally(), defaultdict(list)
    tables = {name: pd.read_csv(results / "tables" / f"{name}.csv") for name in TABLES}
    for path in sorted((results / "verdicts").glob("*/*.parquet")):
        if not (results / "counts" / path.name).exists():
            continue
        run = {"model": path.parent.name, "dataset": path.stem}
        answers = read(results / "predictions" / run["model"] / path.name)
        part = results / "suites" / run["model"] / path.name
        suite = read(part if part.exists() else results / "suites" / path.name)
        labels = settings["favourable"].get(path.stem, ())
        rows = judge(suite, answers, statuses=settings["outcome_statuses"], favourable=labels)
        check_verdicts(read(path), rows, tally)
        for name, lines in lines_of(results, path, rows).items():
            found[name].append(lines.reset_index().assign(**run))
    for name, parts in found.items():
        tally.table(name, tables[name], pd.concat(parts), [*run, *TABLES[name]])
    check_families(tables, settings["primary"], tally)
    return tally


def settings_of(results: Path) -> dict[str, Any]:
    """Return the settings of a study, with the favourable labels of its datasets."""
    settings = json.loads((results / "config.json").read_text(encoding="utf-8"))
    project = results.resolve().parents[len(Path(settings["folder"]).parts)]
    sheet = yaml.safe_load((project / settings["datasets_sheet"]).read_text(encoding="utf-8"))
    labels = {name: sheet[name].get("favourable", []) for name in settings["datasets"]}
    return {**settings, "favourable": labels}


def main(results: Path) -> None:
    """Print how many numbers agree, and each that does not; end with 1 if there is one."""
    settings = settings_of(results)
    tally = recompute(results, settings)
    check_texts(results, settings, tally)
    print(*tally.wrong, *sorted(tally.compared.items()), sep="\n")
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
