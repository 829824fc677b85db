"""The page that tells what the study found: a summary, its cases, its tables and figures."""

from .cases import Cases, read_cases
from .cost import Cost, read_accounts, read_stages
from .exhibits import Exhibit, read_exhibits
from .links import LINKED
from .page import render_page
from .provenance import read_provenance
from .summary import NUMBERS, Summary, summarise

__all__ = [
    "LINKED",
    "NUMBERS",
    "Cases",
    "Cost",
    "Exhibit",
    "Summary",
    "read_accounts",
    "read_cases",
    "read_exhibits",
    "read_provenance",
    "read_stages",
    "render_page",
    "summarise",
]
