"""The kinds of models: a module for each, which ends with `KIND`, the model of its entries.

Each module in this folder is a kind. `KINDS` has them by name.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import get_args

from .model import Model

_MODULES = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
_FOUND: list[type[Model]] = [module.KIND for module in _MODULES if hasattr(module, "KIND")]
KINDS = {str(get_args(kind.model_fields["kind"].annotation)[0]): kind for kind in _FOUND}
