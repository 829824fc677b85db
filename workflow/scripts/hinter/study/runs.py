"""The runs of a study: which models are run on which datasets, probes and prompts."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ..operators import TERMS
from .sheets import RELATIONS, Sheets


class Runs(Sheets):
    """The sheets of a study, with its runs: pairs of a model and what it is run on."""

    def _pairs(self, names: Mapping[str, bool], kinds: Collection[str]) -> list[tuple[str, str]]:
        """Return the pairs of a model and one of the names that it is run on.

        The models are those of these kinds, or all. `names` says for each whether it is only for
        models that answer in words.
        """
        return [
            (model, name)
            for model, sheet in self.models.items()
            for name, in_words in names.items()
            if (not kinds or sheet.kind in kinds)
            # Copies with other seeds or prompts are compared on datasets only.
            and (name in self.datasets or not self.copy_number(model))
            and (sheet.datasets is None or name in sheet.datasets)
            and (sheet.in_words or not in_words)
        ]

    def runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs of the study, for models of these kinds or all."""
        return self._pairs(dict.fromkeys(self.datasets, False), kinds)

    def asked_runs(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs of models that are asked in this workflow."""
        return [run for run in self.runs() if self.models[run[0]].opened_by]

    def examined_runs(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs whose cases are examined, if any are."""
        return self.asked_runs() if self.config.case_answers else []

    def prompted_runs(self) -> list[tuple[str, str]]:
        """Return all pairs of models with a prompt."""
        return [run for run in self.all_runs() if "prompt" in self.models[run[0]].needs()]

    def probe_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, probe) pairs, for models of these kinds or all, that fit the probe."""
        return self._pairs({name: it.answers == "words" for name, it in self.probes.items()}, kinds)

    def relation_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the (model, "relations") pairs, for models of these kinds or all.

        These are the models that answer in words. There are none if the study has no raters.
        """
        return self._pairs({RELATIONS: True} if self.metrics else {}, kinds)

    def rated_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the pairs of these models and each metric by which their answers are rated."""
        return [(model, name) for model, _ in self.relation_runs(*kinds) for name in self.metrics]

    def all_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return all pairs of models with datasets, probes and rewritten prompts."""
        return [*self.runs(*kinds), *self.probe_runs(*kinds), *self.relation_runs(*kinds)]

    def rater_runs(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs of the raters."""
        return list({(rater.model, rater.dataset): None for rater in self.metrics.values()})

    def judged_runs(self) -> list[tuple[str, str]]:
        """Return the (model, probe) pairs with answers in words for the judge, if there is one."""
        judged = [run for run in self.probe_runs() if self.models[run[0]].in_words]
        return judged if self.config.judge else []

    def judge_runs(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the pairs of the judge and each probe that it judges, if it is of these kinds."""
        judge = self.config.judge
        if judge is None or (kinds and self.all_models[judge.model].kind not in kinds):
            return []
        return [(judge.model, probe) for probe in dict.fromkeys(p for _, p in self.judged_runs())]

    def trained(self, runs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return those of the (model, dataset) pairs for which the study fine-tunes an encoder."""
        return [(model, dataset) for model, dataset in runs if self.is_trained(model)]

    def ablation_runs(self) -> list[tuple[str, str]]:
        """Return the (model, dataset) pairs that are run on every variant of the ablation."""
        chosen = self.config.ablation.models
        return (
            self.runs("encoder")
            if chosen is None
            else [run for run in self.runs() if run[0] in chosen]
        )

    def gated_datasets(self) -> list[str]:
        """Return the datasets on which the gate compares its candidate with its baseline."""
        gate, runs = self.gate, self.runs()
        here = [gate.candidate] if gate.baseline_folder else [gate.candidate, gate.baseline]
        return [name for name in self.datasets if all((model, name) in runs for model in here)]

    def is_trained(self, model: str) -> bool:
        """Return whether the study fine-tunes the model."""
        return self.all_models[model].get("fine_tuning") is not None

    def augmentation(self, model: str) -> Any:
        """Return the augmentation of the model's training texts, or None if there is none."""
        tuning = self.all_models[model].get("fine_tuning")
        return tuning.augment if tuning else None

    def meets(self, conditions: Iterable[str]) -> bool:
        """Return whether the study meets the conditions of a table (`only_if`)."""
        top_order = max(self.config.orders + self.config.sample.orders)
        met = {
            "answers of people": bool(self.config.assessment.answers),
            "assessed mutants": self.config.assessment.assessed
            or bool(self.config.assessment.answers or self.config.compared),
            "cases": bool(self.examined_runs()),
            "compared studies": bool(self.config.compared),
            "controls": self.config.controls,
            "curation files": self.pairs_are_of(TERMS),
            "discarded": self.config.suite.discarded,
            "fine-tuning": bool(self.trained(self.runs())),
            "fine-tuned raters": bool(self.trained(self.rater_runs())),
            "grammar": self.config.grammar.enabled,
            "judge": bool(self.judged_runs()),
            "mitigation": self.config.mitigation is not None,
            "known texts": not self.texts_are_own,
            "order 2": top_order >= 2,
            "order 3": top_order >= 3,
            "rated answers": bool(self.metrics),
            "repeats": self.config.repeats > 1 and bool(self.runs("endpoint")),
            "repeats of all prompts": self.config.repeats > 1 or not self.relation_runs("endpoint"),
            "rules of occurrences": any(
                map(self.mutates_selectively, self.config.mutation.operators)
            ),
            "several models": len(self.models) > 1,
            "several seeds or prompts": len(self.models) > len(self.copies),
        }
        return all(met[name] for name in conditions)
