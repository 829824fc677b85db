"""Fine-tuning of encoders as in LexGLUE, which resumes after it was killed."""

from .fine_tuning import fine_tune
from .task import Scores, TrainingSettings, write_scores
