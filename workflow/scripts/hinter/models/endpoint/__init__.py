"""Language models behind OpenAI-compatible endpoints, and limits on their cost."""

from .budget import NANO_DOLLARS, BudgetReached, Ledger, Prices, Spending
from .checking import check_endpoint
from .client import Endpoint
from .settings import EndpointSettings
from .token_counters import open_token_counter

__all__ = [
    "NANO_DOLLARS",
    "BudgetReached",
    "Endpoint",
    "EndpointSettings",
    "Ledger",
    "Prices",
    "Spending",
    "check_endpoint",
    "open_token_counter",
]
