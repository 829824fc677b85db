"""The p-values of lines, which are tested in parts, and their means."""

import numpy as np
import pandas as pd
import pytest
from hinter.statistics import cluster_bootstrap, likely_bounds, sign_flip_test
from hinter.tables import groups
from hinter.tables.groups import mean_p_values, means_by, p_values_by


def _sums() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        {"group": group, "level": level, "original_id": f"o{number:02}"}
        for group in "cab"
        for level in ("x", "y")
        for number in rng.permutation(12)[: rng.integers(2, 12)]
    ]
    sums = pd.DataFrame(rows)
    return sums.assign(n=rng.integers(1, 5, len(sums)), shift=rng.integers(-300, 200, len(sums)))


@pytest.mark.parametrize("at_once", [1, 4, 100])
def test_lines_are_tested_over_their_originals_in_parts(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "LINES", at_once)
    sums, keys = _sums(), ["group", "level"]
    found = p_values_by(sums, keys, ("shift", "n"), seed=3)
    lines = sums.groupby(keys, sort=False)
    assert found.index.tolist() == list(dict(iter(lines)))
    names = sorted(sums["original_id"].unique())
    wide = [
        line.set_index("original_id")[["shift", "n"]].reindex(names, fill_value=0).to_numpy().T
        for _, line in lines
    ]
    expected = mean_p_values(*np.stack(wide, axis=2).astype(float), seed=3)
    assert found.tolist() == expected.tolist()
    assert p_values_by(sums[:0], keys, ("shift", "n"), seed=3).empty


def test_means_are_those_of_each_line_in_log_odds() -> None:
    sums, keys = _sums(), ["group", "level"]
    lines = sums.groupby(keys, sort=False).ngroup()
    # A line of a single original, and one without any.
    sums = sums[(lines != 4) | (sums.groupby(keys).cumcount() == 0)]
    sums.loc[lines == 4, ["shift", "n"]] = 5, 1
    sums.loc[lines == 5, ["shift", "n"]] = 0, 0
    of = ("shift", "n")
    rows = means_by(sums, keys, of, name="mean", largest=300, seed=3)
    rows = rows.assign(p_value=p_values_by(sums, keys, of, seed=3))
    groups = sums.groupby(keys, sort=False)
    assert list(rows.index) == list(dict(iter(groups)))
    for row, (_, line) in zip(rows.to_dict("records"), groups, strict=True):
        values, counts = line["shift"].tolist(), line["n"].tolist()
        if sum(count > 0 for count in counts) < 2:
            assert np.isnan([row["mean_low"], row["mean_high"], row["p_value"]]).all()
            continue
        assert row["mean"] == pytest.approx(sum(values) / sum(counts) / 100, abs=1e-6)
        bounds = likely_bounds(values, counts, bounds=(-300, 300))
        ends = cluster_bootstrap(values, counts, seed=3, bounds=bounds)
        assert (row["mean_low"], row["mean_high"]) == pytest.approx(
            (ends[0] / 100, ends[1] / 100), abs=1e-6
        )
        assert row["p_value"] == pytest.approx(sign_flip_test(values, seed=7), abs=0.03)
    assert rows["mean"].iloc[4] == 0.05
    assert np.isnan(rows["mean"].iloc[5])
    without = means_by(sums[:0], keys, of, name="mean", largest=1, seed=3)
    assert without.empty
    assert without.index.names == keys
