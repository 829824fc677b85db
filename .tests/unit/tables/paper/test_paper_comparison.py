"""The paper's numbers and those of a study."""

import pandas as pd
import pytest
from hinter.tables.paper.paper_comparison import compare_with_paper, show_comparison
from hinter.tables.published.counts import Published


def _study(*, model: str, dataset: str, low: float) -> dict[str, pd.DataFrame | None]:
    rate = {"bias_rate": 0.05, "bias_rate_cluster_low": low, "bias_rate_cluster_high": 0.06}
    hidden = dict.fromkeys(("", "_low", "_high"), 0.5)
    row = {"model": model, "dataset": dataset, "order": 2, **rate}
    row |= {f"hidden_rate_complete{end}": value for end, value in hidden.items()}
    higher = {**row, "order": 3, "bias_rate": 0.9}
    original = {"model": model, "share": 0.2, "share_low": 0.1, "share_high": 0.3}
    verdicts = [
        {"model": model, "level": "atomic", "check": check, **rate}
        for check in ("valid", "discarded")
    ]
    valid = {"dataset": dataset, "level": "all", "valid_share": 0.7}
    return {
        "table2_bias_rates": pd.DataFrame([row, higher]),
        "figure4_biased_originals": pd.DataFrame([original]),
        "figure6_validity": pd.DataFrame([valid, {**valid, "dataset": "other"}]),
        "figure7_false_positives": pd.DataFrame(verdicts),
    }


def test_a_study_of_the_papers_models_and_data_is_compared_with_the_same(
    published: Published,
) -> None:
    rows = compare_with_paper(published, **_study(model="bert", dataset="ecthr_a", low=0.04))
    bias = rows[rows["quantity"] == "bias_rate"]
    (row,) = bias.to_dict("records")
    assert row["paper"] == pytest.approx(0.0465, abs=5e-5)
    assert (row["paper_of"], row["inside"], row["same"]) == ("bert, ecthr_a", True, True)
    (hidden,) = rows[rows["quantity"] == "hidden_rate"].to_dict("records")
    assert hidden["paper"] == pytest.approx(0.1535, abs=5e-5)
    assert not hidden["inside"]
    (original,) = rows[rows["quantity"] == "biased_originals"].to_dict("records")
    assert original["paper_of"] == "bert, all"
    assert original["inside"] and not original["same"]
    by_check = rows[rows["quantity"].str.endswith("d_bias_rate")]
    assert list(by_check["paper_of"]) == ["bert, atomic", "bert, atomic"]
    shown = show_comparison(rows)
    assert list(shown["paper %"])[:2] == ["4.65", "15.35"]
    assert list(shown["same model and data"])[:3] == ["yes", "yes", "no"]


def test_a_study_of_others_is_compared_with_all_of_the_paper(published: Published) -> None:
    # The default study's reviews share the name, and are others.
    rows = compare_with_paper(published, **_study(model="minilm", dataset="imdb", low=0.045))
    assert set(rows["paper_of"]) == {"all, all", "all, atomic"}
    assert not rows["same"].any()
    (bias,) = rows[rows["quantity"] == "bias_rate"].to_dict("records")
    assert bias["paper"] == pytest.approx(0.1461, abs=5e-5)
    assert not bias["inside"]
    (valid,) = rows[rows["quantity"] == "valid_share"].to_dict("records")
    assert valid["paper"] == pytest.approx(0.0242, abs=5e-5)
    assert valid["inside"] is None


def test_the_papers_whole_dataset_has_another_name_here(published: Published) -> None:
    rows = compare_with_paper(published, **_study(model="gpt-3.5", dataset="imdb_50k", low=0.04))
    (bias,) = rows[rows["quantity"] == "bias_rate"].to_dict("records")
    assert (bias["paper_of"], bias["same"]) == ("gpt-3.5, imdb", True)
    without = _study(model="gpt-3.5", dataset="imdb_50k", low=0.04)
    without["figure7_false_positives"] = None
    assert len(compare_with_paper(published, **without)) == len(rows) - 2
