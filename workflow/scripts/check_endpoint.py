"""Check that an endpoint is up, accepts the key and has the model."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.models.endpoint.preflight import check_endpoint
from hinter.models.endpoint.settings import EndpointSettings
from hinter.predictions import find_spending


def main(
    *,
    sheet: dict[str, Any],
    budget_usd: float | None,
    prices: dict[str, dict[str, float]],
    store: str,
    checked: str,
) -> None:
    """Write the name of the model to `checked` once the endpoint has answered for it."""
    spending = find_spending(prices, model=sheet["model"], store=Path(store), budget_usd=budget_usd)
    check_endpoint(EndpointSettings.of_sheet(sheet), spending=spending)
    Path(checked).write_text(f"{sheet['model']}\n", encoding="utf-8")


if __name__ == "__main__":
    run_job(main, snakemake)
