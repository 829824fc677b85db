"""The measurements of a study on a model and dataset, with intervals, as results of a record."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

import duckdb
import pandas as pd

from ..tables import proportion_columns, rate_columns
from ..yaml_files import data_of

METRICS: Mapping[str, Mapping[str, Any]] = data_of(__file__)
"""The description in records of each metric by its name, and of `all`."""
# The format of a `metric_config`. Its parameters are those of one order of mutants.
KEYS = (
    *("evaluation_description", "metric_id", "metric_name", "metric_kind", "metric_unit"),
    *("metric_parameters", "lower_is_better", "score_type", "min_score", "max_score"),
)
EXCESS = {"bias": "excess", "hidden bias": "hidden_excess"}
COUNTS = """
    SELECT "order", original_id, count(*) AS n, count_if(biased)::BIGINT AS biased,
        count_if(biased AND hidden)::BIGINT AS hidden
    FROM mutants GROUP BY ALL ORDER BY ALL
"""
BY_ORIGINAL = "cluster bootstrap by original"
WILSON = "Wilson"


class Measured(NamedTuple):
    """A metric's score on `n` mutants of one order (None: on `n` unchanged texts)."""

    metric: str
    score: float
    interval: tuple[float, float]
    method: str
    n: int
    order: int | None = None
    details: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        """The name of the result in its record."""
        return self.metric if self.order is None else f"{self.metric}.order_{self.order}"

    @property
    def config(self) -> dict[str, Any]:
        """The `metric_config` of the result."""
        config = {**METRICS["all"], **METRICS[self.metric]}
        if self.order is not None:
            config["evaluation_description"] += f", mutants of order {self.order}"
            config["metric_parameters"] = {"order": self.order}
        return {key: config[key] for key in KEYS if key in config}


def measured(
    connection: duckdb.DuckDBPyConnection,
    *,
    accuracy: pd.DataFrame,
    excess: pd.DataFrame,
    seed: int,
) -> list[Measured]:
    """Return the measurements of a model on a dataset, without those that have no denominator.

    The connection has the views of `open_run`. `accuracy` and `excess` are the rows of these tables
    for the run. Rates are those of the study's tables.
    """
    query = "SELECT count_if(score)::BIGINT, count(*) FROM originals"
    ((right, n),) = connection.sql(query).fetchall()
    found = [
        *_held_out(accuracy),
        _proportion("accuracy_of_originals", right, n),
        *_rates(connection, seed=seed),
        *_excess(excess),
    ]
    return [one for one in found if one.n and isfinite(one.score)]


def evaluation_of(dataset: str) -> str:
    """Return the name of an evaluation on a dataset in records, which is also their folder."""
    return f"hinter_{dataset}"


def names_of(measured: Measured, *, dataset: str) -> dict[str, str]:
    """Return the names of a result in records and in the lines from which it is computed."""
    return {
        "evaluation_result_id": f"{evaluation_of(dataset)}/{measured.key}",
        "evaluation_name": f"{evaluation_of(dataset)}.{measured.key}",
    }


def result(measured: Measured, *, dataset: str, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result in the format of records; `run` is the common part of all their results."""
    low, high = measured.interval
    interval = {"lower": low, "upper": high, "confidence_level": 0.95, "method": measured.method}
    known = {"confidence_interval": interval} if isfinite(low) and isfinite(high) else {}
    return {
        **names_of(measured, dataset=dataset),
        **run,
        "metric_config": measured.config,
        "score_details": {
            "score": measured.score,
            "details": dict(measured.details),
            "uncertainty": {**known, "num_samples": measured.n},
        },
    }


def _held_out(accuracy: pd.DataFrame) -> Iterator[Measured]:
    for row in accuracy.to_dict("records"):
        yield Measured(
            "accuracy",
            row["accuracy"],
            (row["accuracy_low"], row["accuracy_high"]),
            WILSON,
            row["n"],
            details={name: str(row[name]) for name in ("macro_f1", "micro_f1")},
        )


def _rates(connection: duckdb.DuckDBPyConnection, *, seed: int) -> Iterator[Measured]:
    for order, group in connection.sql(COUNTS).df().groupby("order"):
        columns = rate_columns("rate", group["biased"], group["n"], seed=seed)
        n, biased, hidden = group[["n", "biased", "hidden"]].sum().tolist()
        yield Measured(
            "bias_rate",
            columns["rate"],
            (columns["rate_cluster_low"], columns["rate_cluster_high"]),
            BY_ORIGINAL,
            n,
            order=int(order),
            details={
                "biased": str(biased),
                "originals": str(len(group)),
                "wilson_low": str(columns["rate_low"]),
                "wilson_high": str(columns["rate_high"]),
            },
        )
        if order > 1:
            yield _proportion("hidden_rate", hidden, biased, order=int(order))


def _excess(excess: pd.DataFrame) -> Iterator[Measured]:
    kept = (excess["attributes"] == "all") & (excess["compared_with"] != "neutral + neutral")
    kept &= excess["measure"].isin([*EXCESS])
    for row in excess[kept].to_dict("records"):
        yield Measured(
            EXCESS[row["measure"]],
            row["excess"],
            (row["excess_low"], row["excess_high"]),
            BY_ORIGINAL,
            row["n"],
            order=row["order"],
            details={
                name: str(row[name])
                for name in ("rate", "control_rate", "originals", "p_value", "q_value")
                if pd.notna(row[name])
            },
        )


def _proportion(metric: str, part: int, n: int, *, order: int | None = None) -> Measured:
    columns = proportion_columns("rate", part, n)
    interval = columns["rate_low"], columns["rate_high"]
    return Measured(metric, columns["rate"], interval, WILSON, n, order=order)
