"""What a form shows of a text."""

from forms import MAN
from hinter.assessments.passages import LEFT_OUT, passages_of
from hinter.dictionary import WordPair
from hinter.mutation import place_pairs
from suites import PAIRS


def _pair(pair_id: str) -> WordPair:
    attribute, source, target = PAIRS[pair_id]
    return WordPair(pair_id, attribute, "g", "h", source, target)


def test_changed_sentences_stand_between_their_neighbours() -> None:
    text = "A one. B two! The man sat. D four. E five. F six.\nHe met a Greek  man. H."
    (changes,) = place_pairs(text, [_pair(MAN)])
    before, after = passages_of(text, changes)
    assert [part.text for part in before if part.replaced] == ["man", "man"]
    assert [part.text for part in after if part.replaced] == ["woman", "woman"]
    shown = f"B two! The man sat. D four.{LEFT_OUT}F six.\nHe met a Greek  man. H."
    assert "".join(part.text for part in before) == shown
    assert "".join(part.text for part in after) == shown.replace("man", "woman")
