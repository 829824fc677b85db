"""What a form shows of a text."""

from forms import MAN
from hinter.assessments.passages import LEFT_OUT, passages_of
from literal import word_pairs
from recipes import literal_mutant


def test_changed_sentences_stand_between_their_neighbours() -> None:
    text = "A one. B two! The man sat. D four. E five. F six.\nHe met a Greek  man. H."
    before, after = passages_of(literal_mutant("o", text, word_pairs([MAN])))
    assert [part.text for part in before if part.replaced] == ["man", "man"]
    assert [part.text for part in after if part.replaced] == ["woman", "woman"]
    shown = f"B two! The man sat. D four.{LEFT_OUT}F six.\nHe met a Greek  man. H."
    assert "".join(part.text for part in before) == shown
    assert "".join(part.text for part in after) == shown.replace("man", "woman")
