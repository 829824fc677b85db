"""Units of text that LanguageTool can check independently of each other.

Its sentences differ from those of the invariant. They follow its own rules (segment.srx, English),
which know other abbreviations and do not end a sentence at a single line break. A unit ends only
where these rules certainly end a sentence, so it may contain several sentences.
"""

import re
from itertools import pairwise

from ..invariant import split_sentences

_SPACE = r"[ \t\n\v\f\r\N{NO-BREAK SPACE}]"
_PARAGRAPH_END = re.compile(r"\n\s*\n", re.ASCII)
_SENTENCE_GAP = re.compile(rf"{_SPACE}(?!\n)")
_CLOSING = r"[\"'”’»)\]}]"
_LAST_WORD = re.compile(
    r"(?P<beginning>.*?)(?P<end>\d+|[^\W\d_]{2,})"
    rf"(?:(?P<stop>[.!?])[.!?]*{_CLOSING}*|{_CLOSING}+[.!?]+)"
)
_LONGEST_WORD = 60
_INSIDE = re.compile(r"^\(|\.|\d-$")
_TITLES = (
    "atty brig capt cmdr cmnd col dr drs gen gov hon jr lieut lt maj messrs mmes mr mrs ms pres "
    "prof rcol rep retd rev revd sen sgt sr st"
)
_DEGREES = "arch barch bcomp beng bsc comp eng ll mcomp meng msc ph phd sc"
_DATES = "jan feb mar apr jun jul aug sep sept oct nov dec"
_MEASURES = "acc approx avg dia ft hr lb lbf lbs max min msec sec"
_REFERENCES = (
    "al cf def defs ed eq eqs esp etc ex excl exp ext fig figs ie incl lem lems no pp prop props "
    "reg thm thms viz vol vols vs"
)
_OTHERS = "acq bros btw co conn corp dept dist govt inc ing ltda mt"
_ABBREVIATIONS = frozenset(
    " ".join((_TITLES, _DEGREES, _DATES, _MEASURES, _REFERENCES, _OTHERS)).split()
)
_NUMBER = re.compile(r"\d\d+\.")
_NUMBERED = re.compile(rf"\d+\.{_SPACE}[^\W\d_]")


def split_units(text: str) -> list[str]:
    """Return the units of `text`: its sentences, joined where LanguageTool may not split them."""
    sentences = split_sentences(text)
    gaps = [
        (end, start)
        for (begin, end), (start, _) in pairwise(sentences)
        if _is_surely_parted(text[begin:end], text[end:start], text[start])
        and not _NUMBERED.fullmatch(text, 0, start + 1)
    ]
    starts = [start for start, _ in sentences[:1]] + [start for _, start in gaps]
    ends = [end for end, _ in gaps] + [end for _, end in sentences[-1:]]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def is_numbered(unit: str) -> bool:
    """Return whether a unit begins with a number, like "4. The applicant".

    LanguageTool ends a sentence after such a number, except at the start of a text.
    """
    return _NUMBERED.match(unit) is not None


def _is_surely_parted(sentence: str, gap: str, following: str) -> bool:
    """Return whether LanguageTool also ends the sentence in the gap before `following`."""
    if _PARAGRAPH_END.search(gap):
        return True
    word = sentence.rsplit(maxsplit=1)[-1]
    parts = _LAST_WORD.fullmatch(word) if len(word) <= _LONGEST_WORD else None
    if parts is None or "..." in word or not _SENTENCE_GAP.match(gap) or following == ")":
        return False
    if following.islower():
        return _NUMBER.fullmatch(word) is not None
    end = parts["end"]
    if end.isdigit():
        return True
    abbreviated = end.lower() in _ABBREVIATIONS or _INSIDE.search(parts["beginning"])
    if parts["stop"] == "." and abbreviated:
        return False
    return following.isupper() or len(end) > 2
