"""A closer look at cases: do they recur when asked again, and which of their edits suffice?"""

from .choosing import Case, choose_cases
from .examining import CASES_SCHEMA, write_cases
