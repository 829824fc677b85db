"""What the check says of models: some answer, some cannot be used, some are not made yet."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faults import Call, Fault, FaultyProxy, body, running, status
from hinter.config.kinds.encoder import Encoder
from hinter.config.kinds.endpoint import Endpoint
from hinter.config.kinds.function import Function
from hinter.errors import InputError
from hinter.predictions import spent_dollars
from hinter.trying import check_models
from serving import free_port
from tiny import write_classifier

LABELS = ["negative", "positive"]
PRICES = {"served": {"input": 1.0, "output": 2.0, "of": "a test"}}
LISTED = body(b'{"data": [{"id": "served"}, {"id": "other"}]}')


def _entry(
    folder: Path, sheet: Any, *, source: str, about: Path, labels: list[str] = LABELS
) -> dict[str, Any]:
    prompt = folder / "prompt.yaml"
    prompt.write_text(
        'version: 1\ninstruction: "One of {labels}."\nquestion: "{text}"\nexamples: {}\n'
    )
    return {
        "name": "mine",
        "kind": sheet.kind,
        "fault": None,
        "files": [],
        "source": source,
        "folder": source,
        "megabytes": 1,
        "inputs": {"prompt": str(prompt)} if "prompt" in sheet.needs() else {},
        "asking": {
            "sheet": sheet.model_dump(exclude={"about", "datasets", "resource", "shards"}),
            "task": {"labels": labels, "multi_label": False},
            "seed": 1,
            "store": str(folder / "store"),
        },
        "corpus": str(folder / "none.parquet"),
    }


@pytest.fixture
def endpoint(tmp_path: Path, resources: Path) -> Callable[[str], dict[str, Any]]:
    """Return what makes the entry of a model behind a server at an address."""

    def make(url: str) -> dict[str, Any]:
        tokenizer = str(resources / "all_minilm_l6_v2")
        settings = {"base_url": url, "model": "served", "tokenizer": tokenizer}
        sheet = Endpoint(about="theirs", kind="endpoint", context_tokens=500, **settings)
        return _entry(tmp_path, sheet, source=tokenizer, about=tmp_path)

    return make


def _check(*entries: dict[str, Any], budget: float | None = None) -> tuple[list[str], str]:
    """Return the lines that are said, and the error at the end, if any."""
    said: list[str] = []
    try:
        check_models(list(entries), paid={"budget_usd": budget, "prices": PRICES}, say=said.append)
    except InputError as error:
        return said, str(error)
    return said, ""


def _answer(call: Call) -> None:
    """Refuse `temperature` and `max_tokens` by their names, and answer in a word."""
    sent = json.loads(call.body)
    for name in ("temperature", "max_tokens"):
        if name in sent:
            said = {"message": f"Unsupported parameter: {name}", "param": name}
            return call.send(400, json.dumps({"error": said}).encode())
    choice = {"message": {"content": "It is Positive."}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 20, "completion_tokens": 4}
    return call.send(200, json.dumps({"choices": [choice], "usage": usage}).encode())


def test_an_endpoint_is_asked_one_question_whose_price_is_said_before(
    endpoint: Callable[[str], dict[str, Any]], tmp_path: Path
) -> None:
    with running(FaultyProxy(faults={"answers": _answer}, models=LISTED)) as proxy:
        said, error = _check(endpoint(proxy.url))
        # Two refusals by name, and the answer.
        assert proxy.calls.total() == 3
        again, _ = _check(endpoint(proxy.url))
        assert proxy.calls.total() == 3
    assert error == ""
    assert said[0].startswith("mine: asked one question, for $0.")
    line = next(line for line in said if line.startswith("mine  "))
    assert line.split()[:3] == ["mine", "endpoint", "yes"]
    assert line.endswith("'It is Positive.', read as positive")
    told = " ".join(" ".join(said).split())
    assert "dialect max_completion_tokens instead of max_tokens; no temperature" in told
    assert "server lists 2 models, this one among them" in told
    assert "log-probabilities 20 for each token" in told
    assert again[1] == said[1]
    assert spent_dollars(tmp_path / "store") == pytest.approx(28e-6)


@pytest.mark.parametrize(
    ("fault", "told", "calls"),
    [
        # A part of the request may be what the server fails at.
        (status(500), "HTTP 500: not now", 4),
        (status(429), "HTTP 429: not now", 1),
        (status(401), "HTTP 401", 1),
        (body(b"not JSON"), "an answer that is not JSON, and no answer in one attempt", 1),
    ],
)
def test_a_server_that_does_not_answer_is_not_asked_again(
    fault: Fault, told: str, calls: int, endpoint: Callable[[str], dict[str, Any]]
) -> None:
    with running(FaultyProxy(faults={"fails": fault}, models=LISTED)) as proxy:
        said, error = _check(endpoint(proxy.url))
        assert proxy.calls.total() == calls
    assert told in said[1]
    assert said[1].split()[:3] == ["mine", "endpoint", "NO"]
    assert "found 1 of 1 that cannot be used: mine" in error


def test_a_server_that_is_down_or_wants_a_key_is_not_asked(
    endpoint: Callable[[str], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    down, locked = endpoint(f"http://127.0.0.1:{free_port()}/v1"), endpoint("http://127.0.0.1:9/v1")
    locked["asking"]["sheet"]["key_variable"] = "NO_SUCH_KEY"
    said, error = _check(down, locked)
    assert len(said) == 2
    assert "found no connection" in said[0]
    assert "Start it, or correct base_url." in said[0]
    assert "environment variable NO_SUCH_KEY: found nothing" in said[1]
    assert error


def test_a_question_above_the_budget_is_not_asked(
    endpoint: Callable[[str], dict[str, Any]],
) -> None:
    with running(FaultyProxy(faults={"answers": _answer}, models=LISTED)) as proxy:
        said, error = _check(endpoint(proxy.url), budget=1e-9)
        assert proxy.calls.total() == 0
    assert "budget" in said[1]
    assert error


def test_a_model_that_fails_hides_no_other(tmp_path: Path, resources: Path) -> None:
    folder = write_classifier(
        tmp_path / "bert", tokenizer=resources / "all_minilm_l6_v2", labels=LABELS
    )
    encoder = Encoder(about="ours", kind="encoder", folder=str(folder), max_tokens=64)
    opens = _entry(tmp_path, encoder, source=str(folder), about=tmp_path)
    other = _entry(tmp_path, encoder, source=str(folder), about=tmp_path, labels=["a", "b"])
    (tmp_path / "mine.py").write_text("def label(texts):\n    return 1 / 0\n")
    function = Function(about="ours", kind="python", function="mine:label", folder=str(tmp_path))
    source = function.source([]).path
    assert source is not None
    broken = _entry(tmp_path, function, source=source, about=tmp_path)
    faulty = {"name": "named", "kind": "encoder", "fault": "models.yaml, 'named': found nothing"}
    absent = {**opens, "source": "nowhere/resource", "megabytes": 84}
    trained = {**opens, "folder": str(tmp_path / "to-be-made")}
    elsewhere = {**absent, "kind": "answers", "files": ["answers.csv"]}
    said, error = _check(broken, faulty, other, absent, trained, elsewhere, opens)
    lines = [line for line in said if not line.startswith(" ")]
    assert [" ".join(line[34:43].split()) for line in lines] == [
        *("NO", "NO", "NO", "not yet", "not yet", "not yet", "yes")
    ]
    assert "ZeroDivisionError: division by zero" in lines[0]
    assert lines[1].endswith("models.yaml, 'named': found nothing")
    assert "found 2 labels: negative, positive; expected the dataset's 2: a, b" in lines[2]
    assert "not fetched (84 MB): run `snakemake --cores 1 resources`" in lines[3]
    assert "fine-tuned in the run" in lines[4]
    assert "snakemake suite" in lines[5]
    facts = {line[2:24].strip(): line[25:] for line in said[-4:]}
    assert facts["window"] == "64 tokens of a text; the model reads 512 tokens"
    assert facts["labels"] == "negative, positive"
    assert facts["pad token"] == "[PAD]"
    assert "found 3 of 7 that cannot be used: mine, named, mine" in error
    assert not (tmp_path / "store").exists()
