"""Token vectors of spaCy's window encoder, which compute each distinct window of a batch once.

A layer of the encoder makes a token's vector from its own and its neighbours', so four layers see
only four tokens on each side. A mutant shares most of these windows with its original and with
other mutants of it.
"""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from thinc.api import Model

EMBEDDER = "tok2vec"
EMBED = {"@architectures": "spacy.MultiHashEmbed.v2", "include_static_vectors": False}
ENCODE = {"@architectures": "spacy.MaxoutWindowEncoder.v2"}
"""The required parts of the embedder, as spaCy's small pipelines have them."""

Numbers = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]


def share_windows(pipeline: "Language") -> None:
    """Let a pipeline compute each distinct window of a batch once.

    Vectors differ from the original ones by no more than they do in batches of another size. A
    pipeline is not changed if it is on a GPU, or if its vectors are made in another way or by a
    single layer.
    """
    from thinc.api import Model, NumpyOps

    if EMBEDDER not in pipeline.pipe_names:
        return
    settings = pipeline.get_pipe_config(EMBEDDER)["model"]
    embed, encode = settings.get("embed"), settings.get("encode")
    known = _has(embed, EMBED) and _has(encode, ENCODE) and encode["depth"] > 1
    embedder: Any = pipeline.get_pipe(EMBEDDER)
    if known and isinstance(embedder.model.ops, NumpyOps):
        embedder.model = Model(
            "shared_windows",
            _forward,
            layers=embedder.model.layers,
            dims={"nO": embedder.model.get_dim("nO")},
        )


def _has(part: Any, expected: dict[str, Any]) -> bool:
    return isinstance(part, dict) and expected.items() <= part.items()


def _forward(
    model: "Model[Any, Any]", docs: Sequence["Doc"], is_train: bool
) -> tuple[list[Vectors], Any]:
    """Return the vectors of each sentence's tokens, shape (tokens, width)."""
    embed, encode = model.layers
    features, _, embeddings, mix, _ = embed.layers
    of_docs, _ = features(docs, is_train)
    of_tokens = np.concatenate(of_docs)
    firsts, numbers = _distinct(of_tokens)
    embedded, _ = embeddings.layers[0](of_tokens[firsts], is_train)
    vectors, _ = mix.layers[0](embedded, is_train)

    # Sentences are separated by as many zeros as the encoder can see.
    nothing = len(vectors)
    gap = np.full(encode.attrs["pad"], nothing)
    ends = np.cumsum([len(rows) for rows in of_docs])[:-1]
    parts = chain.from_iterable((rows, gap) for rows in np.split(numbers, ends))
    line = np.concatenate([gap, *parts])
    are_tokens = line != nothing
    vectors = _and_zeros(vectors)
    for layer in encode.layers[0].layers:
        line, vectors = _next_layer(line, vectors, layer=layer, is_train=is_train)
    return np.split(vectors[line[are_tokens]], ends), None


def _next_layer(
    line: Numbers, vectors: Vectors, *, layer: "Model[Any, Any]", is_train: bool
) -> tuple[Numbers, Vectors]:
    """Return the vectors of distinct windows, and the number of each position's window."""
    window, transform = layer.layers[0].layers
    size = window.attrs["window_size"]
    outside = len(vectors)
    padded = np.pad(line, size, constant_values=outside)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * size + 1)
    firsts, numbers = _distinct(windows)
    seen = _and_zeros(vectors)[windows[firsts]].reshape(len(firsts), -1)
    transformed, _ = transform(seen, is_train)
    return numbers, vectors[line[firsts]] + transformed


def _distinct(rows: npt.NDArray[Any]) -> tuple[Numbers, Numbers]:
    """Return the position of the first of each distinct row, and the number of each row."""
    whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * rows.shape[1])))
    _, firsts, numbers = np.unique(whole.ravel(), return_index=True, return_inverse=True)
    return firsts, numbers


def _and_zeros(vectors: Vectors) -> Vectors:
    return np.vstack([vectors, np.zeros_like(vectors[:1])])
