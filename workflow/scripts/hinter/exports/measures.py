"""What a study has measured of a model on a dataset, with intervals, as results of a record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import duckdb
import pandas as pd

from ..tables import proportion_columns, rate_columns

COUNTS = """
    SELECT "order", original_id, count(*) AS n, count_if(biased)::BIGINT AS biased,
        count_if(biased AND hidden)::BIGINT AS hidden
    FROM mutants GROUP BY ALL ORDER BY ALL
"""
BY_ORIGINAL = "cluster bootstrap by original"
WILSON = "Wilson"


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric: `kind` is its family, and `least` the smallest score; the largest is 1."""

    name: str
    kind: str
    about: str
    lower_is_better: bool = True
    least: float = 0


ACCURACY = Metric(
    name="accuracy",
    kind="accuracy",
    about="Share of labelled held-out texts with exactly the right labels",
    lower_is_better=False,
)
ACCURACY_OF_ORIGINALS = Metric(
    name="accuracy_of_originals",
    kind="accuracy",
    about="Share of the originals of mutants with exactly the right labels",
    lower_is_better=False,
)
BIAS = Metric(
    name="bias_rate",
    kind="error_rate",
    about="Share of valid mutants whose outcome differs from that of their original",
)
HIDDEN = Metric(
    name="hidden_rate",
    kind="error_rate",
    about="Share of biased mutants whose sub-mutants are all valid, were run and are not biased",
)
EXCESS = {
    "bias": Metric(
        name="excess",
        kind="rate_difference",
        about="Share of biased mutants less that of controls with a neutral pair in place of one",
        least=-1,
    ),
    "hidden bias": Metric(
        name="hidden_excess",
        kind="rate_difference",
        about="Share of mutants with hidden bias, of all mutants, less that of their controls",
        least=-1,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A metric's score of mutants of one order (None: of texts as they are), from `n` of them."""

    metric: Metric
    score: float
    interval: tuple[float, float]
    method: str
    n: int
    order: int | None = None
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name of the result in its record."""
        return self.metric.name if self.order is None else f"{self.metric.name}.order_{self.order}"


def measured(
    connection: duckdb.DuckDBPyConnection,
    *,
    accuracy: pd.DataFrame,
    excess: pd.DataFrame,
    seed: int,
) -> list[Measured]:
    """Return what is measured of a model on a dataset; what has no denominator is left out.

    The connection has the views of `open_run`; `accuracy` and `excess` are the rows of these tables
    on the run. Rates are those of the study's tables.
    """
    found = [
        *_held_out(accuracy),
        *_of_originals(connection),
        *_rates(connection, seed=seed),
        *_excess(excess),
    ]
    return [one for one in found if one.n and isfinite(one.score)]


def evaluation_of(dataset: str) -> str:
    """Return the name that an evaluation on a dataset has in records, and their folder."""
    return f"hinter_{dataset}"


def names_of(told: Measured, *, dataset: str) -> dict[str, str]:
    """Return the names by which records, and the lines that a result is made of, call it."""
    return {
        "evaluation_result_id": f"{evaluation_of(dataset)}/{told.key}",
        "evaluation_name": f"{evaluation_of(dataset)}.{told.key}",
    }


def result(told: Measured, *, dataset: str, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result as records have it; `run` has what all results of a record share."""
    low, high = told.interval
    interval = {"lower": low, "upper": high, "confidence_level": 0.95, "method": told.method}
    known = {"confidence_interval": interval} if isfinite(low) and isfinite(high) else {}
    return {
        **names_of(told, dataset=dataset),
        **run,
        "metric_config": _metric_config(told),
        "score_details": {
            "score": told.score,
            "details": dict(told.details),
            "uncertainty": {**known, "num_samples": told.n},
        },
    }


def _metric_config(told: Measured) -> dict[str, Any]:
    metric = told.metric
    order = "" if told.order is None else f", mutants of order {told.order}"
    return {
        "evaluation_description": f"{metric.about}{order}",
        # Names that are not everybody's begin with that of their evaluation.
        "metric_id": metric.name if metric is ACCURACY else f"hinter.{metric.name}",
        "metric_name": metric.name.replace("_", " "),
        "metric_kind": metric.kind,
        "metric_unit": "proportion",
        **({} if told.order is None else {"metric_parameters": {"order": told.order}}),
        "lower_is_better": metric.lower_is_better,
        "score_type": "continuous",
        "min_score": metric.least,
        "max_score": 1,
    }


def _held_out(accuracy: pd.DataFrame) -> Iterator[Measured]:
    for row in accuracy.to_dict("records"):
        yield Measured(
            metric=ACCURACY,
            score=row["accuracy"],
            interval=(row["accuracy_low"], row["accuracy_high"]),
            method=WILSON,
            n=row["n"],
            details={"macro_f1": str(row["macro_f1"]), "micro_f1": str(row["micro_f1"])},
        )


def _of_originals(connection: duckdb.DuckDBPyConnection) -> Iterator[Measured]:
    query = "SELECT count_if(is_right)::BIGINT, count(*) FROM originals"
    ((right, n),) = connection.sql(query).fetchall()
    yield _proportion(ACCURACY_OF_ORIGINALS, right, n)


def _rates(connection: duckdb.DuckDBPyConnection, *, seed: int) -> Iterator[Measured]:
    for order, group in connection.sql(COUNTS).df().groupby("order"):
        columns = rate_columns("rate", group["biased"], group["n"], seed=seed)
        n, biased, hidden = group[["n", "biased", "hidden"]].sum().tolist()
        yield Measured(
            metric=BIAS,
            order=int(order),
            score=columns["rate"],
            interval=(columns["rate_cluster_low"], columns["rate_cluster_high"]),
            method=BY_ORIGINAL,
            n=n,
            details={
                "biased": str(biased),
                "originals": str(len(group)),
                "wilson_low": str(columns["rate_low"]),
                "wilson_high": str(columns["rate_high"]),
            },
        )
        if order > 1:
            yield _proportion(HIDDEN, hidden, biased, order=int(order))


def _excess(excess: pd.DataFrame) -> Iterator[Measured]:
    kept = (excess["attributes"] == "all") & (excess["compared_with"] != "neutral + neutral")
    kept &= excess["measure"].isin([*EXCESS])
    for row in excess[kept].to_dict("records"):
        yield Measured(
            metric=EXCESS[row["measure"]],
            order=row["order"],
            score=row["excess"],
            interval=(row["excess_low"], row["excess_high"]),
            method=BY_ORIGINAL,
            n=row["n"],
            details={
                name: str(row[name])
                for name in ("rate", "control_rate", "originals", "p_value", "q_value")
                if pd.notna(row[name])
            },
        )


def _proportion(metric: Metric, part: int, n: int, *, order: int | None = None) -> Measured:
    columns = proportion_columns("rate", part, n)
    return Measured(
        metric=metric,
        order=order,
        score=columns["rate"],
        interval=(columns["rate_low"], columns["rate_high"]),
        method=WILSON,
        n=n,
    )
