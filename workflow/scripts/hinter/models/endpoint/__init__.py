"""Language models behind OpenAI-compatible endpoints, and limits on their cost.

Code that needs the client of the API, which takes half a second to import, is not exported here:
jobs that use it import it from `opening`, `client`, `settings` or `checking`.
"""

from .budget import NANO_DOLLARS, BudgetReached, Ledger, Prices, Spending
