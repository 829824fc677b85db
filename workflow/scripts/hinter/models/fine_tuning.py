"""Fine-tune an encoder on a dataset's training split."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)

from ..corpora import Text
from ..job import progress_bar


def fine_tune(
    base: Path,
    folder: Path,
    *,
    texts: Sequence[Text],
    labels: Sequence[str],
    epochs: int,
    learning_rate: float,
    batch_size: int,
    max_tokens: int,
    threads: int,
    seed: int,
) -> None:
    """Train the encoder in `base` on `texts` (one label each) and save it to `folder`.

    `labels` are the label names in the order of the model's outputs. The result depends on
    `threads` and `seed` and on nothing else, batch order included.
    """
    torch.set_num_threads(threads)
    set_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
        problem_type="single_label_classification",
    )
    rows = [
        {
            "input_ids": tokenizer(text.text, truncation=True, max_length=max_tokens)["input_ids"],
            "label": labels.index(text.labels[0]),
        }
        for text in texts
    ]
    settings = {
        "num_train_epochs": epochs,
        "learning_rate": learning_rate,
        "per_device_train_batch_size": batch_size,
        "seed": seed,
    }
    steps = epochs * ceil(len(rows) / batch_size)
    with progress_bar(total=steps, label="fine-tune", unit=" steps") as bar:
        _train(model, tokenizer, rows, settings=settings, advance=bar.update)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _train(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: list[dict[str, Any]],
    *,
    settings: Mapping[str, Any],
    advance: Callable[[], object],
) -> None:
    with TemporaryDirectory() as scratch:
        arguments = TrainingArguments(
            output_dir=scratch,
            # Below 1 it is the share of all steps.
            warmup_steps=0.1,
            train_sampling_strategy="group_by_length",
            save_strategy="no",
            report_to="none",
            logging_steps=10,
            disable_tqdm=True,
            use_cpu=True,
            dataloader_pin_memory=False,
            **settings,
        )
        Trainer(
            model=model,
            args=arguments,
            train_dataset=rows,
            data_collator=DataCollatorWithPadding(tokenizer),
            callbacks=[_Progress(advance)],
        ).train()


class _Progress(TrainerCallback):  # type: ignore[misc]
    def __init__(self, advance: Callable[[], object]) -> None:
        self._advance = advance

    def on_step_end(self, *_: object, **__: object) -> None:
        self._advance()
