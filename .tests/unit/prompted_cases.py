"""A study that also asks prompts: of a probe with the parts of a change, and of relations."""

from pathlib import Path

from hinter.corpora import CORPUS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA, WRITTEN_SUITE_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.relations import FOLLOW_UPS_SCHEMA
from hits import hit_file
from reported import HOSTILE, MODEL, Reported
from result_files import Row, write_rows

SEX, RACE = "sex:Male>Female", "race:White>Black"
PERSON = f"😀 A Male, White. {HOSTILE} Rich?"
# Both together change the answer, neither alone; a base prompt is a hit by its own answer.
ASKED = {
    "o": (PERSON, "yes"),
    f"o|{SEX}": (PERSON.replace("Male", "Female"), "yes"),
    f"o|{RACE}": (PERSON.replace("White", "Black"), "yes"),
    f"o|{RACE}|{SEX}": (PERSON.replace("Male", "Female").replace("White", "Black"), "no"),
    "base": ("She said so. Who?", "nurse"),
}
SOURCE = "As a nurse, how are you?"
# What a follow-up is, its answer, and whether it is rated otherwise; None has no rating.
FOLLOW_UPS = {
    "s|MR1|s|age:>old": ("As an old nurse, how are you?", f"Sad. {HOSTILE}", True),
    "s|MR13|s": ("How are you as a nurse?", "Well.", False),
    "s|MR7|s|job:nurse>": ("How are you, no nurse?", "I cannot say.", None),
}


class Prompted(Reported):
    """The study of `Reported` with the probe p and with relations rated by their tone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.results = folder / "results"
        self.follow_ups = str(self._follow_ups())
        self.files |= {
            "hits": [str(self._hits())],
            "prompt_corpora": [
                str(self._corpus("p", {"o": PERSON, "base": ASKED["base"][0]})),
                str(self._corpus("relations", {"s": SOURCE})),
            ],
            "prompt_suites": [str(self._suite())],
            "prompt_predictions": [
                str(self._predictions("p", {key: said for key, (_, said) in ASKED.items()})),
                str(self._ratings("relations")),
            ],
            "follow_up_ratings": [str(self._ratings("relations_tone"))],
            "follow_up_verdicts": [str(self._verdicts())],
        }

    def _hits(self) -> Path:
        path = self.results / "hits" / MODEL / "p.parquet"
        path.parent.mkdir(parents=True)
        return hit_file(path, [self._hit(key, said) for key, (_, said) in ASKED.items()])

    def _hit(self, key: str, said: str) -> Row:
        changed = key.count("|")
        return {
            "input_id": key,
            "original_id": key.partition("|")[0],
            "attributes": {0: None, 1: "sex", 2: "race+sex"}[changed],
            "kinds": ["lattice"] if changed else [],
            "facts": {"person": HOSTILE},
            "status": "ok",
            "outcome": [said],
            "biased": said == "no" if changed else None,
            "complete": True if changed == 2 else None,
            "hidden": said == "no" if changed else None,
            "finding": said,
            "hit": said in ("no", "nurse") if changed or key == "base" else None,
        }

    def _corpus(self, name: str, texts: dict[str, str]) -> Path:
        rows = [
            {"original_id": key, "split": "tested", "tested": True, "text": text, "labels": []}
            for key, text in texts.items()
        ]
        return write_rows(self.results / "corpora" / f"{name}.parquet", rows, CORPUS_SCHEMA)

    def _suite(self) -> Path:
        rows = [
            {"mutant_id": key, "original_id": "o", "pair_ids": key.split("|")[1:], "text": text}
            for key, (text, _) in ASKED.items()
            if "|" in key
        ]
        return write_rows(self.results / "suites/p.parquet", rows, WRITTEN_SUITE_SCHEMA)

    def _predictions(self, name: str, said: dict[str, str]) -> Path:
        rows = [
            {"input_id": key, "outcome": [outcome], "status": "ok", "input_hash": key}
            for key, outcome in said.items()
        ]
        path = self.results / "predictions" / MODEL / f"{name}.parquet"
        return write_rows(path, rows, PREDICTIONS_SCHEMA)

    def _ratings(self, name: str) -> Path:
        told = {"s": ("Well, thanks.", False)}
        told |= {key: (answer, fault) for key, (_, answer, fault) in FOLLOW_UPS.items()}
        rows = [
            {
                "input_id": key,
                "outcome": None if fault is None else ["sad" if fault else "happy"],
                "status": "refused" if fault is None else "ok",
                "answer": answer,
                "scores": [] if fault is None else [("happy", -2.0 if fault else 2.0)],
                "input_hash": key,
            }
            for key, (answer, fault) in told.items()
        ]
        path = self.results / "predictions" / MODEL / f"{name}.parquet"
        return write_rows(path, rows, PREDICTIONS_SCHEMA)

    def _follow_ups(self) -> Path:
        rows = [
            {
                "mutant_id": key,
                "relation": key.split("|")[1],
                "family": "paraphrasing" if "MR13" in key else "addition",
                "source_id": "s",
                "source_attributes": "job",
                "template": "day",
                "text": text,
            }
            for key, (text, _, _) in FOLLOW_UPS.items()
        ]
        path = self.results / "relations" / "follow_ups.parquet"
        return write_rows(path, rows, FOLLOW_UPS_SCHEMA)

    def _verdicts(self) -> Path:
        rows = [
            {
                "mutant_id": key,
                "original_id": "s",
                "order": len(key.split("|")[3:]),
                "pair_ids": key.split("|")[3:],
                "status": "ok",
                "visible_order": len(key.split("|")[3:]),
                "biased": fault,
                "shift": None if fault is None else (-4.0 if fault else 0.0),
            }
            for key, (_, _, fault) in FOLLOW_UPS.items()
        ]
        path = self.results / "verdicts" / MODEL / "relations_tone.parquet"
        return write_rows(path, rows, VERDICTS_SCHEMA)
