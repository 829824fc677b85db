"""The money plan: no call twice, none forgotten, and an offer that fits the budget."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from faults import FaultyProxy, completion, running
from hinter.corpora import CORPUS_SCHEMA
from hinter.dollars import in_dollars
from hinter.errors import InputError
from hinter.limits import HeldOut
from hinter.models import Ledger, ParsedAnswer, Prices, Spending, Status
from hinter.models.endpoint.client import Endpoint
from hinter.models.endpoint.completions import Tokens
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.endpoint.token_counters import open_token_counter
from hinter.mutants import MUTANTS_SCHEMA, SUITE_SCHEMA
from hinter.oracle import select_suite
from hinter.predictions import (
    Opened,
    PlannedRun,
    check_budget,
    find_spending,
    planned_runs,
    show_plan,
    show_total,
    spent_dollars,
    write_approval,
    write_plan,
    write_repeats,
)
from hinter.predictions.cost import affordable_originals, tabulate_plan
from hinter.predictions.planning import PLAN_SCHEMA
from hinter.responses import ResponseStore, SuiteShard, suite_shard
from hypothesis import given, settings
from hypothesis import strategies as st
from recipes import edits_of
from suites import Study, mutant

Row = dict[str, Any]
NOBODY = "http://127.0.0.1:9/v1"
PRICES = Prices(input_per_million=0.5, output_per_million=1.5)
ANSWER_TOKENS, REPEATS = 4, 3
GENDER, MALE, RACE = "gender:man>woman", "gender:man>Man", "race:Greek>Thai"
FAR = "A man spoke. " + "So it went on and on. " * 20 + "A Greek listened."
TEXTS = {
    "a": FAR,
    "b": "The Greek and the man.",
    # What b becomes by one of its mutants.
    "c": "The Greek and the woman.",
    "h1": "A fine film.",
    "h2": "A dull one.",
}
ROWS = [
    *(mutant("a", *pair_ids) for pair_ids in [(GENDER,), (MALE,), (RACE,), (GENDER, RACE)]),
    *(mutant("b", *pair_ids) for pair_ids in [(GENDER,), (RACE,), (GENDER, RACE)]),
    mutant("c", RACE),
]


class WordsParser:
    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        return ParsedAnswer(Status.UNPARSED, answer=answer)


def _messages(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"{text} Is this good?"}]


@pytest.fixture(params=["cl100k_base", "all_minilm_l6_v2"])
def tokenizer(request: pytest.FixtureRequest, resources: Path) -> Path:
    """The folder of a real tokenizer."""
    return resources / str(request.param)


def _endpoint(tokenizer: Path, *, url: str = NOBODY, spending: Spending | None = None) -> Endpoint:
    endpoint = EndpointSettings(
        url, "m", context_tokens=400, max_tokens=32, max_answer_tokens=ANSWER_TOKENS
    )
    return Endpoint(
        endpoint,
        messages=_messages,
        parser=WordsParser(),
        counter=open_token_counter(tokenizer),
        spending=spending,
    )


def _store(study: Study, endpoint: Endpoint) -> ResponseStore:
    return ResponseStore(study.folder / "store", fingerprint=endpoint.fingerprint)


def _plan(
    study: Study,
    endpoint: Endpoint,
    *,
    repeats: int = REPEATS,
    case_answers: int = 0,
    prices: Prices | None = PRICES,
    seed: int = 1,
) -> list[Row]:
    write_plan(
        endpoint,
        corpus=study.folder / "corpus.parquet",
        suite=study.folder / "suite.parquet",
        held_out=HeldOut(None, seed=0),
        discarded=True,
        store=_store(study, endpoint),
        repeats=repeats,
        case_answers=case_answers,
        prices=prices,
        seed=seed,
        plan=study.folder / "plan.parquet",
    )
    return pq.read_table(study.folder / "plan.parquet").to_pylist()


def _calls(plan: Sequence[Row]) -> dict[str, int]:
    return {row["input_id"]: row["calls"] for row in plan}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path, texts=TEXTS, rows=ROWS)


def test_each_call_is_planned_once_and_originals_of_the_suite_with_their_repeats(
    study: Study, tokenizer: Path
) -> None:
    """What changes out of sight is not asked, and what looks like another input is asked once."""
    assert _calls(_plan(study, _endpoint(tokenizer))) == {
        "a": 3,
        f"a|{GENDER}": 1,
        f"a|{MALE}": 1,
        "b": 3,
        "c": 3,
        "h1": 1,
        "h2": 1,
        f"b|{RACE}": 1,
        f"b|{GENDER}|{RACE}": 1,
    }


@pytest.mark.parametrize(("in_block", "at_once"), [(1, 1), (3, 2), (7, 1), (100, 100)])
def test_blocks_and_chunks_change_no_number_of_calls(
    in_block: int, at_once: int, study: Study, resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = _endpoint(resources / "cl100k_base")
    expected = sum(_calls(_plan(study, endpoint)).values())
    monkeypatch.setattr(suite_shard, "ROWS_IN_BLOCK", in_block)
    monkeypatch.setattr(suite_shard, "ROWS_AT_ONCE", at_once)
    calls = _calls(_plan(study, endpoint))
    assert sum(calls.values()) == expected
    if in_block == 1:
        assert (calls[f"b|{GENDER}"], calls["c"]) == (1, 2)


def test_a_plan_has_the_tokens_that_the_endpoint_counts_and_their_price(
    study: Study, tokenizer: Path
) -> None:
    endpoint = _endpoint(tokenizer)
    texts = {**TEXTS, f"b|{RACE}": "The Thai and the man."}
    plan = {row["input_id"]: row for row in _plan(study, endpoint)}
    for input_id, text in texts.items():
        row = plan[input_id]
        each = endpoint.input_tokens([text])[0]
        assert row["input_tokens"] == row["calls"] * each
        assert row["output_tokens"] == row["calls"] * ANSWER_TOKENS
        price = PRICES.cost(input_tokens=each, output_tokens=ANSWER_TOKENS)
        assert row["nano_dollars"] == row["calls"] * price
    # Of a long text what is seen is paid.
    assert plan["a"]["input_tokens"] < 3 * (32 + 100)


def test_without_prices_there_are_no_dollars(study: Study, resources: Path) -> None:
    plan = _plan(study, _endpoint(resources / "cl100k_base"), prices=None)
    assert {row["nano_dollars"] for row in plan} == {None}
    assert all(row["input_tokens"] > 0 for row in plan)
    table = tabulate_plan([_run(study.folder)])
    assert table["dollars"].isna().all()
    assert table["calls"].sum() == 15


def test_what_the_store_knows_is_not_planned(study: Study, resources: Path) -> None:
    endpoint = _endpoint(resources / "cl100k_base")
    h1, b, c = (
        window.digest for window in endpoint.windows([TEXTS[key] for key in ("h1", "b", "c")])
    )
    _store(study, endpoint).add(dict.fromkeys([h1, f"{b}#2", c, f"{c}#2", f"{c}#3"], ""))
    calls = _calls(_plan(study, endpoint))
    assert not {"h1", "c"} & calls.keys()
    assert calls["b"] == 2
    # With more repeats, the new ones alone.
    assert _calls(_plan(study, endpoint, repeats=5))["c"] == 2


def test_the_calls_of_a_run_are_those_of_its_plan_to_the_nano_dollar(
    study: Study, resources: Path
) -> None:
    """An answer without a count of tokens costs what was reserved for it."""
    answer = completion(message={"content": "yes"}, finish_reason="stop")
    spending = Spending(Ledger(study.folder / "ledger.sqlite", None), PRICES)
    with running(FaultyProxy(faults={"answer": answer})) as proxy:
        endpoint = _endpoint(resources / "cl100k_base", url=proxy.url, spending=spending)
        plan = _plan(study, endpoint)
        assert proxy.calls.total() == 0
        write_repeats(
            Opened(endpoint, _store(study, endpoint)),
            inputs=study.inputs(),
            repeats=REPEATS,
            path=study.folder / "repeats.parquet",
        )
        study.run(endpoint)
        assert proxy.calls.total() == sum(_calls(plan).values())
        assert _plan(study, endpoint, case_answers=7) == []
    planned = sum(row["nano_dollars"] for row in plan)
    assert Ledger(study.folder / "ledger.sqlite", None).sums() == (0, planned)
    assert tabulate_plan([_run(study.folder)]).empty


# Several runs together.


def _run(folder: Path, *, model: str = "m", dataset: str = "d") -> PlannedRun:
    return PlannedRun(
        model, dataset, folder / "plan.parquet", folder / "corpus.parquet", folder / "suite.parquet"
    )


def test_a_plan_is_told_by_model_dataset_and_part(study: Study, resources: Path) -> None:
    plan = _plan(study, _endpoint(resources / "cl100k_base"))
    runs = [_run(study.folder, model=model) for model in ("other", "m")]
    table = tabulate_plan(runs)
    calls = {
        "originals": 3,
        "repeats": 6,
        "held-out texts": 2,
        "mutants of order 1": 3,
        "mutants of order 2": 1,
    }
    assert table[["model", "dataset", "part", "calls"]].values.tolist() == [
        [model, "d", *row] for model in ("m", "other") for row in calls.items()
    ]
    expected = dict.fromkeys(calls, 0)
    for row in plan:
        order = row["input_id"].count("|")
        part = f"mutants of order {order}" if order else "held-out texts"
        if row["input_id"] in {"a", "b", "c"}:
            part = "originals"
            expected["repeats"] += row["nano_dollars"] // 3 * 2
            row["nano_dollars"] //= 3
        expected[part] += row["nano_dollars"]
    assert table["dollars"].tolist() == [total / 1e9 for total in expected.values()] * 2


def test_controls_are_a_part_of_their_own(study: Study, resources: Path) -> None:
    _plan(study, _endpoint(resources / "cl100k_base"))
    suite = pq.read_table(study.folder / "suite.parquet").to_pylist()
    rows = [row | {"control": row["order"] == 2} for row in suite]
    _write(study.folder / "suite.parquet", rows, SUITE_SCHEMA)
    calls = tabulate_plan([_run(study.folder)]).set_index("part")["calls"].to_dict()
    assert list(calls.items())[-2:] == [("mutants of order 1", 3), ("controls", 1)]


def test_mutants_that_change_no_attribute_are_no_held_out_texts(
    study: Study, resources: Path
) -> None:
    _plan(study, _endpoint(resources / "cl100k_base"))
    suite = pq.read_table(study.folder / "suite.parquet").to_pylist()
    rows = [row | {"order": row["order"] - 1} for row in suite]
    _write(study.folder / "suite.parquet", rows, SUITE_SCHEMA)
    calls = tabulate_plan([_run(study.folder)]).set_index("part")["calls"].to_dict()
    assert list(calls.items())[2:] == [
        *(("held-out texts", 2), ("mutants of order 0", 3), ("mutants of order 1", 1))
    ]


def test_cases_are_planned_while_anything_else_is(study: Study, resources: Path) -> None:
    """Which they are is not known yet, so each may take as many tokens as the longest text."""
    endpoint = _endpoint(resources / "cl100k_base")
    *others, cases = _plan(study, endpoint, case_answers=7)
    assert others == _plan(study, endpoint)
    longest = max(row["input_tokens"] // row["calls"] for row in others)
    assert cases["input_tokens"] == 7 * longest
    price = PRICES.cost(input_tokens=longest, output_tokens=ANSWER_TOKENS)
    assert cases["nano_dollars"] == 7 * price
    _plan(study, endpoint, case_answers=7)
    table = tabulate_plan([_run(study.folder)])
    assert table[["part", "calls", "dollars"]].values.tolist()[-1] == ["cases", 7, 7 * price / 1e9]
    # No suite is so small that they cost less.
    assert affordable_originals([_run(study.folder)], dollars=6.9 * price / 1e9, seed=1) == 0


def test_repeats_that_are_left_are_told_apart_from_originals(study: Study, resources: Path) -> None:
    endpoint = _endpoint(resources / "cl100k_base")
    first = [window.digest for window in endpoint.windows([TEXTS[key] for key in "abc"])]
    _store(study, endpoint).add(dict.fromkeys(first, ""))
    _plan(study, endpoint)
    table = tabulate_plan([_run(study.folder)])
    assert table.set_index("part")["calls"].to_dict()["repeats"] == 6
    assert "originals" not in set(table["part"])


def test_calls_without_a_price_are_told_beside_the_total(study: Study, resources: Path) -> None:
    endpoint, folder = _endpoint(resources / "cl100k_base"), study.folder
    priced, unpriced = (
        _run(folder),
        _run(folder, model="free")._replace(plan=folder / "free.parquet"),
    )
    calls = sum(_calls(_plan(study, endpoint, prices=None)).values())
    (folder / "plan.parquet").rename(unpriced.plan)
    dollars = in_dollars(sum(row["nano_dollars"] for row in _plan(study, endpoint)) / 1e9)
    end = ", after $1.50 spent before"
    without = f", and {calls} calls without a price{end}"
    assert show_total([priced], spent=1.5) == f"at most {dollars}{end}"
    assert show_total([priced, unpriced], spent=1.5) == f"at most {dollars}{without}"
    assert show_total([unpriced], spent=1.5) == f"at most $0.00{without}"


def test_a_plan_with_nothing_left_says_so(study: Study, resources: Path) -> None:
    endpoint = _endpoint(resources / "cl100k_base")
    _plan(study, endpoint)
    assert "held-out texts" in show_plan([_run(study.folder)])
    _write(study.folder / "plan.parquet", [], PLAN_SCHEMA)
    assert show_plan([_run(study.folder)]) == "No calls are left to make."


def test_runs_are_named_by_their_plan_files() -> None:
    plans = ["p/one/e.parquet", "p/two/e.parquet"]
    suites = ["s/e.parquet", "s/two/e.parquet"]
    runs = planned_runs(plans, corpora=["c/d.parquet", "c/e.parquet"], suites=suites)
    assert runs == [
        (model, "e", Path(plan), Path("c/e.parquet"), Path(suite))
        for model, plan, suite in zip(["one", "two"], plans, suites, strict=True)
    ]


# What a budget buys, against suites of every size.

ATTRIBUTES = ["age", "body", "race"]


def _lattice(original_id: str, *, listed: int) -> list[Row]:
    """All mutants of one pair per attribute; above the order `listed` they may be drawn."""
    return [
        mutant(original_id, *pair_ids) | {"sampled": None if len(pair_ids) <= listed else False}
        for order in (1, 2, 3)
        for pair_ids in combinations([f"{name}:x>y" for name in ATTRIBUTES], order)
    ]


class Money:
    """A dataset with mutants on disk, and what each input of it costs one model."""

    def __init__(
        self, folder: Path, *, held_out: set[str], mutants: list[Row], costs: Mapping[str, int]
    ) -> None:
        self.folder, self.costs = folder, costs
        folder.mkdir(parents=True)
        texts = sorted({row["original_id"] for row in mutants} | held_out)
        corpus = [
            {"original_id": key, "split": "held_out" if key in held_out else "tested", "text": key}
            for key in texts
        ]
        _write(folder / "corpus.parquet", corpus, CORPUS_SCHEMA)
        _write(folder / "mutants.parquet", mutants, MUTANTS_SCHEMA)

    def suite(self, originals: int | None, *, seed: int) -> Path:
        """Write and return the suite of so many originals."""
        path = self.folder / f"{originals}.parquet"
        select_suite(
            self.folder / "mutants.parquet",
            path,
            originals=originals,
            pairs_per_attribute=None,
            discarded=False,
            seed=seed,
        )
        return path

    def asked(self, originals: int | None, *, seed: int) -> Iterator[str]:
        """Yield the inputs that a run on this suite is asked about."""
        suite = self.suite(originals, seed=seed)
        for block in SuiteShard(
            corpus=self.folder / "corpus.parquet",
            suite=suite,
            held_out=HeldOut(None, seed=0),
            discarded=True,
        ).blocks():
            yield from (text.original_id for text in block.originals)
            yield from (row["mutant_id"] for rows in block.mutants for row in rows)

    def cost(self, originals: int | None, *, seed: int) -> int:
        return sum(self.costs[key] for key in self.asked(originals, seed=seed))

    def run(self, *, seed: int) -> PlannedRun:
        plan = [
            {
                "input_id": key,
                "weight": 1,
                "calls": 1,
                "repeats": 0,
                "nano_dollars": self.costs[key],
            }
            for key in self.asked(None, seed=seed)
        ]
        name = self.folder.name
        return PlannedRun(
            "m",
            name,
            _write(self.folder / "plan.parquet", plan, PLAN_SCHEMA),
            self.folder / "corpus.parquet",
            self.suite(None, seed=seed),
        )


def _write(path: Path, rows: list[Row], schema: pa.Schema) -> Path:
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return path


@st.composite
def _money(draw: st.DrawFn) -> dict[str, Any]:
    """Originals of a dataset, some of them held out too, some with sampled mutants of order 3."""
    originals = [f"o{number}" for number in range(draw(st.integers(1, 4)))]
    rows = [row for original in originals for row in _lattice(original, listed=2)]
    for row in rows:
        row["valid"] = draw(st.booleans()) if row["order"] == 1 else True
        if row["order"] == 3:
            row["sampled"] = draw(st.booleans())
    held_out = draw(st.sets(st.sampled_from([*originals, "h1", "h2"])))
    ids = [*originals, "h1", "h2", *(row["mutant_id"] for row in rows)]
    costs = {key: draw(st.integers(0, 20)) for key in ids}
    return {"held_out": held_out, "mutants": rows, "costs": costs}


@pytest.mark.long
@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.lists(_money(), min_size=1, max_size=2), st.integers(0, 9))
def test_a_budget_buys_the_largest_suite_that_fits(
    tmp_path_factory: pytest.TempPathFactory, sampled: list[dict[str, Any]], seed: int
) -> None:
    """Budgets are those that just buy a suite, and those that just do not."""
    folder = tmp_path_factory.mktemp("money")
    datasets = [Money(folder / f"d{number}", **parts) for number, parts in enumerate(sampled)]
    most = max(len({row["original_id"] for row in parts["mutants"]}) for parts in sampled)
    costs = [sum(part.cost(size, seed=seed) for part in datasets) for size in range(1, most + 1)]
    runs = [part.run(seed=seed) for part in datasets]
    for cap in {max(0, cost - less) for cost in costs for less in (0, 1)}:
        expected = max((size for size, cost in enumerate(costs, start=1) if cost <= cap), default=0)
        # Half a nano-dollar more, as dollars are no whole numbers.
        found = affordable_originals(runs, dollars=(cap + 0.5) / 1e9, seed=seed)
        assert found == expected


def test_the_offered_suite_has_a_plan_that_fits_and_the_next_one_has_not(
    tmp_path: Path, resources: Path
) -> None:
    endpoint = _endpoint(resources / "cl100k_base")
    texts = {f"o{n}": f"Number {n}: the Greek and the {'old ' * n}man." for n in range(9)}
    ids = [(GENDER,), (RACE,), (GENDER, RACE)]
    rows = [
        mutant(key, *pair_ids) | {"edits": edits_of(texts[key], *pair_ids)}
        for key in texts
        for pair_ids in ids
    ]
    study = Study(tmp_path, texts={**texts, "h1": "A fine film."}, rows=rows)
    whole = _write(tmp_path / "mutants.parquet", rows, MUTANTS_SCHEMA)

    def dollars(originals: int | None) -> float:
        select_suite(
            whole,
            tmp_path / "suite.parquet",
            originals=originals,
            pairs_per_attribute=None,
            discarded=False,
            seed=5,
        )
        _plan(study, endpoint)
        return float(tabulate_plan([_run(tmp_path)])["dollars"].sum())

    budget = dollars(None) * 0.6
    fitting = affordable_originals([_run(tmp_path)], dollars=budget, seed=5)
    assert 0 < fitting < 9
    assert dollars(fitting) <= budget < dollars(fitting + 1)


# The budget and the approval.


@pytest.fixture
def run(tmp_path: Path) -> PlannedRun:
    """Return a run of three originals at three dollars each, and a held-out text at one dollar."""
    rows = [mutant(key, GENDER, RACE) for key in ("o1", "o2", "o3")]
    costs = dict.fromkeys(["o1", "o2", "o3"], 10**9) | {"h1": 10**9}
    costs |= {row["mutant_id"]: 2 * 10**9 for row in rows}
    return Money(tmp_path / "d", held_out={"h1"}, mutants=rows, costs=costs).run(seed=1)


@pytest.mark.parametrize(("budget", "spent"), [(None, 99.0), (10.0, 0.0), (14.5, 4.5)])
def test_a_plan_that_fits_the_budget_passes(
    run: PlannedRun, budget: float | None, spent: float
) -> None:
    check_budget([run], budget_usd=budget, spent=spent, seed=1)


@pytest.mark.parametrize(
    ("budget", "spent", "fix"),
    [
        (9.99, 0.0, "with `suite: {originals: 2}` it fits, each with all its mutants; or raise"),
        (14.0, 4.5, "with `suite: {originals: 2}` it fits, each with all its mutants; or raise"),
        (4.0, 0.0, "with `suite: {originals: 1}` it fits, each with all its mutants; or raise"),
        (3.99, 0.0, "See `snakemake plan`: raise the budget."),
        (5.0, 6.0, "See `snakemake plan`: raise the budget."),
    ],
)
def test_a_plan_beyond_the_budget_is_refused_with_an_offer_where_there_is_one(
    run: PlannedRun, budget: float, spent: float, fix: str
) -> None:
    with pytest.raises(InputError) as caught:
        check_budget([run], budget_usd=budget, spent=spent, seed=1)
    message = str(caught.value)
    assert "configuration, key 'budget_usd': found a plan of up to $10.00, after " in message
    assert f"after ${spent:.2f} spent before; expected at most ${budget:.2f} in all" in message
    assert fix in message
    assert "\n" not in message and "  " not in message


@pytest.mark.parametrize(
    ("budget", "planned", "spent", "allowed"),
    [
        (9.996, "$10.000", "$0.000", "$9.996"),
        (9.9999999, "$10.0000000", "$0.0000000", "$9.9999999"),
        (9.0, "$10.00", "$0.00", "$9.00"),
    ],
)
def test_a_plan_and_a_budget_just_below_it_are_told_apart(
    run: PlannedRun, budget: float, planned: str, spent: str, allowed: str
) -> None:
    with pytest.raises(InputError) as caught:
        check_budget([run], budget_usd=budget, spent=0.0, seed=1)
    message = str(caught.value)
    assert f"found a plan of up to {planned}, after {spent} spent before" in message
    assert f"expected at most {allowed} in all" in message


def test_calls_are_paid_from_the_account_that_the_approval_names(tmp_path: Path) -> None:
    approval, store = tmp_path / "approval.json", tmp_path / "store"
    prices = {"gpt": {"input": 0.5, "output": 1.5, "of": "somebody"}}
    write_approval(approval, budget_usd=0.001, prices=prices)
    assert spent_dollars(store) == 0.0
    assert find_spending(**json.loads(approval.read_text()), model="free", store=store) is None
    spending = find_spending(**json.loads(approval.read_text()), model="gpt", store=store)
    assert spending is not None
    first = spending.reserve(input_tokens=1000, output_tokens=100)
    # What is in flight or cut off may have been billed.
    assert spent_dollars(store) == pytest.approx(0.00065)
    with pytest.raises(InputError, match=r"of \$0.001; expected enough left for the next call"):
        spending.reserve(input_tokens=1000, output_tokens=100)
    spending.settle(first, Tokens(100, 0), fingerprint="m", answers=1)
    assert spent_dollars(store) == pytest.approx(0.00005)


def test_without_a_budget_spending_is_noted_and_not_limited(tmp_path: Path) -> None:
    approval = tmp_path / "approval.json"
    prices = {"gpt": {"input": 1e6, "output": 1e6, "of": "somebody"}}
    write_approval(approval, budget_usd=None, prices=prices)
    spending = find_spending(**json.loads(approval.read_text()), model="gpt", store=tmp_path)
    assert spending is not None
    spending.reserve(input_tokens=1000, output_tokens=1000)
    assert spent_dollars(tmp_path) == pytest.approx(2000)
