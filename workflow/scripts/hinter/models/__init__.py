"""Models under test: encoders that classify and language models that are prompted."""

from .encoder import Encoder
from .fine_tuning import fine_tune
from .gguf import convert_gguf
from .prediction import Model, Status, predict_suite, write_predictions
from .prompted import PromptedModel, open_prompted

__all__ = [
    "Encoder",
    "Model",
    "PromptedModel",
    "Status",
    "convert_gguf",
    "fine_tune",
    "open_prompted",
    "predict_suite",
    "write_predictions",
]
