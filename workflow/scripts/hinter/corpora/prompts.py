"""Few-shot prompts as plain text to be continued."""

from dataclasses import dataclass
from pathlib import Path

from ..sheets import read_sheet


@dataclass(frozen=True)
class Prompt:
    """A prompt template; `answers` maps label names to what the model is to continue with."""

    version: int
    instruction: str
    example: str
    question: str
    answers: dict[str, str]
    examples: tuple[str, ...]

    def shown(self, examples: list[tuple[str, str]]) -> str:
        """Return what stands before the question: instruction and (text, label) examples."""
        return self.instruction + "".join(
            self.example.format(text=text, answer=self.answers[label]) for text, label in examples
        )

    def asked(self, text: str) -> str:
        """Return the question about `text`, up to the answer."""
        return self.question.format(text=text)


def read_prompt(path: str | Path, *, schema: str | Path) -> Prompt:
    """Return the checked prompt file `path`."""
    sheet = read_sheet(path, schema=schema)
    return Prompt(**{**sheet, "examples": tuple(sheet["examples"])})
