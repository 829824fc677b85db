"""What the paper prints of faults, beside a few of the study's."""

import pandas as pd
from hinter.tables.relations.compared_faults import PRINTED_FAULTS as TABLE
from hinter.tables.relations.compared_faults import tabulate_printed_faults

COLUMNS = ["model", "metric", "relation", "n", "sources", "faulty_sources", "rank"]
FAULTS = pd.DataFrame(
    [
        *(("m", "tone", "MR4", 4, 4, 3, 1), ("m", "tone", "MR12", 9, 5, 1, 2)),
        *(("m", "tone", "MR13", 0, 0, 0, None), ("m", "sentiment", "MR4", 4, 4, 0, 1)),
    ],
    columns=COLUMNS,
)


def test_each_printed_number_stands_beside_the_studys() -> None:
    rows = tabulate_printed_faults(FAULTS)
    assert set(rows["same_model_and_data"]) == {"no"}
    sections = rows.groupby("printed_model")["section"].unique().map(list)
    assert sections.to_dict() == {"LLaMA 3": ["VII.A"], "GPT-4.0": ["VII.B"]}
    shown = TABLE.show(rows).set_index(["printed_model", "metric", "relation"])
    columns = ["printed faults", "faulty sources", "of 100 sources", "printed rank", "rank"]
    assert shown.loc[("LLaMA 3", "tone", "each"), columns].tolist() == [
        *("1500 to 2500", "1 to 3", "20.00 to 75.00", "-", "-")
    ]
    assert shown.loc[("LLaMA 3", "tone", "MR12"), columns].tolist() == [
        *("-", "1", "20.00", "1", "2")
    ]
    assert shown.loc[("GPT-4.0", "tone", "MR4"), columns].tolist() == [
        *("2200", "3", "75.00", "1", "1")
    ]
    assert shown.loc[("LLaMA 3", "sentiment", "each"), "printed faults"] == "below 500"
    # Relations without a rated follow-up have no row.
    assert ("GPT-4.0", "tone", "MR13") not in shown.index
    assert tabulate_printed_faults(FAULTS[:0]).empty
