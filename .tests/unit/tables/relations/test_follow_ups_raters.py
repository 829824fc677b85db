"""The scores of the classifiers of answers."""

from pathlib import Path

from hinter.tables.relations.follow_ups import RATERS as TABLE
from hinter.tables.relations.follow_ups import tabulate_raters

SCORES = "model,dataset,split,texts,accuracy,micro_f1,macro_f1,published_as\n{}\n"


def test_each_classifier_has_its_scores(tmp_path: Path) -> None:
    paths = []
    for line in ("m,imdb,held_out,9,.5,.5,.25,", "m,tones,held_out,8,.75,.75,.5,"):
        paths.append(tmp_path / f"{len(paths)}.csv")
        paths[-1].write_text(SCORES.format(line), encoding="utf-8")
    table = tabulate_raters(paths)
    assert table["dataset"].tolist() == ["imdb", "tones"]
    assert TABLE.show(table)["accuracy %"].tolist() == ["50.00", "75.00"]
    assert tabulate_raters([]).empty
