"""Checkpoints of a training run, from which a killed one resumes."""

import logging
import shutil
from pathlib import Path

from transformers import TrainerState

from ..loading import digest_of_folder


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
        for checkpoint in self._all():
            if not _is_whole(checkpoint):
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

    def _all(self) -> list[Path]:
        found = (path for path in self.folder.glob("checkpoint-*") if path.is_dir())
        return sorted(found, key=lambda path: int(path.name.removeprefix("checkpoint-")))

    def _last(self) -> Path | None:
        return next(reversed(self._all()), None)


def _seal_of(checkpoint: Path) -> Path:
    return checkpoint.with_suffix(".digest")


def _is_whole(checkpoint: Path) -> bool:
    seal = _seal_of(checkpoint)
    return seal.is_file() and seal.read_text(encoding="utf-8") == digest_of_folder(checkpoint)
