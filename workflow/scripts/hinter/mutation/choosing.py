"""The operators that make the mutants of a study."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from ..dictionary import WordPair
from ..operators import OPERATORS
from .annotation import Annotating
from .combinations import Ruling, Substituting
from .dictionary_index import DictionaryIndex


class Operating(Substituting, Protocol):
    """An operator of a study, with the pairs of its `index`."""

    @property
    def index(self) -> DictionaryIndex:
        """The pairs that it uses."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate texts together, which is faster than one by one."""

    def rulings(self, text: str) -> list[Ruling]:
        """Return the ruling on each occurrence or mention of a text."""


def operating_by(
    mutation: Sequence[Mapping[str, Any]],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
) -> dict[str, Operating]:
    """Return the operators that a study's `mutation` asks for, by name, each with its pairs.

    `annotator` opens the pipeline, which literal mutants of one attribute do not need.
    """
    opened = cache(annotator)
    made: dict[str, Operating] = {}
    for one in mutation:
        name = one["operator"]
        module = import_module(f"{__package__}.{OPERATORS[name].module}")
        own = [pair for pair in pairs if pair.operator == name]
        made[name] = module.substituting(one, pairs=own, annotator=opened)
    return made
