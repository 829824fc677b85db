"""One training run of an encoder by transformers' Trainer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm
from transformers import (
    DataCollatorWithPadding,
    EarlyStoppingCallback,
    EvalPrediction,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Trainer,
    TrainerCallback,
    TrainerState,
    TrainingArguments,
)

from ...corpora import Text
from ...errors import InputError
from ..loading import load_untrained
from .checkpoints import Checkpoints
from .scores import measure

Rows = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """The task that an encoder is trained for, and how it is trained.

    `labels` are the label names in the order of the model's outputs. `batch_size` is the number of
    texts per step, even if fewer fit on the device at once. `learning_rate` is the peak. With
    `patience`, the epoch with the best micro F1 on the validation texts is kept, and training ends
    after that many epochs without a better one. Without it, the last epoch is kept. `device` is
    `cpu`, `cuda`, or `auto` for CUDA if there is a device.
    """

    labels: Sequence[str]
    multi_label: bool = False
    epochs: int
    learning_rate: float
    batch_size: int
    patience: int | None = None
    max_tokens: int
    threads: int
    seed: int
    device: str = "cpu"


def new_classifier(base: Path, *, settings: TrainingSettings) -> PreTrainedModel:
    """Return the encoder in `base` with a new head of one output per label."""
    labels = settings.labels
    kind = "multi_label" if settings.multi_label else "single_label"
    return load_untrained(
        base,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
        problem_type=f"{kind}_classification",
        # Some encoders are published in half precision, which would lose small steps.
        dtype=torch.float32,
    )


def to_rows(
    texts: Sequence[Text], *, tokenizer: PreTrainedTokenizerBase, settings: TrainingSettings
) -> Rows:
    """Return token ids and target of each text: an index, or for multi-label 0 or 1 per label.

    Raises `InputError` for a text without exactly one label if one is required.
    """
    if not texts:
        return []
    encoded = tokenizer(
        [text.text for text in texts],
        truncation=True,
        max_length=settings.max_tokens,
        split_special_tokens=True,
    )
    target = _label_vector if settings.multi_label else _label_index
    return [
        {"input_ids": ids, "label": target(text, settings.labels)}
        for text, ids in zip(texts, encoded["input_ids"], strict=True)
    ]


def _label_vector(text: Text, labels: Sequence[str]) -> list[float]:
    return [float(label in text.labels) for label in labels]


def _label_index(text: Text, labels: Sequence[str]) -> int:
    if len(text.labels) != 1:
        raise InputError(
            where=f"text '{text.original_id}'",
            found=f"{len(text.labels)} labels",
            expected="one label per text in a dataset that is not multi-label",
            fix="Remove the text, or declare the dataset multi-label in the datasets sheet.",
        )
    return labels.index(text.labels[0])


def build_trainer(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    *,
    rows: Mapping[str, Rows],
    settings: TrainingSettings,
    half: torch.dtype | None,
    device_batch: int,
    kept: Checkpoints,
    bar: "tqdm[Any]",
) -> Trainer:
    """Return a Trainer on the splits `training` and `validation`, which measures `Scores`.

    It computes `device_batch` texts at once, a divisor of the batch size, and multiplies in the
    precision `half` if it is given.
    """
    callbacks: list[TrainerCallback] = [_Progress(bar), _Sealing(kept)]
    if settings.patience is not None:
        callbacks.append(EarlyStoppingCallback(early_stopping_patience=settings.patience))
    none_counts = settings.multi_label and not all(any(row["label"]) for row in rows["training"])
    return Trainer(
        model=model,
        args=_arguments(settings, half=half, device_batch=device_batch, kept=kept),
        train_dataset=rows["training"],
        eval_dataset=rows["validation"] or None,
        data_collator=DataCollatorWithPadding(tokenizer),
        compute_loss_func=_loss,
        compute_metrics=partial(_metrics, none_counts=none_counts),
        callbacks=callbacks,
    )


def _metrics(prediction: EvalPrediction, *, none_counts: bool) -> dict[str, float]:
    scores = measure(prediction.predictions, prediction.label_ids, none_counts=none_counts)
    return scores._asdict()


class _OneDeviceArguments(TrainingArguments):  # type: ignore[misc]
    @property
    def n_gpu(self) -> int:
        """Return 1 at most: on several devices Trainer would multiply the batch size."""
        return min(int(super().n_gpu), 1)


def _arguments(
    settings: TrainingSettings, *, half: torch.dtype | None, device_batch: int, kept: Checkpoints
) -> TrainingArguments:
    steered = settings.patience is not None
    on_cpu = settings.device == "cpu"
    return _OneDeviceArguments(
        output_dir=str(kept.folder),
        # A training that stopped early must not resume for another epoch.
        num_train_epochs=kept.epochs_at_end() or settings.epochs,
        learning_rate=settings.learning_rate,
        # A value below 1 means a share of all steps.
        warmup_steps=0.1,
        train_sampling_strategy="group_by_length",
        per_device_train_batch_size=device_batch,
        per_device_eval_batch_size=device_batch,
        gradient_accumulation_steps=settings.batch_size // device_batch,
        eval_strategy="epoch" if steered else "no",
        save_strategy="epoch",
        save_total_limit=2,
        load_best_model_at_end=steered,
        metric_for_best_model="micro_f1" if steered else None,
        greater_is_better=True if steered else None,
        restore_callback_states_from_checkpoint=True,
        seed=settings.seed,
        use_cpu=on_cpu,
        bf16=half == torch.bfloat16,
        fp16=half == torch.float16,
        report_to="none",
        logging_steps=10,
        disable_tqdm=True,
        dataloader_pin_memory=not on_cpu,
    )


def _loss(
    outputs: Any, labels: torch.Tensor, num_items_in_batch: torch.Tensor | int
) -> torch.Tensor:
    """Return this device batch's part of the mean loss over the whole batch.

    Trainer would give equal weights to device batches of unequal sizes.
    """
    if labels.is_floating_point():
        mean = torch.nn.functional.binary_cross_entropy_with_logits(outputs.logits, labels)
    else:
        mean = torch.nn.functional.cross_entropy(outputs.logits, labels)
    return mean * (labels.numel() / num_items_in_batch)


class _Progress(TrainerCallback):  # type: ignore[misc]
    def __init__(self, bar: "tqdm[Any]") -> None:
        self._bar = bar

    def on_train_begin(self, _: object, state: TrainerState, *__: object, **___: object) -> None:
        self._bar.initial = self._bar.n = state.global_step
        self._bar.refresh()

    def on_step_end(self, *_: object, **__: object) -> None:
        self._bar.update()

    def on_train_end(self, _: object, state: TrainerState, *__: object, **___: object) -> None:
        self._bar.total = state.global_step
        self._bar.refresh()


class _Sealing(TrainerCallback):  # type: ignore[misc]
    def __init__(self, kept: Checkpoints) -> None:
        self._kept = kept

    def on_save(self, _: object, state: TrainerState, *__: object, **___: object) -> None:
        self._kept.seal(state.global_step)
