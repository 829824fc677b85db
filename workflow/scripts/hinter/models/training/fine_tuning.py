"""Fine-tune an encoder on a dataset's training split."""

import gc
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from math import ceil
from pathlib import Path

import torch
import transformers
from transformers import PreTrainedModel, PreTrainedTokenizerBase, set_seed

from ...corpora import Text
from ...errors import InputError
from ...job import progress_bar
from ...provenance import code_digest, digest_of
from ..digests import digest_of_folder
from ..hardware import find_device, find_half, train_by_onednn
from ..loading import load_config, load_tokenizer
from ..windows import check_window
from .task import Rows, Scores, TrainingSettings, new_classifier, to_rows
from .trainer import Checkpoints, build_trainer


def fine_tune(
    base: Path,
    folder: Path,
    *,
    texts: Sequence[Text],
    validation: Sequence[Text] = (),
    held_out: Sequence[Text] = (),
    settings: TrainingSettings,
    checkpoints: Path,
) -> dict[str, Scores]:
    """Train the encoder in `base` on `texts`, save it to `folder` and return its scores.

    The scores are those on the splits `validation` and `held_out`, if they have texts. A killed
    training resumes from the last epoch in the folder `checkpoints`, which is removed at the end.
    On CPU the result depends only on base, texts, settings and the processor (see `find_half`),
    even if the training was killed. A batch that does not fit into a GPU's memory is divided, which
    only changes rounding and dropout.

    Raises `InputError` for settings and texts that do not fit together.
    """
    torch.set_num_threads(settings.threads)
    settings = replace(settings, device=find_device(settings.device).type)
    splits = {"training": texts, "validation": validation, "held_out": held_out}
    _check_splits(splits, settings=settings)
    tokenizer = load_tokenizer(base)
    check_window(settings.max_tokens, tokenizer=tokenizer, config=load_config(base), folder=base)
    rows = {
        split: to_rows(members, tokenizer=tokenizer, settings=settings)
        for split, members in splits.items()
    }
    digest = _digest(base, splits, settings=settings, checkpoints=checkpoints)
    kept = Checkpoints(checkpoints, digest=digest)
    attempt = partial(_train, base, folder, tokenizer, rows=rows, settings=settings, kept=kept)
    scores = _within_memory(attempt, settings=settings)
    kept.remove()
    return scores


def _train(
    base: Path,
    folder: Path,
    tokenizer: PreTrainedTokenizerBase,
    *,
    rows: Mapping[str, Rows],
    settings: TrainingSettings,
    kept: Checkpoints,
    device_batch: int,
) -> dict[str, Scores]:
    last = kept.open()
    if last:
        logging.info("training resumes from %s", last)
    set_seed(settings.seed)
    model = new_classifier(base, settings=settings).to(settings.device)
    half = find_half(model)
    if half is None:
        train_by_onednn(model)
    steps = settings.epochs * ceil(len(rows["training"]) / settings.batch_size)
    with progress_bar(total=steps, label="fine-tune", unit=" steps") as bar:
        trainer = build_trainer(
            model,
            tokenizer,
            rows=rows,
            settings=settings,
            half=half,
            device_batch=device_batch,
            kept=kept,
            bar=bar,
        )
        trainer.train(resume_from_checkpoint=str(last) if last else None)
    _check_finite(model, settings=settings)
    scores = {}
    for split in ("validation", "held_out"):
        if rows[split]:
            found = trainer.predict(rows[split], metric_key_prefix=split).metrics
            scores[split] = Scores(*(found[f"{split}_{field}"] for field in Scores._fields))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return scores


def _check_finite(model: PreTrainedModel, *, settings: TrainingSettings) -> None:
    """Raise `InputError` if training has diverged: such a model would still have an accuracy."""
    if not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        raise InputError(
            where="models sheet, key 'fine_tuning.learning_rate'",
            found=f"{settings.learning_rate:g}, with which the seed {settings.seed} diverges",
            expected="a rate with which all weights stay finite",
            fix="Lower it. Other seeds are then trained again, with the same rate.",
        )


def _within_memory(
    attempt: Callable[..., dict[str, Scores]], *, settings: TrainingSettings
) -> dict[str, Scores]:
    """Return the result of `attempt(device_batch=...)` with the largest batch that fits."""
    device_batch = settings.batch_size
    while True:
        try:
            return attempt(device_batch=device_batch)
        except torch.OutOfMemoryError:
            if device_batch == 1:
                raise InputError(
                    where="models sheet, key 'max_tokens'",
                    found=f"{settings.max_tokens} tokens, for which the GPU has too little memory",
                    expected="a model that can be trained on one text at a time",
                    fix="Use fewer tokens, or a GPU with more memory.",
                ) from None
        # Outside the handler, where the error would still keep the failed attempt's tensors.
        gc.collect()
        torch.cuda.empty_cache()
        smaller = range(1, device_batch // 2 + 1)
        device_batch = max(size for size in smaller if settings.batch_size % size == 0)
        logging.warning("out of GPU memory; continuing with %d texts at once", device_batch)


def _check_splits(splits: Mapping[str, Sequence[Text]], *, settings: TrainingSettings) -> None:
    needed = ["training"] if settings.patience is None else ["training", "validation"]
    for split in needed:
        if not splits[split]:
            raise InputError(
                where="datasets sheet, key 'splits'",
                found=f"no texts in '{split}'",
                expected=f"texts in {' and '.join(needed)}, which the fine-tuning needs",
                fix=f"Add '{split}', or change the model's 'fine_tuning' in the models sheet.",
            )


def _digest(
    base: Path,
    splits: Mapping[str, Sequence[Text]],
    *,
    settings: TrainingSettings,
    checkpoints: Path,
) -> str:
    """Return a digest of all that determines the trained model, and of its checkpoint folder.

    Checkpoints refer to each other by path, so they cannot be used in another folder.
    """
    texts = hashlib.sha256()
    for split in ("training", "validation"):
        for text in splits[split]:
            texts.update(json.dumps([split, text.text, *text.labels]).encode())
    return digest_of(
        base=digest_of_folder(base),
        texts=texts.hexdigest(),
        settings=asdict(settings),
        code=code_digest("fine_tune_encoder.py"),
        libraries=[torch.__version__, transformers.__version__],
        checkpoints=str(checkpoints),
    )
