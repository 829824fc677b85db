"""The checked study that a configuration describes: which models run on what, and all files.

Each class extends the one before it: `Sheets` with the sheets, `Runs` with the pairs of models and
datasets, `Files` with the paths of all files, `Study` with the parameters of rules.
"""

from .checks import REGISTRY, check_file, check_writable, warnings_of_locks
from .origins import dataset_origins, model_origins, models_and_texts
from .study import Study
