"""The page that tells what the study found: a summary, its cases, its tables and figures."""

from .cases import Cases, read_cases
from .cost import Cost, read_accounts, read_stages
from .exhibits import Exhibit, read_exhibits
from .libraries import read_libraries
from .links import LINKED
from .page import render_page
from .pictures import DRAWN, read_pictures
from .provenance import read_provenance
from .summary import NUMBERS, Summary, summarise

__all__ = [
    "DRAWN",
    "LINKED",
    "NUMBERS",
    "Cases",
    "Cost",
    "Exhibit",
    "Summary",
    "read_accounts",
    "read_cases",
    "read_exhibits",
    "read_libraries",
    "read_pictures",
    "read_provenance",
    "read_stages",
    "render_page",
    "summarise",
]
