"""Every table and every figure of studies in which there is next to nothing to count."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from hinter.declarations import import_table
from hinter.figures.grammar import FIGURES as GRAMMAR
from hinter.tables.rq2.figure5_grammar import TABLE as FIGURE5
from hinter.tables.rq2.figure5_grammar import tabulate_grammar
from hinter.tables.rq3.checks import FIGURE8_DISCARDED as FIGURE8
from hinter.tables.rq3.checks import tabulate_discarded
from hinter.tables.rq4.exposure import tabulate_exposure, tabulate_lattice
from hinter.tables.rq4.figure9 import tabulate_atomic_mutants, tabulate_truth_table
from made_up import ATTRIBUTES, FIGURES, TABLES, WHY_EMPTY, Answer, Answers, MadeUpStudy
from plotting import plot
from readme import assert_answers_table_2
from result_files import Row
from scored import SAMPLE, grammar_file, verdict_files, verdict_on
from simulated import judge, make_suite
from table_files import fractions_among_counts

# What a rate is a share of, by table: without it there is no rate.
DENOMINATORS = {
    "mutants": {"valid_share": "mutants - unchecked"},
    "answers": {"no_label": "ok + none + refused + unparsed"},
    "noise_floor": {"flip_rate": "repeats"},
    "examined_cases": {"held_rate": "asked_again"},
    "table2_bias_rates": {
        "bias_rate": "n",
        "biased_valid": "n * (basis != 'suite')",
        "hidden_rate": "biased",
        "hidden_rate_complete": "complete",
        "coverage": "biased",
    },
    "table2_totals": {
        "bias_rate": "n",
        "hidden_rate": "biased",
        "hidden_rate_complete": "complete",
    },
    "one_person": {"bias_rate": "n", "hidden_rate_complete": "complete"},
    "figure4_biased_originals": {"share": "originals"},
    "figure6_validity": {"valid_share": "valid + discarded"},
    "figure7_false_positives": {"bias_rate": "n"},
    "figure9_truth_table": {"share": "n"},
    "figure9_atomic_mutants": {"shared_share": "atomic"},
    "figure10_exposure": {"share": "exposed * (first | second | intersectional)"},
    "lattice": {"hidden_rate_complete": "biased", "masked_rate": "biased_below"},
    "comparators": {
        "valid_share": "n",
        "agreement": "n",
        "bias_valid": "bias_valid_n",
        "bias_discarded": "bias_discarded_n",
    },
    "corrected_rates": {"bias_rate": "n", "corrected_rate": "discarded_n"},
    "groups_bias": {"bias_rate": "n"},
    "controls": {"coverage": "mutants"},
    "excess": {"rate": "n", "control_rate": "n"},
    "shifts": {
        "mean_shift": "scored",
        "mean_absolute_shift": "scored",
        "near_flip_rate": "benign",
        "mean_divergence": "scored",
    },
    "label_shifts": {"mean_change": "n"},
    "interactions": dict.fromkeys(("mean_joint", "mean_additive", "mean_interaction"), "scored"),
    "methods": {
        "valid_share": "mutants - unchecked",
        "precision": "read",
        "recall": "sound_literal",
        "bias_rate": "n",
        "hidden_rate": "biased * (order > 1)",
        "hidden_rate_complete": "complete",
    },
}


def _plain(key: str, repeat: int) -> Answer:
    """A model that is always right, and that no mutation changes."""
    right = "n" if key.startswith("h") and int(key[1:]) % 2 else "p"
    return [right], "ok"


def _changing(key: str, repeat: int) -> Answer:
    """A model that some mutants change, some of them only together, and that is of two minds."""
    together = "a:s>x" in key and "b:t>y" in key
    of_some = "c:s>z" in key and key[1] in "135"
    flips = key == "o1" and repeat > 1
    return (["n"], "ok") if together or of_some or flips else _plain(key, repeat)


def _unparsed(key: str, repeat: int) -> Answer:
    return None, "unparsed"


def _suite(*, originals: int = 6, orders: tuple[int, ...] = (1, 2)) -> pd.DataFrame:
    suite = make_suite(originals=originals, attributes=ATTRIBUTES, orders=orders)
    # Some of each kind are discarded.
    return suite.assign(valid=[not key.endswith("t>x") for key in suite["mutant_id"]])


def _study(
    suite: pd.DataFrame,
    answer: Answers = _changing,
    *,
    times: int = 1,
    scored: bool = True,
    **models: Answers,
) -> Callable[[Path], MadeUpStudy]:
    answers = {"m": answer, **models}
    return lambda folder: MadeUpStudy(
        folder, suite=suite, answers=answers, times=times, scored=scored
    )


MISSING = re.compile(r"(?:^|[|&>,])\s*(?:nan|NaN|None)\s*(?:$|[|&<,\\])", flags=re.M)
"""A cell without a value that was not written as such."""

CASES = {
    "all unparsed": _study(_suite(), _unparsed),
    "none biased": _study(_suite(), _plain),
    "none valid": _study(_suite().assign(valid=False)),
    "atomic ones only": _study(_suite(orders=(1,))),
    "only atomic ones valid": _study(_suite().assign(valid=lambda rows: rows["order"] == 1)),
    "all unchecked": _study(_suite().assign(valid=None)),
    "valid ones only": _study(_suite().assign(valid=True)),
    "a sample": _study(_suite().assign(sampled=lambda rows: rows["order"].eq(2)), _plain, times=3),
    "no mutants": _study(_suite()[:0]),
    "one original": _study(_suite(originals=1)),
    "a mute model beside another": _study(_suite(), mute=_unparsed),
    "no scores": _study(_suite(), scored=False),
    "no scores and a mute model": _study(_suite(), scored=False, mute=_unparsed),
}
# What the tables of a case must be empty of.
EMPTY = {
    "all unparsed": {
        *(
            "noise_floor",
            "table1_hidden_cases",
            "examined_cases",
            "figure4_biased_originals",
            "lattice",
            "one_person",
            "table2_totals",
        ),
        *("figure7_false_positives", "figure9_truth_table", "figure9_atomic_mutants"),
        *("figure10_exposure", "corrected_rates", "model_comparison", "groups_bias", "excess"),
        *("contrasts", "shifts", "label_shifts", "interactions", "interaction_cells"),
        "mitigation",
    },
    "none biased": {
        *("table1_hidden_cases", "examined_cases", "figure9_atomic_mutants"),
        *("model_comparison", "mitigation"),
    },
    "none valid": {
        *(
            "table1_hidden_cases",
            "examined_cases",
            "one_person",
            "table2_bias_rates",
            "table2_totals",
            "figure4_biased_originals",
            "lattice",
        ),
        *("figure5_grammar", "figure9_truth_table", "figure9_atomic_mutants"),
        *("figure10_exposure", "model_comparison", "groups_bias", "controls", "excess"),
        *("contrasts", "power", "shifts", "label_shifts", "interactions", "interaction_cells"),
        "mitigation",
    },
    "no scores": {"model_comparison", "label_shifts", "interaction_cells", "mitigation"},
    "no scores and a mute model": {
        *("model_comparison", "label_shifts", "interaction_cells", "mitigation")
    },
    "a mute model beside another": {"model_comparison", "mitigation"},
}


# The cases of which the figures are drawn.
PLOTTED = (
    "no mutants",
    *(pytest.param(name, marks=pytest.mark.release) for name in ("none biased", "one original")),
)


# Much like another of the cases.
ALIKE = (
    *("all unparsed", "none biased", "none valid", "atomic ones only", "only atomic ones valid"),
    *("all unchecked", "valid ones only", "a mute model beside another", "no scores"),
)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.release) if name in ALIKE else name for name in CASES
    ],
)
def case(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def study(case: str, tmp_path_factory: pytest.TempPathFactory) -> MadeUpStudy:
    """Return a study with all its tables."""
    study = CASES[case](tmp_path_factory.mktemp("study"))
    study.make_tables()
    return study


@pytest.mark.long
def test_every_table_is_made(study: MadeUpStudy) -> None:
    for table, end in product(TABLES, ("csv", "md", "tex", "html")):
        path = study.folder / "tables" / f"{table.name}.{end}"
        assert path.stat().st_size > 20, path
        # What is missing is empty, or a dash; words of captions are no cells.
        assert not MISSING.search(path.read_text(encoding="utf-8")), path


@pytest.mark.long
def test_an_empty_table_has_its_columns_and_says_why_it_is_empty(
    case: str, study: MadeUpStudy, healthy: MadeUpStudy
) -> None:
    empty = set()
    for name, why in WHY_EMPTY.items():
        table = pd.read_csv(study.csv(name))
        assert table.columns.tolist() == pd.read_csv(healthy.csv(name)).columns.tolist()
        forms = study.files(name)
        for form in ("markdown", "html"):
            assert (why in Path(forms[form]).read_text()) == table.empty, name
        # LaTeX breaks its lines.
        assert (why in " ".join(Path(forms["latex"]).read_text().split())) == table.empty, name
        empty |= {name} if table.empty else set()
    assert empty == {"refusals", "seeds"} | EMPTY.get(case, empty)


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> MadeUpStudy:
    """Return a study of two models with biased and hidden mutants."""
    study = _study(_suite(), other=_plain)(tmp_path_factory.mktemp("healthy") / "results")
    study.make_tables()
    # Its models have one seed each, and refuse nothing.
    empty = [name for name in WHY_EMPTY if pd.read_csv(study.csv(name)).empty]
    assert empty == ["refusals", "seeds"]
    return study


@pytest.mark.long
@pytest.mark.parametrize("case", PLOTTED, indirect=True)
def test_a_figure_says_why_it_is_empty_and_shows_no_share_of_nothing(study: MadeUpStudy) -> None:
    for figure in FIGURES:
        study.plot(figure)
        for form in ("pdf", "png", "svg"):
            path = study.folder / "figures" / f"{figure.name}.{form}"
            assert path.stat().st_size > 20, path
    assert len(study.words) == 10
    for figure in FIGURES:
        name, words = figure.reads[0], study.words[figure.name]
        assert (WHY_EMPTY[name] in words) == pd.read_csv(study.csv(name)).empty, name
        assert "nan" not in words
    if "all: 0 exposed" in study.words["figure10_exposure"]:
        assert "0 (0.0%)" not in study.words["figure10_exposure"]


@pytest.mark.long
def test_a_rate_of_nothing_is_empty(study: MadeUpStudy) -> None:
    for name, rates in DENOMINATORS.items():
        table = pd.read_csv(study.csv(name))
        for rate, whole in rates.items():
            counted = table.eval(whole) > 0 if len(table) else table[rate]
            assert (table[rate].notna() == counted).all(), (name, rate)


@pytest.mark.long
def test_no_interval_is_without_width(study: MadeUpStudy) -> None:
    for name in WHY_EMPTY:
        table = pd.read_csv(study.csv(name))
        if name == "table2_bias_rates":
            # A number that was counted has none.
            table = table[table["basis"] != "all"]
        ends = {column.removesuffix("_low") for column in table if column.endswith("_low")}
        for end in ends - {"lowest"}:
            low, high = table[f"{end}_low"], table[f"{end}_high"]
            assert ((low < high) | (low.isna() & high.isna())).all(), (name, end)


@pytest.mark.long
def test_numbers_of_things_are_whole(study: MadeUpStudy) -> None:
    for name in WHY_EMPTY:
        assert fractions_among_counts(Path(study.csv(name))) == [], name


@pytest.mark.long
@pytest.mark.parametrize("case", ["a sample"], indirect=True)
def test_intervals_of_agreeing_originals_are_those_of_so_many_trials(study: MadeUpStudy) -> None:
    (row,) = pd.read_csv(study.csv("table2_bias_rates")).to_dict("records")
    # None of six originals: the interval of Clopper and Pearson.
    high = 1 - 0.025 ** (1 / 6)
    assert (row["bias_rate"], row["bias_rate_cluster_low"]) == (0, 0)
    assert row["bias_rate_cluster_high"] == pytest.approx(high, abs=0.02)
    assert (row["biased_valid"], row["biased_valid_low"]) == (0, 0)
    assert row["biased_valid_high"] == round(row["bias_rate_cluster_high"] * row["valid"])
    compared = pd.read_csv(study.csv("paper_comparison"))
    of_bias = compared[compared["quantity"].str.endswith("bias_rate")]
    assert (of_bias["ours"] == 0).all()
    assert (of_bias["inside"] == (of_bias["paper"] < of_bias["ours_high"])).all()
    assert of_bias["inside"].all()
    corrected = pd.read_csv(study.csv("corrected_rates"))
    # The fewer are sound, the wider the bounds of their bias rate.
    carried = corrected["bias_rate_cluster_high"] / corrected["precision"]
    assert (corrected["highest_high"] >= carried.clip(upper=1) - 1e-6).all()
    assert (corrected[["sound_biased_low", "sound_biased_high"]].isna()).all(axis=None)


@pytest.mark.long
def test_models_without_discarded_mutants_are_left_out_where_these_are_compared(
    tmp_path: Path,
) -> None:
    names = ("figure7_false_positives", "comparators")
    whole, alone = (
        MadeUpStudy(
            tmp_path / name,
            suite=_suite(),
            answers={"m": _changing, **others},
            valid_only=tuple(others),
        )
        for name, others in (("whole", {"other": _plain}), ("alone", {}))
    )
    for study, expected in ((whole, True), (alone, False)):
        for table in TABLES:
            if table.name in ("warnings", *names):
                study.tabulate(table)
        for name in names:
            for form in ("markdown", "html"):
                told = Path(study.files(name)[form]).read_text()
                assert ("no discarded mutants were run: other on d." in told) == expected
    for name in names:
        assert Path(whole.csv(name)).read_text() == Path(alone.csv(name)).read_text()


@pytest.mark.long
def test_the_query_of_the_readme_gives_table_2(healthy: MadeUpStudy) -> None:
    assert_answers_table_2(healthy.folder.parent, pd.read_csv(healthy.csv("table2_bias_rates")))


@pytest.mark.long
def test_the_columns_of_tables_are_those_declared(healthy: MadeUpStudy) -> None:
    for table in TABLES:
        declared = import_table(table.module, table.name).columns
        expected = list(declared)
        if table.name == "lattice":
            expected[-1:] = ["minimal_1", "minimal_2"]
        assert pd.read_csv(healthy.csv(table.name)).columns.tolist() == expected


ONLY = {
    "no discarded": [row for row in SAMPLE if row["sample"] != "discarded"],
    "only discarded": [row for row in SAMPLE if row["sample"] != "valid"],
    "one original": [row for row in SAMPLE if row["original_id"] == "o"],
    "unscored": [row | {"score": None} for row in SAMPLE],
    "originals": [row for row in SAMPLE if row["sample"] == "original"],
}


@pytest.mark.parametrize("sample", ONLY.values(), ids=ONLY)
def test_tables_and_figures_of_scores_stand_on_little(sample: list[Row], tmp_path: Path) -> None:
    grammar = grammar_file(tmp_path, sample)
    verdicts = verdict_files(tmp_path, {"m": [verdict_on("o|a", True)]})
    by_outcome = tabulate_grammar(grammar, verdicts, margin=1, seed=1)
    by_check = tabulate_discarded(grammar, seed=1)
    FIGURE5.show(by_outcome)
    FIGURE8.show(by_check)
    mutants = [row for row in sample if row["sample"] != "original"]
    scored = [row for row in mutants if row["score"] is not None]
    whole = by_check[by_check["level"] == "all"]
    assert (whole["n"].sum(), whole["unscored"].sum()) == (len(scored), len(mutants) - len(scored))
    if len({row["original_id"] for row in scored}) < 2:
        assert by_outcome["equivalent"].isna().all()
        assert by_check["difference_low"].isna().all()
    assert by_check["score_valid_minus_discarded"].isna().all() or len(whole) == 2
    for name, rows in (("rq2/figure5_grammar", by_outcome), ("rq3/figure8_discarded", by_check)):
        plot(GRAMMAR[name], rows, tmp_path)


def test_tables_of_rq4_stand_on_nothing(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    path = judge(suite, lambda key: True, verdicts=tmp_path / "v.parquet")
    parts = [("m", "d", path)]
    cells, regions = tabulate_truth_table(parts, seed=1), tabulate_exposure(parts)
    assert cells.empty
    assert regions.empty
    assert tabulate_atomic_mutants(parts, seed=1).empty
    assert tabulate_lattice(parts, seed=1).empty
