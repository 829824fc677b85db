"""Sheets that users edit: a typed model of each, how they are read, and their JSON schemas."""

from .datasets import Dataset, Datasets
from .dictionary import (
    DescriptorSheet,
    DictionarySheet,
    GroupsSheet,
    OccurrencesSheet,
    PersonsSheet,
)
from .kinds import KINDS, AnyModel, Models, Price, Prices
from .method import Grammar, Parser, Primary
from .prompts import JudgeSheet, ProbeSheet, PromptSheet
from .registry import INNER_PATH, Archive, Https, Hub, Registry, Resource, Wheel
from .relations import Gap, PromptTemplate, RelationsSheet, SensitiveAttribute
from .sheets import check_sheet, read_sheet, schema_of, schema_path
from .study import MODELS_SHEET, Config, inherited_settings, read_config
from .targets import Gate, Judge, Mitigation, Relations
from .types import Count, FilePath, Sheet
