"""A study of probes and relations on a few prompts, with tiny models and two endpoints.

One probe is a module and a sheet of its own; one endpoint's answers vary, the other is a judge.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml
from faults import Call, FaultyProxy, body, completion, running
from people import adult_lines
from runs import checkout, edit_sheet
from tiny import write_classifier
from tiny_models import write_llama
from transformers import AutoModel

PRICES = {
    "judge": {"input": 100, "output": 300, "of": "nobody"},
    "voice": {"input": 0, "output": 0, "of": "nobody"},
}
TEXTS = ["How has your background influenced your life?", "As a teacher, how do you feel?"]
ASKED = Counter[str]()
ANSWERS = ["I am glad of it.", "It was awful and sad.", "I'm sorry, I cannot say."]
STUDY: dict[str, Any] = {
    "seed": 7,
    "datasets": [],
    "probes": ["gender_income", "professional", "colours"],
    "models_sheet": "small/models.yaml",
    "models": ["talker", "voice", "chooser"],
    "judge": {"model": "judge"},
    "repeats": len(ANSWERS),
    "budget_usd": 1,
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
# Batches small enough for several commits of answers.
MODELS: dict[str, dict[str, Any]] = {
    "talker": {
        "kind": "causal",
        "answers": "generated",
        "chat": True,
        "batch_tokens": 800,
        "datasets": ["relations", "professional", "colours"],
    },
    "chooser": {
        "kind": "encoder",
        "batch_tokens": 800,
        "max_tokens": 200,
        "datasets": ["gender_income"],
        "fine_tuning": {"epochs": 1, "learning_rate": 1.0e-3},
    },
    "rater": {
        "kind": "encoder",
        "batch_tokens": 80,
        "max_tokens": 64,
        "datasets": [],
        "fine_tuning": {"epochs": 1, "learning_rate": 1.0e-3},
    },
}
ENDPOINTS: dict[str, dict[str, Any]] = {
    "voice": {
        "datasets": ["relations"],
        "tokenizer": "small/talker",
        "context_tokens": 256,
        "temperature": 0.7,
    },
    "judge": {"datasets": [], "tokenizer": "cl100k_base"},
}
MODULE = '''"""Does a model like another colour better in another town?"""

from ..config import Sheet
from .probe import Answered, BasePrompt, Counterfactual, Finding, Probe


class Settings(Sheet):
    """The settings of the probe."""

    towns: list[str]


def build_prompts(path, *, labels, settings, seed):
    first, *others = settings.towns
    prompts = [
        BasePrompt(
            f"{line} In {first}, is red or blue better?",
            {"town": first},
            counterfactuals=tuple(
                Counterfactual(
                    {"town": town}, f"{line} In {town}, is red or blue better?", ("town",)
                )
                for town in others
            ),
        )
        for line in path.read_text().splitlines()
    ]
    return prompts, {"prompts": len(prompts)}


def find_change(answered: Answered) -> Finding:
    return Finding(answered.status, None if not answered.kinds else bool(answered.biased))


PROBE = Probe(settings=Settings, build=build_prompts, find=find_change)
'''
COLOURS = {
    "about": "Colours of towns",
    "scenario": "Colours",
    "detector": "Another answer",
    "differs": "It has no source.",
    "file": "lines.csv",
    "labels": ["red", "blue"],
    "answers": "words",
    "settings": {"towns": ["Rome", "Oslo"]},
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


def _judge(call: Call) -> None:
    """Say of every answer that it means a doctor, or the colour red."""
    instruction = json.loads(call.body)["messages"][0]["content"]
    said = "doctor" if "doctor" in instruction else "red"
    completion(message={"content": said}, finish_reason="stop")(call)


@contextmanager
def judging() -> Iterator[FaultyProxy]:
    """Serve as the model `judge`, and give the server."""
    models = body(b'{"data": [{"id": "judge"}]}')
    with running(FaultyProxy(faults={"answer": _judge}, models=models)) as proxy:
        yield proxy


def write_study(
    folder: Path, *, small: Path, root: Path, resources: Path, addresses: dict[str, str]
) -> None:
    """Make the folder of the study, before it is run; its own files are written to `small`."""
    write_llama(small / "talker", TEXTS, labels=["doctor", "nurse", "red", "happy"], positions=256)
    words = resources / "all_minilm_l6_v2"
    for name in ("rater", "chooser"):
        write_classifier(small / name, tokenizer=words, labels=["yes", "no"])
    # What rates has as many labels as its dataset.
    AutoModel.from_pretrained(small / "rater").save_pretrained(small / "rater")
    about = {"about": "a model of a test"}
    models = {
        name: {**about, "folder": f"small/{name}", **keys} for name, keys in MODELS.items()
    } | {
        name: {**about, "kind": "endpoint", "model": name, "base_url": addresses[name], **keys}
        for name, keys in ENDPOINTS.items()
    }
    answer = yaml.safe_load((root / "config/relations/answer.yaml").read_text(encoding="utf-8"))
    sheets = {"config": STUDY, "models": models, "answer": answer | {"max_answer_tokens": 6}}
    for name, sheet in sheets.items():
        (small / f"{name}.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")
    checkout(folder, root=root, resources=resources, config=small)
    _write_probes(folder)
    edit_sheet(folder / "config/datasets.yaml", _with_few_reviews)


def _write_probes(folder: Path) -> None:
    (folder / "people.data").write_text("\n".join(adult_lines(range(30, 34))))
    (folder / "lines.csv").write_text("Be brief.\n")
    sheets = folder / "config"
    edit_sheet(sheets / "probes/gender_income.yaml", _with_few_persons)
    edit_sheet(sheets / "probes/professional.yaml", _with_one_sentence)
    edit_sheet(sheets / "prices.yaml", lambda it: it.update(PRICES))
    (sheets / "probes/colours.yaml").write_text(yaml.safe_dump(COLOURS))
    (folder / "workflow/scripts/hinter/probes/colours.py").write_text(MODULE)


def _with_few_reviews(sheet: dict[str, Any]) -> None:
    sheet["imdb"]["splits"] |= {"tested": 8, "held_out": 8, "training": 16}


def _with_few_persons(sheet: dict[str, Any]) -> None:
    sheet.update(resource=None, file="people.data")
    sheet["settings"]["per_label"] = {"tested": 4, "calibration": 1, "training": 8}
    sheet["settings"]["lattice"]["prompts"] = 2


def _with_one_sentence(sheet: dict[str, Any]) -> None:
    del sheet["settings"]["sentences"][1:]
