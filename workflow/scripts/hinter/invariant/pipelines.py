"""A spaCy pipeline from a folder, with only the components that the invariant compares.

Token vectors of spaCy's window encoder are computed once for each distinct window of a batch. A
layer of the encoder makes a token's vector from its own and its neighbours', so four layers see
only four tokens on each side. A mutant shares most of these windows with its original and with
other mutants of it.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from thinc.api import Model

EMBEDDERS = ("tok2vec", "transformer", "curated_transformer")
COMPONENTS = (*EMBEDDERS, "tagger", "parser")
ANNOTATORS = (*COMPONENTS, "attribute_ruler", "lemmatizer", "ner")
# The registries whose functions build the parts of a pipeline. Functions of other registries read
# files or change the pipeline.
BUILDERS = ("@architectures", "@layers", "@misc", "@scorers", "@tokenizers", "@vectors")

EMBEDDER = "tok2vec"
EMBED = {"@architectures": "spacy.MultiHashEmbed.v2", "include_static_vectors": False}
ENCODE = {"@architectures": "spacy.MaxoutWindowEncoder.v2"}
"""The required parts of the embedder, as spaCy's small pipelines have them."""

Numbers = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]


def open_pipeline(
    folder: Path, *, device: str, components: Collection[str], needed: Sequence[str]
) -> tuple["Language", str]:
    """Return the pipeline in a folder with only the given components, and a name of its parses.

    The name has spaCy's version and a digest of the device, settings and weights, which decide a
    parse. From then on, numpy multiplies matrices in one thread. Raises `InputError` if the folder
    has no pipeline with the `needed` components, or one that needs more than spaCy's own parts:
    code from a folder is never run. Raises it also for the `device` cuda without one.
    """
    import spacy
    from threadpoolctl import threadpool_limits

    used = _activate(device)
    # The matrices of sentences are small: several threads wait for each other and are much slower.
    threadpool_limits(limits=1, user_api="blas")
    try:
        _check_settings(spacy.util.load_config(folder / "config.cfg"), folder=folder)
        with _fast_products():
            pipeline = spacy.load(folder)
    except InputError:
        raise
    except (OSError, ValueError, KeyError, ImportError, UnpicklingError) as error:
        raise InputError(
            where=str(folder),
            found=" ".join(str(error).split())[:300],
            expected="the folder of a spaCy 3.8 pipeline",
            fix="Correct the parser in the configuration, or install what its pipeline needs.",
        ) from None
    for name in pipeline.pipe_names:
        if name not in components:
            pipeline.remove_pipe(name)
    missing = set(needed) - set(pipeline.pipe_names)
    if missing:
        raise InputError(
            where=str(folder),
            found=f"no {' and no '.join(sorted(missing))} in the pipeline",
            expected=f"a pipeline with {' and '.join(needed)}",
            fix="Choose another pipeline, for example en_core_web_sm.",
        )
    parts = [used.encode(), pipeline.config.to_str().encode(), pipeline.tokenizer.to_bytes()]
    parts += [pipeline.get_pipe(name).to_bytes() for name in pipeline.pipe_names]
    digest = hashlib.sha256(b"".join(parts)).hexdigest()[:16]
    return pipeline, f"spacy-{spacy.__version__}-{digest}"


def _activate(device: str) -> str:
    """Choose the device of spaCy and return it: cpu or cuda."""
    import spacy

    if device == "cuda":
        try:
            spacy.require_gpu()
        except ValueError as error:
            raise InputError(
                where="configuration, key 'invariant.parser.device'",
                found=f"cuda, but {error}",
                expected="a CUDA device and the package cupy",
                fix="Install cupy for your CUDA version, or set the device to cpu.",
            ) from None
        return "cuda"
    return "cuda" if device == "auto" and spacy.prefer_gpu() else "cpu"


@contextmanager
def _fast_products() -> Iterator[None]:
    """Let pipelines that are loaded in this context multiply matrices with numpy on the CPU.

    Otherwise they use BLIS, which has no AVX-512, and only generic code for CPUs that are newer
    than itself.
    """
    from thinc.api import get_current_ops, use_ops

    with use_ops("numpy", use_blis=False) if get_current_ops().name == "numpy" else nullcontext():
        yield


def _check_settings(settings: Mapping[str, Any], *, folder: Path) -> None:
    """Raise `InputError` for settings that call functions, read files or load pipelines."""
    from spacy.util import walk_dict

    used = {section: settings.get(section, {}) for section in ("nlp", "components")}
    for path, value in walk_dict(used):
        key = path[-1]
        called = key.startswith("@") and key not in BUILDERS
        sourced = len(path) == 3 and key == "source"
        if called or sourced:
            raise InputError(
                where=f"{folder}/config.cfg, section '{'.'.join(path[:-1])}'",
                found=f"{key} = {value!r}",
                expected="a pipeline that is built only of spaCy's own parts, from this folder",
                fix="Remove the setting, or save the pipeline again with its parts (`to_disk`).",
            )


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
