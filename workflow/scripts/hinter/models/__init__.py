"""Models under test: encoders that classify and language models that are prompted."""

from .answers import AnswerReader
from .encoder import Encoder
from .endpoint import (
    NANO_DOLLARS,
    Endpoint,
    EndpointSettings,
    Ledger,
    Prices,
    Spending,
    check_endpoint,
)
from .generating import GeneratingModel
from .gguf import convert_gguf
from .model import Model, Reading, Status, Window
from .opening import (
    Task,
    open_endpoint,
    open_model,
    open_scoring,
    read_task,
)
from .scoring import ScoringModel
from .training import TrainingSettings, fine_tune, write_scores

__all__ = [
    "NANO_DOLLARS",
    "AnswerReader",
    "Encoder",
    "Endpoint",
    "EndpointSettings",
    "GeneratingModel",
    "Ledger",
    "Model",
    "Prices",
    "Reading",
    "ScoringModel",
    "Spending",
    "Status",
    "Task",
    "TrainingSettings",
    "Window",
    "check_endpoint",
    "convert_gguf",
    "fine_tune",
    "open_endpoint",
    "open_model",
    "open_scoring",
    "read_task",
    "write_scores",
]
