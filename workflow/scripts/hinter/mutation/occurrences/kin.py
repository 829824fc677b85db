"""Occurrences of words for children that tell whose child a person is, or how old."""

import re

from .occurrence import Occurrence, Scene

_CHILD = frozenset({"child", "children", "kid", "kids", "teen", "teens", "minors", "minor"})
_AGE = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[-\s]+"
    r"(?:years?|months?|weeks?|days?)(?:[-\s]+old)?\b|\b(?:under|over) \d+|"
    r"\baged?\b|\byears of age\b|\bnewborn\b",
    re.IGNORECASE,
)
_KIN = re.compile(
    r"\b(?:parent\w*|father\w*|mother\w*|mom|mum|dad|famil\w+|custody|adopt\w*|foster\w*|born|"
    r"birth|daughters?|sons?|baby|babies|infants?|toddlers?|guardian\w*|upbringing|rais\w+|"
    r"school\w*|pregnan\w+|marriage|spouses?|couple|wife|wives|husbands?|abduct\w+|kindergarten|boys?|"
    r"girls?|orphan\w*|juvenile)\b",
    re.IGNORECASE,
)


def kin_child(occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a child is somebody's, or its age is told, there or beside (*his child*)."""
    if occurrence.source not in _CHILD:
        return False
    annotation, number = scene.annotation, scene.head(occurrence)
    if any(annotation.tokens[child].dep == "poss" for child in annotation.children[number]):
        return True
    around = scene.sentence_text(occurrence, around=1)
    return bool(_AGE.search(around) or _KIN.search(around))
