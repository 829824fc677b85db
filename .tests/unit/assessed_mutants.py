"""Rows of assessed mutants, with the comparators' checks."""

import pandas as pd
from result_files import Row


def assessed_rows(rows: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "sample": "comparators",
                "dataset": "imdb",
                "half": "development",
                "mutant_id": f"m{number}",
                "order": 1,
                "weight": 1.0,
                "grammar": row["sound"],
                "meaning": row["sound"],
                "people": 0,
                "about_operator": "literal",
                "tolerant": "valid",
                "strict": "valid",
                "heads": "valid",
            }
            | row
            for number, row in enumerate(rows)
        ]
    )


BY_HAND = assessed_rows(
    [
        {"original_id": "a", "weight": 3.0, "sound": True},
        {"original_id": "a", "weight": 1.0, "sound": False, "grammar": True},
        {"original_id": "b", "weight": 1.0, "sound": True, "tolerant": "pos"},
        {"original_id": "b", "weight": 3.0, "sound": False, "tolerant": "dep"},
        {"original_id": "c", "weight": 9.0, "sound": True, "tolerant": "unchecked"},
    ]
)
