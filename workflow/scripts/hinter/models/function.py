"""A Python function of the user as a model."""

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..lines import read_text
from ..provenance import digest_of, module_digest
from .labelled import SuppliedLabels, read_labelled
from .model import ParsedAnswer
from .windows import WholeTexts, digest_of_text


class FunctionModel(WholeTexts):
    """The function that a `sheet` names, of the module at `path`, which sees whole texts.

    It is called with lists of at most `batch_size` texts, and returns for each text a label, a list
    of labels if `multi_label`, or a mapping of every label to its logit. Responses of another
    `version`, or of another source text of the module, are not used. Raises `InputError` if there
    is no such function, and for any other return value. Errors in the function are passed on.
    """

    def __init__(
        self, path: Path, *, sheet: Mapping[str, Any], labels: Sequence[str], multi_label: bool
    ) -> None:
        name = sheet["function"].partition(":")[2]
        self._where = f"{path}, function '{name}'"
        text = read_text(path)
        self._function = _import(path, name=name, where=self._where)
        fix = f"Correct {path}, or `label_names` in the datasets sheet."
        self._given = SuppliedLabels(labels, multi_label=multi_label, fix=fix)
        self._batch_size = sheet["batch_size"]
        self.fingerprint = digest_of(
            module=digest_of_text(text),
            code=module_digest("hinter/models/function.py"),
            name=name,
            version=sheet["version"],
            labels=self._given.labels,
            multi_label=multi_label,
        )

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, a call at a time."""
        for first in range(0, len(texts), self._batch_size):
            batch = list(texts[first : first + self._batch_size])
            yield list(enumerate(self._answers(batch), start=first))

    def read(self, response: str) -> ParsedAnswer:
        """Return the outcome in a response, and the labels' scores."""
        return read_labelled(response, labels=self._given.labels)

    def _answers(self, batch: list[str]) -> list[str]:
        answers = self._function(batch)
        if not isinstance(answers, Sequence) or isinstance(answers, str):
            raise self._fault(f"{type(answers).__name__} as return value", texts=len(batch))
        if len(answers) != len(batch):
            raise self._fault(f"{len(answers)} answers", texts=len(batch))
        return [
            self._given.response(None, scores=answer, where=self._where)
            if isinstance(answer, Mapping)
            else self._given.response(answer, where=self._where)
            for answer in answers
        ]

    def _fault(self, found: str, *, texts: int) -> InputError:
        expected = f"a list with an answer to each of {texts} texts"
        return InputError(where=self._where, found=found, expected=expected, fix="Correct it.")


def _import(path: Path, *, name: str, where: str) -> Callable[[list[str]], Any]:
    """Return the function of the module, which may import others in its folder."""
    # Under a special name, as that of the user's module may be that of a library.
    spec = importlib.util.spec_from_file_location(f"of_the_user.{path.stem}", path)
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise InputError(
            where=f"{error.filename or path}, line {error.lineno}",
            found=error.msg,
            expected="a module of Python",
            fix="Correct it.",
        ) from None
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(
            where=where,
            found="no such function",
            expected="a function of the module",
            fix="Correct `function` in the models sheet.",
        )
    return function
