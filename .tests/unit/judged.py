"""A small suite that a simulated model was run on, with the real oracle's verdicts."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hinter.dictionary import read_pairs
from hinter.models import ParsedAnswer, Status, Window
from hinter.oracle import judge_mutants
from suites import Study, mutant

GENDER, RACE = "gender:man>woman", "race:Greek>Thai"
TEXTS = {
    # Of three men, the second decides, together with the Greek.
    "both": "A man sang. That man, said a man, is Greek.",
    # The gender of the last man decides.
    "last": "A man and a Greek met a man.",
    "none": "A man knew no Greek.",
}


class Simulated:
    """A model whose answer is any function of the text, and of how often it was asked about it."""

    fingerprint = "simulated"

    def __init__(self, outcome: Callable[[str, int], str]) -> None:
        self._outcome = outcome
        self.asked: dict[str, int] = {}

    def windows(self, texts: Sequence[str]) -> list[Window]:
        return [Window(len(text), text) for text in texts]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        for number, text in enumerate(texts):
            self.asked[text] = self.asked.get(text, 0) + 1
            yield [(number, self._outcome(text, self.asked[text]))]

    def read(self, response: str) -> ParsedAnswer:
        return (
            ParsedAnswer(Status(response))
            if response == "none"
            else ParsedAnswer(Status.OK, (response,))
        )


def outcome_of(text: str, _: int = 1) -> str:
    hidden = "That woman" in text and "Thai" in text
    return "negative" if hidden or text.endswith("met a woman.") else "positive"


class Judged(Study):
    """A suite in which a simulated model was judged."""

    def __init__(self, folder: Path, model: Simulated) -> None:
        combinations = [(GENDER,), (RACE,), (GENDER, RACE)]
        rows = [mutant(key, *pairs) for key in sorted(TEXTS) for pairs in combinations]
        super().__init__(folder, texts=TEXTS, rows=rows)
        self.model, self.verdicts = model, folder / "verdicts.parquet"
        self.run(model)
        judge_mutants(
            folder / "suite.parquet",
            folder / "predictions.parquet",
            self.verdicts,
            outcome_statuses=[],
        )
        self.pairs = {pair.pair_id: pair for pair in read_pairs(folder / "pairs.csv")}
