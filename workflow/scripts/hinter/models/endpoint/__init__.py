"""Language models behind OpenAI-compatible endpoints, and limits on their cost.

What needs the client of the API, which takes half a second to import, is not passed on: it is
imported from `opening`, `client`, `settings` or `checking` by the jobs that use it.
"""

from .budget import NANO_DOLLARS, BudgetReached, Ledger, Prices, Spending
