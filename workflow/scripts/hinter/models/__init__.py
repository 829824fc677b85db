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
from .model import Model, Reading, Status, Window
from .opening import open_endpoint, open_model
from .task import Task, read_task

__all__ = [
    "NANO_DOLLARS",
    "AnswerReader",
    "Endpoint",
    "EndpointSettings",
    "Ledger",
    "Model",
    "Prices",
    "Reading",
    "Spending",
    "Status",
    "Task",
    "Window",
    "check_endpoint",
    "open_endpoint",
    "open_model",
    "read_task",
]
