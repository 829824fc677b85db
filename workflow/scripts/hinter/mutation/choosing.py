"""How a study makes mutants."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..dictionary import WordPair
from .annotation import Annotating
from .coherent import Selective, coherent_pairs
from .describing import Describing, PersonWords
from .dictionary_index import DictionaryIndex
from .literal import Literal
from .occurrences import Lists
from .same_person import Persons


def substituting_by(
    mutation: Mapping[str, Any],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
) -> Literal | Selective | Describing:
    """Return what a study's `mutation` asks for, over the pairs that it uses.

    `annotator` opens the pipeline, which literal mutants of one attribute do not need.
    """
    if mutation["lists"] is None:
        words = mutation["words"]
        persons = Persons(annotator(), Lists.of_sheet(words)) if words else None
        return Literal(DictionaryIndex(pairs), persons)
    lists = Lists.of_sheet(mutation["lists"])
    if mutation["substitution"] == "describe":
        return Describing(
            DictionaryIndex(pairs),
            annotator(),
            lists,
            PersonWords.of_sheet(mutation["persons"]),
            tuple(mutation["mentions"]),
            mutation["descriptors"],
            mutation["seed"],
        )
    coherent = mutation["substitution"] == "coherent"
    kept = coherent_pairs(pairs, lists=lists) if coherent else pairs
    sources = {(pair.attribute, pair.source) for pair in kept}
    return Selective(
        DictionaryIndex(kept),
        DictionaryIndex([one for one in pairs if (one.attribute, one.source) not in sources]),
        annotator(),
        lists,
        tuple(mutation["occurrences"]),
        coherent=coherent,
    )
