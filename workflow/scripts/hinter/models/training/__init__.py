"""Fine-tuning of encoders as in LexGLUE, which resumes after it was killed."""

from .fine_tuning import fine_tune
from .scores import Scores, write_scores
from .trainer import TrainingSettings
