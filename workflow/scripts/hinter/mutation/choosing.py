"""How the terms of a study are substituted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..dictionary import WordPair
from .coherent import Annotating, Selective, coherent_pairs
from .dictionary_index import DictionaryIndex
from .literal import Literal
from .occurrences import Lists


def substituting_by(
    mutation: Mapping[str, Any],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
) -> Literal | Selective:
    """Return what a study's `mutation` asks for, over the pairs that it uses.

    `annotator` opens the pipeline, which literal substitution without rules does not need.
    """
    if mutation["lists"] is None:
        return Literal(DictionaryIndex(pairs))
    lists = Lists.of_sheet(mutation["lists"])
    coherent = mutation["substitution"] == "coherent"
    return Selective(
        DictionaryIndex(coherent_pairs(pairs, lists=lists) if coherent else pairs),
        annotator(),
        lists,
        tuple(mutation["occurrences"]),
        coherent=coherent,
    )
