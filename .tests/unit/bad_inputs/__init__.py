"""All bad inputs that are refused, by the kind of input and what is wrong with it."""

from . import (
    answers,
    datasets,
    dictionary,
    mitigation,
    models,
    pairs,
    probes,
    prompts,
    registry,
    relations,
    sheets,
    studies,
)
from .case import Case, Line

CASES: dict[str, dict[str, Case]] = {
    "sheet": sheets.CASES,
    "study": studies.CASES,
    "mitigation": mitigation.CASES,
    "dataset": datasets.CASES,
    "dictionary": dictionary.CASES,
    "SBIC": dictionary.SBIC,
    "pairs": pairs.CASES,
    "prompt": prompts.CASES,
    "relations": relations.CASES,
    "probe": probes.CASES,
    "model": models.CASES,
    "answers": answers.CASES,
    "registry": registry.CASES,
}

__all__ = ["CASES", "Case", "Line"]
