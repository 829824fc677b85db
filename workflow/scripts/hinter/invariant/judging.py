"""Verdicts on sentences, in batches, each distinct one parsed once."""

from collections.abc import Sequence

from .local import LocalSentence
from .parsing import Parse, Parser
from .reasons import Reason, sentence_reason


class SentenceJudge:
    """Judges mutated sentences against their originals; remembers parses of originals only."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._originals: dict[str, Parse] = {}

    def reasons(self, pairs: Sequence[tuple[str, str]]) -> list[Reason]:
        """Return the verdict on each pair of original and mutated sentence."""
        new = [text for text in dict(pairs) if text not in self._originals]
        self._originals.update(zip(new, self._parser.parse(new), strict=True))
        distinct = list(dict.fromkeys(pairs))
        parses = self._parser.parse(mutated for _, mutated in distinct)
        known = {
            pair: sentence_reason(self._originals[pair[0]], parse)
            for pair, parse in zip(distinct, parses, strict=True)
        }
        return [known[pair] for pair in pairs]

    def judge(self, cells: Sequence[tuple[LocalSentence, tuple[int, ...]]]) -> None:
        """Fill the codes of the given cells."""
        reasons = self.reasons([(part.sentence, part.render(cell)) for part, cell in cells])
        for (part, cell), reason in zip(cells, reasons, strict=True):
            part.codes[cell] = reason
