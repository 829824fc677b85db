"""Plans of suites too large to count: estimates that say how far they may be off."""

import random
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import pvariance
from typing import Any

import pyarrow.parquet as pq
import pytest
from hinter.errors import InputError
from hinter.limits import HeldOut
from hinter.models import ParsedAnswer, Prices, Status
from hinter.models.endpoint.client import Endpoint
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.endpoint.token_counters import open_token_counter
from hinter.predictions import PlannedRun, check_budget, planning, show_plan, show_total, write_plan
from hinter.predictions.cost import affordable_originals, tabulate_plan
from hinter.predictions.planned import bounded_total, estimates
from hinter.responses import ResponseStore
from suites import Study, mutant
from tries import tries

PRICES = Prices(input_per_million=0.5, output_per_million=1.5)
GENDER, RACE = "gender:man>woman", "race:Greek>Thai"
ORIGINALS, SAMPLED, REPEATS = 60, 25, 2


class WordsParser:
    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        return ParsedAnswer(Status.UNPARSED, answer=answer)


def _messages(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"{text} Is this good?"}]


@pytest.fixture
def endpoint(resources: Path) -> Endpoint:
    settings = EndpointSettings("http://127.0.0.1:9/v1", "m", context_tokens=2000)
    counter = open_token_counter(resources / "cl100k_base")
    return Endpoint(settings, messages=_messages, parser=WordsParser(), counter=counter)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Originals of different lengths, no two of whose inputs look alike; and two texts held out."""
    lengths = {f"o{n}": random.Random(n).randrange(200) for n in range(ORIGINALS)}
    texts = {key: f"{key}: the Greek and the {'old ' * n}man." for key, n in lengths.items()}
    combinations = [(GENDER,), (RACE,), (GENDER, RACE)]
    rows = [mutant(key, *pair_ids) for key in texts for pair_ids in combinations]
    return Study(tmp_path, texts={**texts, "h1": "A fine film.", "h2": "A dull one."}, rows=rows)


@pytest.fixture(autouse=True)
def sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample the suite of the study."""
    monkeypatch.setattr(planning, "EXACT_MUTANTS", 100)
    monkeypatch.setattr(planning, "SAMPLED", SAMPLED)


def _plan(
    study: Study,
    endpoint: Endpoint,
    *,
    seed: int = 1,
    case_answers: int = 0,
    prices: Prices | None = PRICES,
) -> list[dict[str, Any]]:
    plan = study.folder / "plan.parquet"
    write_plan(
        endpoint,
        corpus=study.folder / "corpus.parquet",
        suite=study.folder / "suite.parquet",
        held_out=HeldOut(None, seed=0),
        discarded=True,
        store=ResponseStore(study.folder / "store", fingerprint=endpoint.fingerprint),
        repeats=REPEATS,
        case_answers=case_answers,
        prices=prices,
        seed=seed,
        plan=plan,
    )
    rows: list[dict[str, Any]] = pq.read_table(plan).to_pylist()
    return rows


def _run(study: Study) -> PlannedRun:
    files = (study.folder / f"{name}.parquet" for name in ("plan", "corpus", "suite"))
    return PlannedRun("m", "d", *files)


def _exact(study: Study, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as patched:
        patched.setattr(planning, "EXACT_MUTANTS", 10**6)
        _plan(study, endpoint)
        return tabulate_plan([_run(study)]).set_index("part")


def _ids(plan: Sequence[dict[str, Any]]) -> set[str]:
    return {row["input_id"] for row in plan}


@tries(6, 12)
def test_an_estimate_has_the_calls_of_all_inputs_and_is_near_their_tokens(
    tried: int, study: Study, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over many seeds it is right on average, and its intervals hold the truth."""
    exact = _exact(study, endpoint, monkeypatch)
    found = []
    for seed in range(tried):
        _plan(study, endpoint, seed=seed)
        table = tabulate_plan([_run(study)]).set_index("part")
        assert table["calls"].to_dict() == exact["calls"].to_dict()
        for part in ("originals", "repeats", "held-out texts"):
            assert table.loc[part].tolist() == exact.loc[part].tolist()
        first, second = estimates([_run(study)])
        assert (first.part, first.counted, first.inputs) == ("mutants of order 1", 25, 120)
        assert (second.part, second.counted, second.inputs) == ("mutants of order 2", 25, 60)
        for part in (first, second):
            assert part.input_tokens.value == pytest.approx(table["input_tokens"][part.part], abs=1)
            true = exact.loc[part.part]
            assert part.input_tokens.low <= true["input_tokens"] <= part.input_tokens.high
            assert part.dollars is not None
            assert part.dollars.low <= true["dollars"] <= part.dollars.high
        found.append(first.input_tokens.value)
    true = exact["input_tokens"]["mutants of order 1"]
    assert len(set(found)) > tried // 2
    assert sum(found) / len(found) == pytest.approx(true, rel=0.1)


def test_a_sample_depends_on_its_seed_alone(study: Study, endpoint: Endpoint) -> None:
    first = _plan(study, endpoint, seed=1)
    suite = study.folder / "suite.parquet"
    table = pq.read_table(suite)
    pq.write_table(table.take(list(range(len(table)))[::-1]), suite, row_group_size=7)
    assert _plan(study, endpoint, seed=1) == first
    assert _ids(_plan(study, endpoint, seed=2)) != _ids(first)


def test_what_was_drawn_and_needs_no_call_counts_as_drawn(study: Study, endpoint: Endpoint) -> None:
    """A store that knows all that was drawn leaves the rest possible, and says so."""
    texts = [row["text"] for row in _rows(study.folder / "corpus.parquet")]
    plan = _plan(study, endpoint)
    shown = [row["input_id"] for row in plan if "|" in row["input_id"]]
    assert len(shown) == 2 * SAMPLED
    for text in texts:
        changed = [
            text.replace("man", "woman"),
            text.replace("Greek", "Thai"),
            text.replace("Greek", "Thai").replace("man", "woman"),
        ]
        known = [window.digest for window in endpoint.windows([text, *changed])]
        ResponseStore(study.folder / "store", fingerprint=endpoint.fingerprint).add(
            dict.fromkeys([*known, f"{known[0]}#2"], "")
        )
    plan = _plan(study, endpoint, case_answers=5)
    assert _ids(plan) == set(shown)
    assert {row["calls"] for row in plan} == {0}
    assert tabulate_plan([_run(study)]).empty
    for part in estimates([_run(study)]):
        assert (part.input_tokens.value, part.input_tokens.low) == (0, 0)
        assert part.input_tokens.high > 0
    assert "Nothing" not in show_plan([_run(study)])
    assert re.search(r"mutants of order 2: 25 of 60 counted; .* 0 to [\d,]+ input", _shown(study))


def _shown(study: Study) -> str:
    return show_plan([_run(study)])


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def test_a_plan_says_that_it_is_an_estimate_and_how_far_it_may_be_off(
    study: Study, endpoint: Endpoint
) -> None:
    _plan(study, endpoint)
    *_, first, second = _shown(study).splitlines()
    ends = r"with 99 % certainty [\d,]+ to [\d,]+ input tokens, \$[\d.]+ to \$[\d.]+"
    assert re.fullmatch(rf"estimate: m on d, mutants of order 1: 25 of 120 counted; {ends}", first)
    assert re.fullmatch(rf"estimate: m on d, mutants of order 2: 25 of 60 counted; {ends}", second)
    total = show_total([_run(study)], spent=0)
    assert re.fullmatch(r"about \$[\d.]+, at most \$[\d.]+, after \$0.00 spent before", total)


def test_an_estimate_without_a_price_says_so_and_bounds_its_tokens(
    study: Study, endpoint: Endpoint
) -> None:
    _plan(study, endpoint, prices=None)
    shown = _shown(study)
    assert "no price" in shown
    assert shown.endswith("input tokens")
    calls = ORIGINALS * (REPEATS + 3) + 2
    total = show_total([_run(study)], spent=0)
    assert total == f"at most $0.00, and {calls} calls without a price, after $0.00 spent before"


def test_cases_of_an_estimate_may_take_all_that_a_text_may(
    study: Study, endpoint: Endpoint
) -> None:
    """The longest text may be one that was not drawn."""
    cases = _plan(study, endpoint, case_answers=5)[-1]
    longest = max(len(row["text"]) for row in _rows(study.folder / "corpus.parquet"))
    assert cases["input_tokens"] == 5 * endpoint.most_input_tokens(2 * longest)


def test_the_upper_end_is_what_must_fit_the_budget(study: Study, endpoint: Endpoint) -> None:
    _plan(study, endpoint)
    runs = [_run(study)]
    about, most = map(float, re.findall(r"\$([\d.]+)", show_total(runs, spent=0))[:2])
    check_budget(runs, budget_usd=1.05 * most, spent=0, seed=1)
    with pytest.raises(InputError, match=r"suite: \{originals: (\d+)\}` it fits") as caught:
        check_budget(runs, budget_usd=about, spent=0, seed=1)
    (offered,) = map(int, re.findall(r"originals: (\d+)", str(caught.value)))
    assert offered < affordable_originals(runs, dollars=about, seed=1) <= ORIGINALS


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_intervals_hold_the_total_of_any_numbers(share: float) -> None:
    """Even where only some count much: at least 99 of 100 intervals, and they are not all wide."""
    draw = random.Random(f"numbers {share}")
    inputs = [draw.random() * 100 if draw.random() < share else 0 for _ in range(20_000)]
    held = []
    for _ in range(200):
        sample = draw.sample(inputs, 2000)
        found = bounded_total(
            sum(sample), pvariance(sample), 100, counted=len(sample), inputs=len(inputs)
        )
        held.append(found.low <= sum(inputs) <= found.high)
        assert sum(sample) <= found.low <= found.value <= found.high <= 100 * len(inputs)
        if share == 1:
            assert found.high - found.low < 0.2 * found.value
    assert sum(held) >= 198
