"""The window in which a server cuts prompts without a word, by its own counts of their tokens."""

SHARE, TOKENS = 0.05, 16
"""By how much prompts must differ here, of which the server counts just as many tokens."""
FEWEST = 1 / 4
"""The share of the prompt's tokens counted here that an endpoint counts at least: another tokenizer
may make fewer."""
LEAST = 256
"""No server reads less of a prompt than so many tokens."""


class Ceiling:
    """The highest count of a server, and the least and most tokens counted here at that count."""

    def __init__(self) -> None:
        self._highest = self._least = self._most = 0

    def found(self, *, ours: int, theirs: int) -> bool:
        """Note the counts of a prompt, and tell whether the server's stands still at a window."""
        if theirs > self._highest:
            self._highest, self._least, self._most = theirs, ours, ours
        if theirs < max(LEAST, self._highest):
            return False
        self._least, self._most = min(self._least, ours), max(self._most, ours)
        grown = self._most - self._least >= max(TOKENS, SHARE * self._most)
        return grown or theirs < FEWEST * ours
