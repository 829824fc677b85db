"""The page that tells what the study found: a summary, its cases, its tables and figures."""

from .cases import Cases, read_cases
from .exhibits import Exhibit, read_exhibits
from .page import render_page
from .summary import NUMBERS, Summary, summarise

__all__ = [
    "NUMBERS",
    "Cases",
    "Exhibit",
    "Summary",
    "read_cases",
    "read_exhibits",
    "render_page",
    "summarise",
]
