"""Sheets that users edit: a typed model of each, how they are read, and their JSON schemas."""

from .datasets import Dataset, Datasets
from .descriptors import DescriptorSheet, PersonsSheet
from .dictionary import DictionarySheet
from .grammar import Grammar
from .judge import JudgeSheet
from .method import Parser, Primary
from .models import (
    Answers,
    AnyModel,
    Augmentation,
    Causal,
    Encoder,
    Endpoint,
    Function,
    LocalModel,
    Models,
)
from .occurrences import OccurrencesSheet
from .prices import Price, Prices
from .probes import ProbeSheet
from .prompt import PromptSheet
from .reading import check_sheet, read_sheet
from .registry import Archive, Https, Hub, Registry, Resource, Wheel
from .relations import RelationsSheet
from .schemas import schema_of, schema_path
from .study import Config, read_config
from .targets import Gate, Judge, Mitigation, Relations
from .types import Count, FilePath, Sheet

__all__ = [
    "Answers",
    "AnyModel",
    "Archive",
    "Augmentation",
    "Causal",
    "Config",
    "Count",
    "Dataset",
    "Datasets",
    "DescriptorSheet",
    "DictionarySheet",
    "Encoder",
    "Endpoint",
    "FilePath",
    "Function",
    "Gate",
    "Grammar",
    "Https",
    "Hub",
    "Judge",
    "JudgeSheet",
    "LocalModel",
    "Mitigation",
    "Models",
    "OccurrencesSheet",
    "Parser",
    "PersonsSheet",
    "Price",
    "Prices",
    "Primary",
    "ProbeSheet",
    "PromptSheet",
    "Registry",
    "Relations",
    "RelationsSheet",
    "Resource",
    "Sheet",
    "Wheel",
    "check_sheet",
    "read_config",
    "read_sheet",
    "schema_of",
    "schema_path",
]
