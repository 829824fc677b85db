"""Distinct windows are computed once, and vectors are those of spaCy's own embedder."""

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import spacy
from hinter.invariant.pipelines import share_windows
from spacy.language import Language
from spacy.tokens import Doc

WORDS = (
    "the",
    "The",
    "man",
    "woman",
    "saw",
    "her",
    "his",
    ",",
    ".",
    "👍🏽",
    "  ",
    "U.S.",
    "actress",
)
EMBED = {
    "@architectures": "spacy.MultiHashEmbed.v2",
    "width": 24,
    "attrs": ["NORM", "PREFIX", "SHAPE"],
    "rows": [500, 100, 200],
    "include_static_vectors": False,
}
ENCODE = {
    "@architectures": "spacy.MaxoutWindowEncoder.v2",
    "width": 24,
    "window_size": 1,
    "maxout_pieces": 3,
    "depth": 4,
}


def pipeline(*, embed: dict[str, Any] = EMBED, encode: dict[str, Any] = ENCODE) -> Language:
    """Return a pipeline whose vectors are made of random numbers, always the same."""
    model = {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode}
    made = spacy.blank("en")
    made.vocab.set_vector("man", np.ones(8, dtype="f"))
    spacy.util.fix_random_seed(1)
    made.add_pipe("tok2vec", config={"model": model})
    made.initialize()
    return made


def vectors(made: Language, docs: Iterable[Doc]) -> list[Any]:
    embedder: Any = made.get_pipe("tok2vec")
    return list(embedder.predict(list(docs)))


def rows_of_layers(made: Language, docs: Iterable[Doc]) -> list[int]:
    """Return how many rows each layer of the encoder computes."""
    embedder: Any = made.get_pipe("tok2vec")
    counts = []
    for layer in embedder.model.layers[1].layers[0].layers:
        transform = layer.layers[0].layers[1]
        plain = transform._func

        def counted(model: Any, rows: Any, is_train: bool, plain: Any = plain) -> Any:
            counts.append(len(rows))
            return plain(model, rows, is_train)

        transform._func = counted
    vectors(made, docs)
    return counts


@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("window_size", [1, 2, 3])
def test_vectors_are_those_of_the_embedder_itself(window_size: int, depth: int) -> None:
    encode = ENCODE | {"window_size": window_size, "depth": depth}
    own, sharing = pipeline(encode=encode), pipeline(encode=encode)
    share_windows(sharing)
    rng = random.Random(depth)
    for count in (1, 2, 60):
        texts = [" ".join(rng.choices(WORDS, k=rng.randint(0, 12))) for _ in range(count)]
        texts[0] = "The man saw her."
        docs = [own.make_doc(text) for text in texts]
        pairs = list(zip(vectors(own, docs), vectors(sharing, docs), strict=True))
        assert len(pairs) == count
        for expected, found in pairs:
            assert found.shape == expected.shape
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, atol=1e-5)


def test_words_may_have_a_single_feature() -> None:
    embed = EMBED | {"attrs": ["NORM"], "rows": [500]}
    own, sharing = pipeline(embed=embed), pipeline(embed=embed)
    share_windows(sharing)
    docs = [own.make_doc("The man saw her."), own.make_doc("The woman saw her.")]
    for expected, found in zip(vectors(own, docs), vectors(sharing, docs), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_vectors_of_an_empty_sentence_are_none() -> None:
    made = pipeline()
    share_windows(made)
    for texts in ([""], ["", ""]):
        assert [len(rows) for rows in vectors(made, map(made.make_doc, texts))] == [0] * len(texts)
    lengths = [len(rows) for rows in vectors(made, map(made.make_doc, ["", "He ran.", ""]))]
    assert lengths == [0, 3, 0]


def test_only_what_a_changed_word_can_reach_is_computed_again() -> None:
    own, sharing = pipeline(), pipeline()
    share_windows(sharing)
    words = [f"word{chr(ord('a') + number)}" for number in range(26)]
    docs = [
        Doc(own.vocab, words=[*words[:13], changed, *words[14:]])
        for changed in (words[13], *(f"other{chr(ord('a') + number)}" for number in range(9)))
    ]
    of_each = rows_of_layers(own, docs)
    shared = rows_of_layers(sharing, docs)
    assert min(of_each) > 10 * 26
    # The gaps before, between and after sentences have four places each.
    for layer, rows in enumerate(shared, 1):
        assert rows <= 26 + 12 + 9 * (2 * layer + 1)


MISH = {"@architectures": "spacy.MishWindowEncoder.v2", "width": 24, "window_size": 1, "depth": 4}
OF_CHARACTERS = {
    "@architectures": "spacy.CharacterEmbed.v2",
    "width": 24,
    "rows": 200,
    "nM": 8,
    "nC": 4,
    "include_static_vectors": False,
}
FROM_A_TABLE = EMBED | {"include_static_vectors": True}


@pytest.mark.parametrize(
    ("embed", "encode"), [(EMBED, MISH), (OF_CHARACTERS, ENCODE), (FROM_A_TABLE, ENCODE)]
)
def test_other_embedders_are_left_alone(embed: dict[str, Any], encode: dict[str, Any]) -> None:
    made = pipeline(embed=embed, encode=encode)
    embedder: Any = made.get_pipe("tok2vec")
    before = embedder.model
    share_windows(made)
    assert embedder.model is before


def test_a_pipeline_without_an_embedder_is_left_alone() -> None:
    made = spacy.blank("en")
    share_windows(made)
    assert made.pipe_names == []
