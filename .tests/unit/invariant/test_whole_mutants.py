"""What a mutant changes is found in its own sentences, as it is by splitting both whole texts."""

import random

import pytest
from hinter.invariant import splitting, whole_mutants
from hinter.invariant.splitting import split_sentences
from hinter.invariant.whole_mutants import changed_sentences, split_whole
from hinter.mutation import Edit
from literal import word_pairs
from recipes import literal_mutant
from tries import alike

# Abbreviations, initials and closing marks in and beside terms, and gaps that end sentences or not.
WORDS = ["man", "Mr", "Mr.", "he", "old", "an", "e.g", "U.S.", "A.", "end.", "so!", '"quoted."']
GAPS = [" ", " ", " ", "  ", "\n", ". ", "? ", ".\n", "-", ".) "]
PAIRS = ["a:man>Mr", "b:Mr>man", "c:he>U.S", "d:old>e.g", "e:an>A", "f:U.S>old man"]


def _edits(text: str, pair_ids: list[str]) -> tuple[Edit, ...]:
    return literal_mutant("o", text, word_pairs(pair_ids)).edits


@alike("seed", range(5), range(5, 20))
def test_changes_are_those_between_the_sentences_of_both_texts(seed: int) -> None:
    draw = random.Random(seed)
    moved = kept = 0
    for _ in range(100):
        count = draw.randrange(1, 30)
        text = "".join(draw.choice(WORDS) + draw.choice(GAPS) for _ in range(count))
        edits = _edits(text, draw.sample(PAIRS, 2))
        expected = split_whole(text, edits)
        assert changed_sentences(text, edits) == expected, (text, edits)
        moved += expected is None
        kept += bool(expected)
    assert moved > 5
    assert kept > 25


def test_a_mutant_of_a_long_text_takes_no_longer_than_its_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "A man walks. " + "Nobody else is here. " * 5000 + "An old woman sits."
    split = []

    def counting(part: str) -> list[tuple[int, int]]:
        split.append(len(part))
        return split_sentences(part)

    for module in (splitting, whole_mutants):
        monkeypatch.setattr(module, "split_sentences", counting)
    for target in map(str, range(200)):
        edits = _edits(text, [f"a:man>{target}", "b:old>young"])
        changed = changed_sentences(text, edits)
        assert changed is not None
        mutated = [sentence.change.mutated for sentence in changed]
        assert mutated == [f"A {target} walks.", "An young woman sits."]
    # The original is split once, for all of its mutants.
    split.remove(len(text))
    assert 0 < sum(split) < len(text)
