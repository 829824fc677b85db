"""Drawing favours no text."""

from collections import Counter

from hinter.corpora.sampling import draw_splits
from users_files import id_of


def test_drawing_favours_no_text() -> None:
    """Each of 30 texts is drawn for 10 places about 100 times in 300 (5 sigma: 41)."""
    ids = [id_of(f"text number {i}") for i in range(30)]
    drawn: Counter[str] = Counter()
    for seed in range(300):
        drawn.update(draw_splits(ids, sizes={"tested": 10}, seed=seed).keys())
    assert sorted(drawn) == sorted(ids)
    assert all(59 <= count <= 141 for count in drawn.values())
