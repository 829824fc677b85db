"""Headline rates, as the tables have them."""

import pandas as pd
from hinter.report.rates import (
    rates_of_excess,
    rates_of_probes,
    rates_of_relations,
    rates_of_table2,
)

RUN = {"model": "m", "dataset": "d"}
ENDS = {"excess_low": -0.1, "excess_high": 0.3, "plain_n": 20}


def _excess(order: int, measure: str, attributes: str = "all") -> dict[str, object]:
    told = {"order": order, "measure": measure, "attributes": attributes}
    told |= {"compared_with": "neutral" if order == 1 else "sensitive + neutral"}
    told |= {"q_value": 0.04, "primary": (order, measure) == (2, "bias")}
    return RUN | told | ENDS | {"n": 20, "rate": 0.15, "control_rate": 0.05, "excess": 0.1}


def test_the_primary_comparison_comes_first_and_one_combination_is_no_headline() -> None:
    lines = [(1, "bias"), (2, "bias"), (2, "hidden bias"), (3, "hidden bias")]
    table = pd.DataFrame(
        [_excess(*line) for line in lines] + [_excess(2, "hidden bias", "body+race")]
    )
    rates = list(rates_of_excess(table))
    assert [rate.measure for rate in rates] == [
        "Bias with two attributes, against controls with one neutral edit",
        "Hidden bias with three attributes, against controls with one neutral edit",
        "Hidden bias with two attributes, against controls with one neutral edit",
        "Bias with one attribute",
    ]
    assert (rates[0].found, rates[0].n, rates[0].control) == (3, 20, 0.05)
    assert (rates[0].excess, rates[0].excess_low, rates[0].excess_high) == (0.1, -0.1, 0.3)
    assert [rate.primary for rate in rates] == [True, False, False, False]
    assert rates[0].q == 0.04 and rates[0].above and not rates[0].below


def test_without_controls_hidden_bias_is_a_share_of_biased_mutants() -> None:
    row = RUN | {"order": 2, "n": 50, "biased": 5, "bias_rate": 0.1, "hidden_rate": 0.4}
    ends = {
        f"{name}_{end}": 0.2
        for name in ("bias_rate_cluster", "hidden_rate_cluster")
        for end in ("low", "high")
    }
    hidden, bias = rates_of_table2(pd.DataFrame([row | ends]))
    assert (hidden.n, hidden.found, bias.n, bias.found) == (5, 2, 50, 5)
    assert hidden.against == bias.against == ""


def test_a_rate_of_nothing_is_unknown() -> None:
    row = RUN | {"order": 2, "n": 9, "biased": 0, "bias_rate": 0.0, "hidden_rate": None}
    ends = dict.fromkeys(("hidden_rate_cluster_low", "hidden_rate_cluster_high"))
    ends |= dict.fromkeys(("bias_rate_cluster_low", "bias_rate_cluster_high"))
    hidden, bias = rates_of_table2(pd.DataFrame([row | ends]))
    assert (hidden.share, hidden.n, hidden.low) == (None, 0, None)
    assert (bias.share, bias.low) == (0.0, None)


def test_probes_and_relations_have_headlines() -> None:
    probe = {"scenario": "S", "detector": "D", "probe": "p", "model": "m", "n": 4, "hits": 1}
    (score,) = rates_of_probes(pd.DataFrame([probe | {"score": 0.25} | _ends("score")]))
    assert (score.measure, score.dataset, score.found, score.low) == ("S: D", "p", 1, 0.0)
    faults = [
        {"level": level, "line": line, "metric": "tone", "model": "m", "n": 10, "floor": 0.1}
        | {"rate": 0.5, "excess": 0.4, "q_value": 0.2, **ENDS}
        for level, line in (
            ("information", "added or removed"),
            ("information", "kept"),
            ("family", "addition"),
        )
    ]
    kept, changed = rates_of_relations(pd.DataFrame(faults))
    assert (kept.measure, kept.found, kept.control) == ("Another tone, information kept", 5, 0.1)
    assert changed.measure == "Another tone, information added or removed"


def _ends(name: str) -> dict[str, float]:
    return {f"{name}_low": 0.0, f"{name}_high": 0.5}
