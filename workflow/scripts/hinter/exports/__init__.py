"""A study for others: records of its evaluations, and its data as a dataset with a card."""

from .card import Studied
from .dataset import Shared, write_dataset
from .evaluations import Evaluated, Evaluation, write_evaluations
from .schemas import RecordSchemas
from .texts import rebuilt_texts
from .times import record_time

__all__ = [
    "Evaluated",
    "Evaluation",
    "RecordSchemas",
    "Shared",
    "Studied",
    "rebuilt_texts",
    "record_time",
    "write_dataset",
    "write_evaluations",
]
