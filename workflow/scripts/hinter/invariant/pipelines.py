"""A spaCy pipeline from a folder, with only the components that the invariant compares."""

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


def load_pipeline(
    folder: Path,
    *,
    components: Collection[str] = COMPONENTS,
    needed: Sequence[str] = ("tagger", "parser"),
) -> "Language":
    """Return the pipeline in a folder with only the given components.

    From then on, numpy multiplies matrices in one thread. Raises `InputError` if the folder has no
    pipeline with the `needed` components, or one that needs more than spaCy's own parts: code from
    a folder is never run.
    """
    import spacy
    from threadpoolctl import threadpool_limits

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
    return pipeline


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
