"""The prompt of a judge of answers."""

from pydantic import Field

from .types import Count, Sheet


class JudgeSheet(Sheet):
    """The prompt by which a model judges what answers in words mean."""

    version: Count
    """raised with every change of the wording"""
    instruction: str
    """text that comes once (in a chat, the system's turn); {labels} is filled with the probe's
    labels"""
    question: str
    """how an answer is shown, up to what the judge says of it; {prompt} and {answer} are filled
    in"""
    none: str = Field(default="None", pattern="\\S")
    """what the judge says of an answer that names no label, or several"""
    refused: str = Field(default="Refused", pattern="\\S")
    """what the judge says of an answer that declines"""
    max_answer_tokens: Count = 16
    """how many tokens the judge may take"""
