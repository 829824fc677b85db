"""Fine-tune an encoder on a dataset's training split, and score it."""

from pathlib import Path
from typing import Any

from hinter.augmentation import added_texts
from hinter.corpora import read_split
from hinter.job import run_job


def main(
    *,
    corpus: str,
    base: str,
    sheet: dict[str, Any],
    model: str,
    dataset: str,
    labels: list[str],
    multi_label: bool,
    seed: int,
    checkpoints: str,
    folder: str,
    scores: str,
    added: str | None = None,
) -> None:
    """Write the fine-tuned model to `folder` and its scores to the CSV `scores`.

    The Parquet `added` has recipes of further texts for the training.
    """
    # This imports torch, which may look for GPUs at once: the job must have its own by then.
    from hinter.models.training import TrainingSettings, fine_tune, write_scores

    texts = read_split(Path(corpus), split="training")
    if added:
        texts += added_texts(Path(added), corpus=Path(corpus))
    fine_tuning = dict(sheet["fine_tuning"])
    published_as = fine_tuning.pop("published_as")
    found = fine_tune(
        Path(base),
        Path(folder),
        texts=texts,
        validation=read_split(Path(corpus), split="validation"),
        held_out=read_split(Path(corpus), split="held_out"),
        settings=TrainingSettings(
            labels=labels,
            multi_label=multi_label,
            max_tokens=sheet["max_tokens"],
            threads=sheet["threads"],
            device=sheet["device"],
            seed=seed,
            **fine_tuning,
        ),
        checkpoints=Path(checkpoints),
    )
    write_scores(found, Path(scores), model=model, dataset=dataset, published_as=published_as)


if __name__ == "__main__":
    run_job(main, snakemake)
