"""Models under test: encoders that classify and language models that are prompted.

What needs torch, which takes seconds to import, is not passed on: it is imported from `local`,
`training` or `gguf` by the jobs that use it.
"""

from .answers import AnswerReader
from .endpoint import (
    NANO_DOLLARS,
    Endpoint,
    EndpointSettings,
    Ledger,
    Prices,
    Spending,
    check_endpoint,
)
from .given import GivenLabels
from .labelled import read_labelled
from .model import Model, Reader, Reading, Sight, Status, Window
from .opening import open_endpoint, open_model
from .task import Task, read_task
from .windows import WholeTexts, digest_of_text

__all__ = [
    "NANO_DOLLARS",
    "AnswerReader",
    "Endpoint",
    "EndpointSettings",
    "GivenLabels",
    "Ledger",
    "Model",
    "Prices",
    "Reader",
    "Reading",
    "Sight",
    "Spending",
    "Status",
    "Task",
    "WholeTexts",
    "Window",
    "check_endpoint",
    "digest_of_text",
    "open_endpoint",
    "open_model",
    "read_labelled",
    "read_task",
]
