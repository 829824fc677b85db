"""One training run of an encoder by transformers' Trainer, which resumes if it was killed."""

import logging
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm
from transformers import (
    DataCollatorWithPadding,
    EarlyStoppingCallback,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Trainer,
    TrainerCallback,
    TrainerState,
    TrainingArguments,
)
from transformers.trainer_utils import get_last_checkpoint

from ..digests import digest_of_folder
from .task import Rows, TrainingSettings, measure


class Checkpoints:
    """The checkpoints in `folder` of the training run that `digest` identifies.

    Each is sealed once it is complete.
    """

    def __init__(self, folder: Path, *, digest: str) -> None:
        self.folder = folder
        self._owner = folder / "training.digest"
        self._digest = digest

    def open(self) -> Path | None:
        """Return the last checkpoint, or None if there is none, and remove unusable ones.

        Unusable are those of another training run, and incomplete or damaged ones.
        """
        if not self._owner.is_file() or self._owner.read_text(encoding="utf-8") != self._digest:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            self._owner.write_text(self._digest, encoding="utf-8")
        for checkpoint in sorted(self.folder.glob("checkpoint-*/")):
            seal = _seal_of(checkpoint)
            digest = seal.read_text(encoding="utf-8") if seal.is_file() else None
            if digest != digest_of_folder(checkpoint):
                logging.warning("dropped the damaged checkpoint %s", checkpoint)
                shutil.rmtree(checkpoint)
        return self._last()

    def epochs_at_end(self) -> float | None:
        """Return the number of epochs after which the training ended, or None if it has not."""
        last = self._last()
        if last is None:
            return None
        state = TrainerState.load_from_json(str(last / "trainer_state.json"))
        control = state.stateful_callbacks["TrainerControl"]["args"]
        return state.epoch if control["should_training_stop"] else None

    def seal(self, step: int) -> None:
        """Mark the checkpoint of a step as complete."""
        checkpoint = self.folder / f"checkpoint-{step}"
        unfinished = self.folder / "unfinished_seal"
        unfinished.write_text(digest_of_folder(checkpoint), encoding="utf-8")
        unfinished.replace(_seal_of(checkpoint))

    def remove(self) -> None:
        """Remove all."""
        shutil.rmtree(self.folder)

    def _last(self) -> Path | None:
        last = get_last_checkpoint(self.folder)
        return Path(last) if last else None


def _seal_of(checkpoint: Path) -> Path:
    return checkpoint.with_suffix(".digest")


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
    callbacks: list[TrainerCallback] = [_Watching(bar, kept)]
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
        compute_metrics=lambda found: measure(
            found.predictions, found.label_ids, none_counts=none_counts
        )._asdict(),
        callbacks=callbacks,
    )


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


class _Watching(TrainerCallback):  # type: ignore[misc]
    """Moves a progress bar, and seals checkpoints."""

    def __init__(self, bar: "tqdm[Any]", kept: Checkpoints) -> None:
        self._bar, self._kept = bar, kept

    def on_train_begin(self, _: object, state: TrainerState, *__: object, **___: object) -> None:
        self._bar.initial = self._bar.n = state.global_step
        self._bar.refresh()

    def on_step_end(self, *_: object, **__: object) -> None:
        self._bar.update()

    def on_train_end(self, _: object, state: TrainerState, *__: object, **___: object) -> None:
        self._bar.total = state.global_step
        self._bar.refresh()

    def on_save(self, _: object, state: TrainerState, *__: object, **___: object) -> None:
        self._kept.seal(state.global_step)
