"""Models under test: encoders that classify and language models that are prompted.

Code that needs torch, which takes seconds to import, is not exported here: jobs that use it import
it from `local`, `training` or `gguf`. The same is true for code that asks endpoints.
"""

from .answers import AnswerParser
from .endpoint import NANO_DOLLARS, Ledger, Prices, Spending
from .labelled import SuppliedLabels, read_labelled
from .model import Learnt, Model, ParsedAnswer, ResponseParser, Status, Truncation, Window
from .opening import Task, find_facts, open_model, read_task
from .windows import WholeTexts, digest_of_text
