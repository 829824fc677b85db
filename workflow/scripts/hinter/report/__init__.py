"""The report of a study as one page: a summary, its cases, its tables and figures."""

from .cases import Cases, read_cases
from .exhibits import LINKED, read_exhibits
from .follow_ups import read_follow_ups
from .page import read_libraries, render_page
from .pictures import PLOTTED, read_pictures
from .probed import read_probed
from .prompts import Prompts
from .runs import read_accounts, read_provenance, read_stages
from .summary import NUMBERS, Summary, summarise
