"""Cases looked at closer: do they hold when asked again, and which of their places suffice?"""

from .choosing import Case, choose_cases
from .examining import CASES_SCHEMA, write_cases
