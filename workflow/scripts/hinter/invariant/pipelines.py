"""A spaCy pipeline from a folder, with only the components that the invariant compares."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language

EMBEDDERS = ("tok2vec", "transformer", "curated_transformer")
COMPONENTS = (*EMBEDDERS, "tagger", "parser")
ANNOTATORS = (*COMPONENTS, "attribute_ruler", "lemmatizer", "ner")
# The registries whose functions build the parts of a pipeline. Functions of other registries read
# files or change the pipeline.
BUILDERS = ("@architectures", "@layers", "@misc", "@scorers", "@tokenizers", "@vectors")


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
    return pipeline, f"spacy-{spacy.__version__}-{_digest(pipeline, device=used)}"


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


def _digest(pipeline: "Language", *, device: str) -> str:
    """Return a digest of settings and weights, which with spaCy's version decide a parse."""
    parts = [device.encode(), pipeline.config.to_str().encode(), pipeline.tokenizer.to_bytes()]
    parts += [pipeline.get_pipe(name).to_bytes() for name in pipeline.pipe_names]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


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
    used = {section: settings.get(section, {}) for section in ("nlp", "components")}
    for path, value in _leaves(used):
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


def _leaves(settings: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[Any, Any]]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value
