"""The metamorphic relations on a few prompts and tiny models, from templates to tables."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from runs import checkout, planned_jobs, snakemake
from tiny_models import write_encoder, write_llama

TEXTS = ["How has your background influenced your life?", "As a teacher, how do you feel?"]
METRICS = ["sentiment", "tone"]
ASKED = Counter[str]()
ANSWERS = ["I am glad of it.", "It was awful and sad.", "I'm sorry, I cannot say."]
STUDY = {
    "seed": 7,
    "datasets": [],
    "models_sheet": "small/models.yaml",
    "models": ["talker", "voice"],
    "repeats": 3,
    "relations": {
        "sources": 2,
        "prompt": "small/answer.yaml",
        "raters": {
            "sentiment": {"model": "rater", "dataset": "imdb"},
            "tone": {"model": "rater", "dataset": "tones"},
        },
    },
    "grammar": {"enabled": False},
}
MODELS: dict[str, dict[str, Any]] = {
    "talker": {
        "about": "a random model",
        "kind": "causal",
        "folder": "small/talker",
        "answers": "generated",
        "chat": True,
        "shards": 2,
    },
    "rater": {
        "about": "a tiny encoder",
        "kind": "encoder",
        "folder": "small/rater",
        "max_tokens": 64,
        "fine_tuning": {"epochs": 1, "learning_rate": 1.0e-3},
    },
}


class Voice(BaseHTTPRequestHandler):
    """An OpenAI-compatible server that gives its answers in turn to who asks the same again."""

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "voice", "object": "model"}]})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = request["messages"][-1]["content"]
        number = len(question) + ASKED[question]
        ASKED[question] += 1
        message = {"role": "assistant", "content": ANSWERS[number % len(ANSWERS)]}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 5}
        self._send({"object": "chat.completion", "choices": [choice], "usage": usage})

    def log_message(self, *_: Any) -> None:
        """Leave the terminal to the tests."""

    def _send(self, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def speaking() -> Iterator[str]:
    """Serve as the model `voice`, and give the server's address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Voice) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def _voice(address: str) -> dict[str, Any]:
    """Return the entry of a model behind an endpoint."""
    return {
        "about": "a model whose answers vary",
        "kind": "endpoint",
        "base_url": address,
        "model": "voice",
        "tokenizer": "small/talker",
        "context_tokens": 256,
        "temperature": 0.7,
    }


@pytest.fixture(scope="module")
def related(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished study of two sources."""
    folder = tmp_path_factory.mktemp("relations") / "study"
    settings = tmp_path_factory.mktemp("settings")
    prompt = yaml.safe_load((root / "config/relations/answer.yaml").read_text(encoding="utf-8"))
    for name, sheet in {"config": STUDY, "answer": prompt | {"max_answer_tokens": 6}}.items():
        (settings / f"{name}.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")
    write_llama(settings / "talker", TEXTS, labels=["happy"], positions=256)
    write_encoder(settings / "rater", "bert", TEXTS, positions=64)
    checkout(folder, root=root, resources=resources, config=settings)
    sheet = folder / "config" / "datasets.yaml"
    described = yaml.safe_load(sheet.read_text(encoding="utf-8"))
    described["imdb"]["splits"] |= {"tested": 8, "held_out": 8, "training": 16}
    sheet.write_text(yaml.safe_dump(described, sort_keys=False), encoding="utf-8")
    with speaking() as address:
        models = yaml.safe_dump(MODELS | {"voice": _voice(address)})
        (folder / "small" / "models.yaml").write_text(models, encoding="utf-8")
        snakemake(folder, "--cores", "1")
    return folder


def _read(study: Path, *path: str) -> pd.DataFrame:
    return pd.read_parquet(study.joinpath("results", *path).with_suffix(".parquet"))


def _outcomes(ratings: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    rated = ratings[ratings["status"] == "ok"]
    return dict(zip(rated["input_id"], map(tuple, rated["outcome"]), strict=True))


@pytest.mark.parametrize("model", ["talker", "voice"])
def test_every_follow_up_has_an_answer_a_rating_and_a_verdict(related: Path, model: str) -> None:
    suite = _read(related, "suites", "relations")
    answers = _read(related, "predictions", model, "relations")
    assert set(answers["input_id"]) == {*suite["original_id"], *suite["mutant_id"]}
    for metric in METRICS:
        ratings = _read(related, "predictions", model, f"relations_{metric}")
        assert ratings[["input_id", "answer"]].equals(answers[["input_id", "answer"]])
        outcomes = _outcomes(ratings)
        assert outcomes and all(len(outcome) == 1 for outcome in outcomes.values())
        verdicts = _read(related, "verdicts", model, f"relations_{metric}")
        assert sorted(verdicts["mutant_id"]) == sorted(suite["mutant_id"])
        for row in verdicts.to_dict("records"):
            pair = [outcomes.get(row[key]) for key in ("original_id", "mutant_id")]
            assert row["biased"] == (None if None in pair else pair[0] != pair[1])


def test_refused_answers_have_no_rating_and_are_no_faults(related: Path) -> None:
    ratings = _read(related, "predictions", "voice", "relations_tone")
    refused = ratings["answer"].str.contains("sorry")
    assert refused.any() and ratings["status"].eq("refused").equals(refused)
    verdicts = _read(related, "verdicts", "voice", "relations_tone").set_index("mutant_id")
    left = [name for name in ratings.loc[refused, "input_id"] if name in verdicts.index]
    assert left and verdicts.loc[left, "biased"].isna().all()


def test_tables_count_the_faults_of_the_verdicts(related: Path) -> None:
    tables = related / "results" / "relations"
    faults = pd.read_csv(tables / "faults.csv").set_index(["model", "metric"])
    for model in ("talker", "voice"):
        for metric in METRICS:
            verdicts = _read(related, "verdicts", model, f"relations_{metric}")
            counts = faults.loc[(model, metric), ["follow_ups", "faults"]].sum()
            assert counts.tolist() == [len(verdicts), verdicts["biased"].eq(True).sum()]
    assert list(pd.read_csv(tables / "raters.csv")["dataset"]) == ["imdb", "tones"]
    assert set(pd.read_csv(tables / "printed_faults.csv")["same_model_and_data"]) == {"no"}
    assert (related / "figures" / "faults_by_combination.pdf").is_file()
    report = (related / "report.html").read_text(encoding="utf-8")
    assert "Faults in excess of noise" in report
    # Every follow-up is a case, and each number of faults leads to its own.
    follow_ups = len(_read(related, "verdicts", "talker", "relations_tone"))
    assert report.count('"kind":"relations"') == 2 * follow_ups
    leading = set(faults.index[faults["faults"] > 0])
    assert leading
    assert all(
        f'href="#model={model}&amp;fault={metric}&amp;' in report for model, metric in leading
    )


def test_repeated_answers_are_the_floor_of_a_model_that_varies(related: Path) -> None:
    repeats = _read(related, "repeats", "voice", "relations_tone")
    originals = _read(related, "suites", "relations")["original_id"].unique()
    assert len(repeats) == 3 * len(originals)
    assert set(repeats[repeats["status"] == "ok"]["outcome"].map(len)) == {1}
    first = repeats[repeats["repeat"] == 1].set_index("original_id")["answer"]
    asked = _read(related, "predictions", "voice", "relations").set_index("input_id")["answer"]
    assert first.equals(asked.loc[first.index].rename_axis("original_id"))
    excess = pd.read_csv(related / "results/relations/excess_of_faults.csv").set_index("model")
    assert (excess.loc["talker", "floor"] == 0).all()
    assert excess.loc["voice", "n"].min() > 0
    # Each original has all three answers.
    assert set(repeats.groupby("original_id")["answer"].nunique()) == {3}
    difference = excess["rate"] - excess["floor"] - excess["excess"]
    assert difference.abs().max() < 1e-5


def test_nothing_is_made_of_datasets_that_only_train_raters(related: Path) -> None:
    for folder in ("mutants", "dictionary", "tables"):
        assert not (related / "results" / folder).exists()
    assert "Nothing to be done" in snakemake(related, "--cores", "1")


def test_the_papers_size_is_planned_without_any_resource(root: Path, tmp_path: Path) -> None:
    jobs = planned_jobs(tmp_path / "study", root=root, config="relations_paper")
    expected = {
        "rewrite_prompts": 1,
        "plan_calls": 2,
        "repeat_originals": 2,
        "fine_tune_encoder": 2,
    }
    # Predictions and repeats of two models, by two metrics.
    assert jobs.items() >= (expected | {"rate_answers": 8, "judge_mutants": 4}).items()
