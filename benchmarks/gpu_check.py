"""Try on a GPU all that a study runs there, and count what batching changes.

`.venv/bin/python benchmarks/gpu_check.py` prints one JSON line: texts per second, the most memory
of the GPU in megabytes, and outcomes changed, which must be 0. Models have the shapes of BERT base
and of Llama 2 7B (a quarter of its layers) and random weights, so nothing is fetched. Without a
CUDA device it says so and runs nothing.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

import torch
from hinter.corpora import Prompt, Text
from hinter.gpus import claimed_gpus
from hinter.models import Model, Task, open_model
from hinter.models.training import TrainingSettings, fine_tune
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    DebertaConfig,
    DebertaForSequenceClassification,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
)

SEED = 1
CLEARER = 20
LABELS = ("negative", "positive")
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
HALF = ("float16", "bfloat16")
ARCHITECTURES: dict[str, tuple[Any, Any]] = {
    "bert": (BertConfig, BertForSequenceClassification),
    "roberta": (RobertaConfig, RobertaForSequenceClassification),
    "deberta": (DebertaConfig, DebertaForSequenceClassification),
}


class Shapes(NamedTuple):
    """The shapes of models (keys of their settings), and how much they are given."""

    encoder: Mapping[str, int] = {"max_position_embeddings": 514}
    llama: Mapping[str, int] = {"num_hidden_layers": 8}
    words: int = 20_000
    tokens: int = 512
    batch_tokens: int = 65_536
    texts: int = 2048
    prompts: int = 256
    alone: int = 64
    """Texts that are compared with the same asked alone."""
    steps: int = 8
    batch_size: int = 8


def main() -> None:
    """Print the record, or that there is nothing to try."""
    if not torch.cuda.is_available():
        print("no CUDA device: nothing was run")
        return
    with TemporaryDirectory() as name:
        record = {"device": torch.cuda.get_device_name(), "torch": torch.__version__}
        print(json.dumps(record | check(Shapes(), device="cuda", folder=Path(name))))


def check(shapes: Shapes, *, device: str, folder: Path) -> dict[str, Any]:
    """Return what was measured on a device, with files in a folder."""
    for name in ARCHITECTURES:
        _write_encoder(folder / name, name=name, shapes=shapes)
    llama = LlamaConfig(**shapes.llama, vocab_size=shapes.words)
    _write(partial(LlamaForCausalLM, llama), folder / "llama", shapes=shapes)
    texts = _texts(shapes.texts, shapes=shapes)
    record: dict[str, Any] = {}
    for dtype in ("float32", *HALF):
        encoder = partial(_open_encoder, folder / "bert", shapes, device=device, dtype=dtype)
        record |= _measure(f"encoder_{dtype}", encoder, texts, shapes=shapes)
    for name in ARCHITECTURES:
        record |= _measure_training(name, shapes=shapes, device=device, folder=folder)
    for answers in ("generated", "scored"):
        prompted = partial(_open_llama, folder / "llama", shapes, device=device, answers=answers)
        record |= _measure(f"llama_{answers}", prompted, texts[: shapes.prompts], shapes=shapes)
    record |= _measure_jobs(folder / "bert", shapes=shapes, device=device)
    changed = sum(count for key, count in record.items() if key.endswith("_changed"))
    return {**record, "outcomes_changed": changed}


def _measure(
    name: str, opened: Callable[..., Model], texts: Sequence[str], *, shapes: Shapes
) -> dict[str, Any]:
    """Time a model on texts in large batches, and compare some with the same asked alone."""
    model = opened(batch_tokens=shapes.batch_tokens)
    with _watched() as seen:
        found = _outcomes(model, texts)
    alone = _outcomes(opened(batch_tokens=1), texts[: shapes.alone])
    changed = sum(one != other for one, other in zip(found, alone, strict=False))
    return {
        f"{name}_texts_per_s": round(len(texts) / seen["seconds"], 2),
        f"{name}_peak_mb": seen["peak_mb"],
        f"{name}_changed": changed,
    }


def _measure_training(name: str, *, shapes: Shapes, device: str, folder: Path) -> dict[str, Any]:
    """Time the steps of a training, the model's loading and saving among them."""
    count = shapes.steps * shapes.batch_size
    texts = [
        Text(str(number), text, (LABELS[number % 2],))
        for number, text in enumerate(_texts(count, shapes=shapes))
    ]
    settings = TrainingSettings(
        labels=LABELS,
        epochs=1,
        learning_rate=3e-5,
        batch_size=shapes.batch_size,
        max_tokens=shapes.tokens,
        threads=2,
        seed=SEED,
        device=device,
    )
    with _watched() as seen:
        fine_tune(
            base=folder / name,
            folder=folder / f"{name}-tuned",
            texts=texts,
            settings=settings,
            checkpoints=folder / f"{name}-kept",
        )
    return {
        f"training_{name}_texts_per_s": round(count / seen["seconds"], 2),
        f"training_{name}_peak_mb": seen["peak_mb"],
    }


def _measure_jobs(folder: Path, *, shapes: Shapes, device: str) -> dict[str, Any]:
    """Run two jobs that each claim a GPU; compare their outcomes, and see whether they met."""
    asked = json.dumps([str(folder), shapes._asdict(), device])
    command = [sys.executable, __file__, "--job", asked]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    records = [json.loads(job.communicate()[0].splitlines()[-1]) for job in running]
    first, second = sorted(records, key=lambda job: float(job["start"]))
    met = first["gpus"] == second["gpus"] and second["start"] < first["end"]
    pairs = zip(first["outcomes"], second["outcomes"], strict=True)
    return {
        "jobs_gpus": sorted({first["gpus"], second["gpus"]}),
        "jobs_on_one_gpu_at_once": int(met and device == "cuda"),
        "jobs_changed": sum(one != other for one, other in pairs),
    }


def run_job(asked: str) -> None:
    """Run the encoder on a claimed GPU, and print what it found, where and when."""
    folder, given, device = json.loads(asked)
    shapes = Shapes(**given)
    with claimed_gpus(int(device == "cuda")):
        start = time.time()
        model = _open_encoder(
            Path(folder), shapes, device=device, dtype="float32", batch_tokens=shapes.batch_tokens
        )
        outcomes = _outcomes(model, _texts(shapes.alone, shapes=shapes))
        gpus = str(torch.cuda.get_device_properties(0).uuid) if device == "cuda" else ""
        records = {"start": start, "end": time.time(), "gpus": gpus, "outcomes": outcomes}
    print(json.dumps(records))


@contextmanager
def _watched() -> Iterator[dict[str, Any]]:
    """Measure seconds and the most memory of the GPU in between."""
    seen: dict[str, Any] = {"peak_mb": 0}
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()
    started = time.perf_counter()
    yield seen
    seen["seconds"] = time.perf_counter() - started
    if torch.cuda.is_available():
        seen["peak_mb"] = torch.cuda.max_memory_allocated() // 1_000_000


def _outcomes(model: Model, texts: Sequence[str]) -> list[Any]:
    found = dict(pair for part in model.responses(texts) for pair in part)
    parsed_answers = [model.read(found[position]) for position in range(len(texts))]
    return [parsed.answer or list(parsed.outcome or ()) for parsed in parsed_answers]


def _open_encoder(
    folder: Path, shapes: Shapes, *, device: str, dtype: str, batch_tokens: int
) -> Model:
    sheet = {"kind": "encoder", "max_tokens": shapes.tokens, "labels": {}}
    sheet |= {"scores": dtype not in HALF}
    return _open(folder, sheet, device=device, dtype=dtype, batch_tokens=batch_tokens)


def _open_llama(
    folder: Path, shapes: Shapes, *, device: str, answers: str, batch_tokens: int
) -> Model:
    prompt = Prompt(1, "w5 w6 ", "{text} w7", "none", 8, {}, ("w8", "w9"))
    sheet = {"kind": "causal", "chat": False, "answer_prefix": None, "context_tokens": None}
    sheet |= {"max_tokens": shapes.tokens, "scores": False}
    return _open(
        folder,
        sheet,
        device=device,
        dtype="float16",
        batch_tokens=batch_tokens,
        task=Task(prompt, [], multi_label=False),
        offsets={} if answers == "scored" else None,
    )


def _open(
    folder: Path,
    sheet: Mapping[str, Any],
    *,
    task: Task | None = None,
    offsets: Mapping[str, float] | None = None,
    **running: Any,
) -> Model:
    return open_model(
        folder,
        sheet={**sheet, **running, "threads": 2},
        labels=LABELS,
        multi_label=False,
        task=task,
        offsets=offsets,
        seed=SEED,
        spending=None,
    )


def _write_encoder(folder: Path, *, name: str, shapes: Shapes) -> None:
    settings, model = ARCHITECTURES[name]
    config = settings(
        **shapes.encoder,
        vocab_size=shapes.words,
        pad_token_id=0,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    _write(partial(model, config), folder, shapes=shapes)


def _write(build: Callable[[], PreTrainedModel], folder: Path, *, shapes: Shapes) -> None:
    torch.manual_seed(SEED)
    model = build()
    head = [layer for layer in model.modules() if isinstance(layer, torch.nn.Linear)][-1]
    # Otherwise nearly all decisions would be close and made again, unlike those of trained models.
    head.weight.data *= CLEARER
    model.save_pretrained(folder)
    names = [*SPECIAL, *(f"w{number}" for number in range(shapes.words - len(SPECIAL)))]
    words = {word: number for number, word in enumerate(names)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", words["[CLS]"])]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=4096
    ).save_pretrained(folder)


def _texts(count: int, *, shapes: Shapes) -> list[str]:
    """Return texts of a quarter to all of the tokens that models see."""
    draw = random.Random(SEED)
    lengths = [draw.randint(shapes.tokens // 4, shapes.tokens) for _ in range(count)]
    return [
        " ".join(f"w{draw.randrange(10, shapes.words - len(SPECIAL))}" for _ in range(length))
        for length in lengths
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--job"]:
        run_job(sys.argv[2])
    else:
        main()
