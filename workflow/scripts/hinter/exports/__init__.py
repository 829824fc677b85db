"""Export a study: records of its evaluations, and its data as a dataset with a card."""

from .card import Studied
from .dataset import rebuilt_texts, write_dataset
from .evaluations import Evaluation, RecordSchemas, record_time, write_evaluation
from .instances import Evaluated
