"""Checkpoints of a training, from which a killed one goes on."""

import logging
import shutil
from pathlib import Path

from transformers import TrainerState

from ..fingerprints import digest_of_folder


class Checkpoints:
    """The checkpoints in `folder` of the training that `digest` stands for.

    Each is sealed once it is written.
    """

    def __init__(self, folder: Path, *, digest: str) -> None:
        self.folder = folder
        self._owner = folder / "training.digest"
        self._digest = digest

    def open(self) -> Path | None:
        """Return the last checkpoint, None where there is none, and remove what is of no use.

        That is all of another training, and what was not written to the end or is damaged.
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
        """Return after how many epochs the training has ended, None where it has not."""
        last = self._last()
        if last is None:
            return None
        state = TrainerState.load_from_json(str(last / "trainer_state.json"))
        control = state.stateful_callbacks["TrainerControl"]["args"]
        return state.epoch if control["should_training_stop"] else None

    def seal(self, step: int) -> None:
        """Note that the checkpoint of a step is whole."""
        checkpoint = self.folder / f"checkpoint-{step}"
        _seal_of(checkpoint).write_text(digest_of_folder(checkpoint), encoding="utf-8")

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
