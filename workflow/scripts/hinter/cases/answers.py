"""The answers of a model to the texts of cases."""

from collections.abc import Callable, Sequence

from ..models import Model, ParsedAnswer
from ..predictions import repeat_keys
from ..responses import Asker, ResponseStore


class Answers:
    """The answers of a model, which are requested through the store.

    Answers with a label have an outcome, and so do those with one of the `outcome_statuses`.
    `advance` is called with the number of answers since its last call.
    """

    def __init__(
        self,
        model: Model,
        store: ResponseStore,
        *,
        outcome_statuses: Sequence[str],
        advance: Callable[[int], object],
    ) -> None:
        self._model, self._asker, self._advance = model, Asker(model, store), advance
        self._statuses = {"ok", *outcome_statuses}

    def of(self, texts: Sequence[str], *, repeats: int) -> list[list[ParsedAnswer]]:
        """Return `repeats` answers to each text."""
        windows = self._model.windows(texts) if texts else []
        keys = [repeat_keys(window.digest, repeats=repeats) for window in windows]
        asked = {key: text for text, several in zip(texts, keys, strict=True) for key in several}
        parsed_answers = self._asker.ask(asked, advance=self._advance)
        return [[parsed_answers[key] for key in several] for several in keys]

    def differ(self, parsed: ParsedAnswer, original: ParsedAnswer) -> bool | None:
        """Return whether two answers have different outcomes, or None unless both have one."""
        if not self._statuses.issuperset((parsed.status, original.status)):
            return None
        return (parsed.status, parsed.outcome) != (original.status, original.outcome)
