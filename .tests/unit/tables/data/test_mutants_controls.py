"""Coverage and likeness of controls."""

from pathlib import Path

from hinter.controls import CONTROLS_SCHEMA
from hinter.tables.data.mutants import CONTROLS as TABLE
from hinter.tables.data.mutants import tabulate_controls
from result_files import Row, write_rows


def test_a_row_counts_what_the_controls_of_an_order_have_in_common(tmp_path: Path) -> None:
    def match(mutant: str, control: str | None, places: int, other: bool, apart: int) -> Row:
        return {
            "mutant_id": mutant,
            "control_id": control,
            "control_pair_id": "control:film>movie",
            "more_places": places,
            "other_class": other,
            "distance": apart,
        }

    rows = [
        match("o1|a:s>t", "o1|control:film>movie", 0, False, 10),
        match("o1|a:s>u", "o1|control:film>movie", 1, False, 30),
        match("o2|a:s>u", "o2|control:film>movie", 0, True, 50),
        {"mutant_id": "o3|a:s>u"},
        match("o1|a:s>t|b:s>t", "o1|a:s>t|control:film>movie", 0, False, 7)
        | {"neutral_id": "o1|control:film>movie|control:day>night"},
        match("o1|a:s>u|b:s>t", "o1|a:s>u|control:film>movie", 0, False, 10),
    ]
    parts = [("controls", "d", write_rows(tmp_path / "d.parquet", rows, CONTROLS_SCHEMA))]
    table = tabulate_controls(parts)
    names = ["order", "mutants", "matched", "coverage", "same_places", "same_class", "edits"]
    assert table["neutral"].tolist() == [0, 1]
    assert table[[*names, "distance"]].to_numpy().tolist() == [
        [1, 4, 3, 0.75, 2, 2, 2, 30],
        # Of an even number, the median is halfway between the two in the middle.
        [2, 2, 2, 1.0, 2, 2, 1, 8.5],
    ]
    assert TABLE.show(table)["matched %"].tolist() == ["75.00", "100.00"]


def test_where_no_mutant_has_a_control_there_is_no_distance(tmp_path: Path) -> None:
    rows = [{"mutant_id": "o1|a:s>t"}]
    parts = [("controls", "d", write_rows(tmp_path / "d.parquet", rows, CONTROLS_SCHEMA))]
    shown = TABLE.show(tabulate_controls(parts))
    assert shown.loc[0, ["matched", "matched %", "characters apart"]].tolist() == [0, "0.00", "-"]
