"""The one error a user of the study is meant to read."""


class InputError(ValueError):
    """Something given to the study cannot be used.

    Its text is one line: where it stands, what was found, what was expected, what to do.
    """

    def __init__(self, *, where: str, found: str, expected: str, fix: str) -> None:
        super().__init__(f"{where}: found {found}; expected {expected}. {fix}")
