"""Configurations, datasets sheets and models sheets that name what is not there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from .case import (
    ENDPOINT,
    SETTINGS,
    Case,
    Line,
    study,
    with_compared,
    with_dataset,
    with_gate,
    with_model,
    write,
)
from .prompts import PROMPT
from .sheets import CONFIG_FIX

STUDIES: dict[str, tuple[Callable[[], dict[str, Any]], Line]] = {
    "an unknown dataset": (
        lambda: {"datasets": ["imbd"]},
        Line(
            "configuration, key 'datasets'", "'imbd'", "one of imdb", "it in config/datasets.yaml"
        ),
    ),
    "texts to be passed on without a licence": (
        lambda: with_dataset(redistribute=True),
        Line(
            "mine.yaml, key 'mine.redistribute'",
            "true without a licence",
            "the licence that allows redistribution, under 'licence'",
            "described in config/schemas/datasets.schema.yaml",
        ),
    ),
    "a licence for a resource, which has its own": (
        lambda: with_dataset(resource="imdb_reviews", licence="MIT"),
        Line(
            "mine.yaml, key 'mine'",
            "'licence' or 'redistribute'",
            "neither for a resource: they are in data/registry.yaml",
            "described in config/schemas/datasets.schema.yaml",
        ),
    ),
    "an unknown model": (
        lambda: {"models": ["gpt"]},
        Line("configuration, key 'models'", "'gpt'", "minilm, smollm2", "config/models.yaml"),
    ),
    "an unknown attribute": (
        lambda: {"attributes": ["race", "height"]},
        Line(
            "configuration, key 'attributes', 'height'",
            "nothing at config/descriptors/height.yaml",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "an unknown operator": (
        lambda: {"mutation": {"operators": ["literal", "antonyms"]}},
        Line(
            "configuration, key 'mutation.operators.1'",
            "'antonyms'",
            "one of literal, coherent, describe",
            CONFIG_FIX,
        ),
    ),
    "no operator": (
        lambda: {"mutation": {"operators": []}},
        Line("key 'mutation.operators'", "[]", "a list of at least 1", CONFIG_FIX),
    ),
    "the key that operators had": (
        lambda: {"mutation": {"substitution": "coherent"}},
        Line(
            "configuration, key 'mutation'",
            "the unknown key 'substitution'",
            "only the keys descriptors, mentions, occurrences, operators",
            "`substitution` is called `operators` now. The keys",
        ),
    ),
    "word pairs for persons who are described": (
        lambda: (
            write(Path("mine.csv"), "attribute,source,target\n"),
            {"pairs": "mine.csv", "mutation": {"operators": ["literal", "describe"]}},
        )[1],
        Line(
            "configuration, keys 'pairs' and 'mutation.operators'",
            "word pairs with the operator 'describe', which uses none",
            "operators that replace words",
            "--config 'mutation={operators: [literal]}'",
        ),
    ),
    "an unknown parser": (
        lambda: {"invariant": {"parser": {"resource": "en_core_web_xl"}}},
        Line(
            "configuration, key 'invariant.parser', key 'resource'",
            "'en_core_web_xl'",
            "en_core_web_sm",
            "describe it in data/registry.yaml",
        ),
    ),
    "answers that are not there": (
        lambda: {"assessment": {"answers": ["nowhere/ada.csv"]}},
        Line(
            "configuration, key 'assessment.answers'",
            "nothing at nowhere/ada.csv",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a parser in a folder that is not there": (
        lambda: {"invariant": {"parser": {"folder": "nowhere/trf"}}},
        Line(
            "configuration, key 'invariant.parser', key 'folder'",
            "nothing at nowhere/trf",
            "a file or folder",
            "relative to the folder you run in",
        ),
    ),
    "an unknown comparator": (
        lambda: {"invariant": {"comparator": "lenient"}},
        Line(
            "configuration, key 'invariant.comparator'",
            "'lenient'",
            "one of tolerant, strict, heads: tolerant (the paper's)",
            "config.schema.yaml",
        ),
    ),
    "neutral pairs among the sensitive ones": (
        lambda: {"attributes": ["gender", "control"]},
        Line(
            "configuration, key 'attributes'",
            "'control'",
            "sensitive attributes",
            "Remove it: `controls: true` uses config/dictionary/control.yaml",
        ),
    ),
    "a primary comparison that is not made": (
        lambda: {"orders": [1, 2], "primary": {"measure": "bias", "order": 3}},
        Line("configuration, key 'primary'", "the order 3", "one of the orders [1, 2]", "Name"),
    ),
    "a primary comparison with no controls": (
        lambda: {"controls": False, "primary": {"measure": "bias"}},
        Line("configuration, key 'primary'", "no controls", "controls", "`controls: true`"),
    ),
    "hidden bias of one attribute": (
        lambda: {"primary": {"order": 1}},
        Line(
            "configuration, key 'primary.measure'",
            "hidden bias of order 1",
            "bias, or order 2",
            "config.schema.yaml",
        ),
    ),
    "an order without those below it": (
        lambda: {"orders": [1], "sample": {"orders": [3]}},
        Line(
            "configuration, keys 'orders' and 'sample.orders'",
            "the order 3 without the order 2",
            "every order from 1 to 3",
            "all sub-mutants of a mutant decide",
        ),
    ),
    "more orders than attributes": (
        lambda: {"attributes": ["race"], "orders": [1, 2]},
        Line(
            "configuration, keys 'orders' and 'sample.orders'",
            "the order 2 with the attributes race",
            "at most 1",
            "Add attributes",
        ),
    ),
    "a parser from two places": (
        lambda: {"invariant": {"parser": {"resource": "en_core_web_sm", "folder": "config"}}},
        Line(
            "configuration, key 'invariant.parser'",
            "both the resource 'en_core_web_sm' and the folder 'config'",
            "one of them",
            "Remove the wrong one",
        ),
    ),
    "a sampled order that is listed": (
        lambda: {"orders": [1, 2, 3], "sample": {"orders": [3, 4]}},
        Line(
            "configuration, key 'sample.orders'",
            "the order 3 with the listed orders [1, 2, 3]",
            "orders above 3",
            "Remove it from 'sample.orders'",
        ),
    ),
    "a dataset without its file": (
        lambda: with_dataset(file="nowhere/texts.csv"),
        Line(
            "mine.yaml, 'mine', key 'file'",
            "nothing at nowhere/texts.csv",
            "a file or folder",
            "relative to the folder you run in",
        ),
    ),
    "a dataset of an unknown resource": (
        lambda: with_dataset(resource="imdb_review"),
        Line(
            "mine.yaml, 'mine', key 'resource'",
            "'imdb_review'",
            "one of imdb_reviews",
            "Correct the name",
        ),
    ),
    "a dataset without its prompt file": (
        lambda: with_dataset(prompt="nowhere.yaml"),
        Line(
            "mine.yaml, 'mine', key 'prompt'",
            "nothing at nowhere.yaml",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a prompted model on a dataset without a prompt": (
        lambda: with_dataset(models=["minilm", "smollm2"]),
        Line(
            "mine.yaml, 'mine'",
            "no 'prompt'",
            "which the model 'smollm2' needs",
            "Add it like that of the dataset 'imdb'",
        ),
    ),
    "a prompted model on a dataset without a calibration split": (
        lambda: with_dataset(
            models=["smollm2"], prompt="config/prompts/imdb.yaml", splits={"tested": 1}
        ),
        Line(
            "mine.yaml, 'mine'", "no 'calibration'", "the model 'smollm2' needs", "Add it like that"
        ),
    ),
    "a model to fine-tune on a dataset without a training split": (
        lambda: with_dataset(splits={"tested": 1, "calibration": 1}),
        Line("mine.yaml, 'mine'", "no 'training'", "the model 'minilm' needs", "Add it like that"),
    ),
    "a model to fine-tune on a dataset without labels": (
        lambda: with_dataset(label=None, label_names={}),
        Line("mine.yaml, 'mine'", "no 'label'", "the model 'minilm' needs", "Add it like that"),
    ),
    "a dataset with an unknown split": (
        lambda: with_dataset(splits={"tested": 1, "test": 1}),
        Line("mine.yaml, key 'mine.splits'", "'test'", "one of tested, held_out", "described in"),
    ),
    "a model without a place": (
        lambda: with_model(),
        Line(
            "models.yaml, 'mine'", "neither 'resource' nor 'folder'", "one of them", "a folder of"
        ),
    ),
    "a model without its folder": (
        lambda: with_model(folder="nowhere"),
        Line(
            "models.yaml, 'mine', key 'folder'",
            "nothing at nowhere",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a function in a module that is not there": (
        lambda: with_model(kind="python", function="rules.ours:label", folder="models"),
        Line(
            "models.yaml, 'mine', key 'function'",
            "nothing at models/rules/ours.py",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a function without a name": (
        lambda: with_model(kind="python", function="rules.py"),
        Line("models.yaml, key 'mine.function'", "'rules.py'", "", "models.schema.yaml"),
    ),
    "answers to another dataset": (
        lambda: with_model(kind="answers", files={"scotus": "answers.csv"}),
        Line(
            "models.yaml, 'mine', key 'files'",
            "no file for 'imdb'",
            "one for each dataset",
            "name only the other datasets in `datasets`",
        ),
    ),
    "a model of an unknown kind": (
        lambda: with_model(kind="seq2seq"),
        Line("models.yaml, key 'mine.kind'", "'seq2seq'", "encoder (", "models.schema.yaml"),
    ),
    "a model on an unknown dataset": (
        lambda: with_model(**ENDPOINT, datasets=["imdb", "imbd"]),
        Line("models.yaml, 'mine', key 'datasets'", "'imbd'", "imdb", "it in config/datasets.yaml"),
    ),
    "a model on none of the study's datasets": (
        lambda: with_model(**ENDPOINT, datasets=["scotus"]),
        Line(
            "models.yaml, 'mine', key 'datasets'",
            "no dataset of this study",
            "at least one of them",
            "Remove the model",
        ),
    ),
    "an unknown model to try": (
        lambda: {"model": "bert"},
        Line("configuration, key 'model'", "'bert'", "one of minilm, smollm2", "`models`"),
    ),
    "a gate for an unknown candidate": (
        lambda: with_gate(candidate="new"),
        Line(
            "configuration, key 'gate.candidate'",
            "'new'",
            "one of minilm, smollm2",
            "in `models` of the study and in config/models.yaml",
        ),
    ),
    "a gate with a baseline that is not run": (
        lambda: with_gate(baseline="bert"),
        Line("key 'gate.baseline'", "'bert'", "one of minilm, smollm2", "in `models` of the study"),
    ),
    "a gate for a model beside itself": (
        lambda: with_gate(candidate="minilm"),
        Line(
            "configuration, key 'gate.baseline'",
            "the candidate itself, 'minilm'",
            "another model, or the results of another study",
            "name the folder of that study",
        ),
    ),
    "a gate with a baseline in this study's folder": (
        lambda: with_gate(baseline_folder="."),
        Line("key 'gate.baseline_folder'", "this study", "another study", "remove it to run"),
    ),
    "a gate with a baseline in a folder without results": (
        lambda: with_gate(baseline_folder="studies/last"),
        Line(
            "key 'gate.baseline_folder'",
            "nothing at studies/last/results/verdicts/minilm/imdb.parquet",
            "with verdicts on the baseline",
            "Correct it",
        ),
    ),
    "a gate with a stored baseline of another name": (
        lambda: with_gate(stored=True, baseline="old", baseline_folder="studies/last"),
        Line("key 'gate.baseline_folder'", "verdicts/old/imdb.parquet", "verdicts on", "Correct"),
    ),
    "a gate for models that are run on different things": (
        lambda: (
            with_gate(candidate="smollm2-chat")
            | {"models": ["minilm", "smollm2-chat"], "probes": ["professional"]}
        ),
        Line("key 'gate'", "no dataset that both are run on", "a dataset", "both models' entries"),
    ),
    "a gate with a threshold of nothing": (
        lambda: with_gate(threshold=0),
        Line("key 'gate.threshold'", "0", "a number above 0", CONFIG_FIX),
    ),
    "a gate with a confidence in per cent": (
        lambda: with_gate(confidence=95),
        Line("key 'gate.confidence'", "95", "at least 0.5 and at most 0.999", CONFIG_FIX),
    ),
    "a limit of an unknown model": (
        lambda: {"limits": [{"models": ["smollm"], "tests": 9}]},
        Line("key 'limits', number 1", "'smollm'", "one of minilm", "it in config/models.yaml"),
    ),
    "a limit on an unknown dataset": (
        lambda: {"limits": [{"models": ["minilm"], "datasets": ["imbd"], "tests": 9}]},
        Line("key 'limits', number 1", "'imbd'", "one of imdb", "it in config/datasets.yaml"),
    ),
    "a limit of nothing": (
        lambda: {"limits": [{"models": ["minilm"]}]},
        Line("key 'limits', number 1", "a limit of nothing", "one or more of", "Add one"),
    ),
    "a limit of no tests": (
        lambda: {"limits": [{"models": ["minilm"], "tests": 0}]},
        Line("key 'limits.0.tests'", "0", "at least 1", CONFIG_FIX),
    ),
    "a budget without the price of a model": (
        lambda: {**with_model(**ENDPOINT | {"model": "gpt-9"}), "budget_usd": 5},
        Line(
            "configuration, key 'budget_usd'",
            "a budget, and no price for 'gpt-9' (the model 'mine')",
            "its price in config/prices.yaml",
            "0 if it costs nothing",
        ),
    ),
    "a tokenizer that is neither a resource nor a folder": (
        lambda: with_model(**ENDPOINT | {"tokenizer": "cl100k"}),
        Line(
            "models.yaml, 'mine', key 'tokenizer'",
            "nothing at cl100k",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a compared study that is not there": (
        lambda: {"compared": {"the paper's": "studies/literal"}},
        Line(
            "configuration, key 'compared', 'the paper's'",
            "nothing at studies/literal/results/config.json",
            "a finished study",
            "snakemake --cores 2 --config folder=studies/literal compared=null",
        ),
    ),
    "a compared study without its results": (
        lambda: with_compared(),
        Line(
            "configuration, key 'compared', 'the paper's'",
            "nothing at studies/literal/results/assessed.parquet",
            "a finished study",
            "--config folder=studies/literal",
        ),
    ),
    "a compared study of other models": (
        lambda: with_compared(models=["minilm"]),
        Line(
            "configuration, key 'compared', 'the paper's'",
            "the models minilm",
            "those of this study: minilm, smollm2",
            "--config folder=studies/literal",
        ),
    ),
    "a compared study of several operators": (
        lambda: with_compared(mutation={"operators": ["literal", "describe"]}),
        Line(
            "configuration, key 'compared', 'the paper's'",
            "a study of the operators literal, describe",
            "studies of one operator",
            "--config folder=studies/literal",
        ),
    ),
    "a study of several operators beside another one": (
        lambda: with_compared() | {"mutation": {"operators": ["coherent", "literal"]}},
        Line(
            "configuration, key 'compared', 'the paper's'",
            "a study of the operators coherent, literal",
            "studies of one operator",
            "compare no studies",
        ),
    ),
    "a compared study that says nothing of itself": (
        lambda: (with_compared(), write(SETTINGS, "{"))[0],
        Line(str(SETTINGS), "Expecting property name", "of a finished study", "Run that study"),
    ),
    "a compared study that is this one": (
        lambda: {"compared": {"the paper's": "./"}},
        Line("key 'compared', 'the paper's'", "this study", "another study", "Remove it"),
    ),
    "a compared study that is called like this one": (
        lambda: {"compared": {"this study": "studies/literal"}},
        Line("key 'compared', 'this study'", "this study", "another study", "Remove it"),
    ),
    **{
        f"a folder that queries would read otherwise: {name}": (
            lambda name=name: {"folder": name},  # type: ignore[misc]
            Line(
                "key 'folder'", "which is not a valid path of a study's folder", "text", CONFIG_FIX
            ),
        )
        for name in ("it's", "study*", "what?", "[1]", "{study}", "a\nb")
    },
    "a compared folder with a quote": (
        lambda: {"compared": {"theirs": "it's"}},
        Line(
            "key 'compared.theirs'",
            '"it\'s", which is not a valid path of a study',
            "text",
            CONFIG_FIX,
        ),
    ),
    "an unknown key of an endpoint": (
        lambda: with_model(**ENDPOINT, api_key="x"),
        Line(
            "models.yaml, key 'mine'", "the unknown key 'api_key'", "key_variable", "models.schema"
        ),
    ),
    "an endpoint without its address": (
        lambda: with_model(**{key: ENDPOINT[key] for key in ENDPOINT if key != "base_url"}),
        Line("models.yaml, key 'mine'", "no key 'base_url'", "base_url", "models.schema"),
    ),
    "an address without its protocol": (
        lambda: with_model(**ENDPOINT | {"base_url": "localhost:8000/v1"}),
        Line(
            "key 'mine.base_url'",
            "'localhost:8000/v1', which is not a valid web address",
            "http://",
            "models.schema",
        ),
    ),
    "an address with a password": (
        lambda: with_model(**ENDPOINT | {"base_url": "https://me:hunter2@host/v1"}),
        Line(
            "key 'mine.base_url'",
            "'https://(hidden)@host/v1', which is not a valid web address",
            "without a user or a password",
            "models.schema",
        ),
    ),
    **{
        f"an address with the password {password}": (
            lambda password=password: with_model(  # type: ignore[misc]
                **ENDPOINT | {"base_url": f"https://me:{password}@host/v1"}
            ),
            Line(
                "key 'mine.base_url'",
                "'https://(hidden)@host/v1', which is not a valid web address",
                "without a user or a password",
                "models.schema",
            ),
        )
        for password in ("p/w", "12/pw", "a?b", "a#b", "a@b", "@")
    },
    "an address of LanguageTool with a password": (
        lambda: {"grammar": {"server": "http://me:se/cret@host:8081"}},
        Line(
            "key 'grammar.server'",
            "'http://(hidden)@host:8081', which is not a valid web address",
            "without a user or a password",
            "config.schema",
        ),
    ),
    "a key in the place of its variable": (
        lambda: with_model(**ENDPOINT, key_variable="sk-secret"),
        Line(
            "models.yaml, key 'mine.key_variable'",
            "a value",
            "the environment variable that holds the key",
            "models.schema.yaml",
        ),
    ),
    "a model that has the name of a copy": (
        lambda: {**with_model(**ENDPOINT, prompts=2), **_also("mine.prompt3")},
        Line(
            "models.yaml, 'mine.prompt3'",
            "a name like those of copies of 'mine'",
            "another name",
            "Rename this model",
        ),
    ),
    "several prompts for probes alone": (
        lambda: {
            **with_model(**ENDPOINT, prompts=2),
            **{"datasets": [], "probes": ["gender_income"]},
        },
        Line(
            "models.yaml, 'mine.prompt2', key 'datasets'",
            "no dataset of this study for several seeds or prompts",
            "at least one of them",
            "add a dataset",
        ),
    ),
    "prompts that disagree about an example": (
        lambda: {
            **with_dataset(
                models=["smollm2"],
                prompt=_prompt("one", "good"),
                more_prompts=[_prompt("two", "bad")],
            )
        },
        Line(
            "two.yaml, key 'examples.train:1'",
            "the labels ['bad']",
            "['good'], as in another prompt of 'mine'",
            "Correct one of the two",
        ),
    ),
    "a key of another kind of model": (
        lambda: with_model(gguf="a.gguf"),
        Line("models.yaml, key 'mine'", "the unknown key 'gguf'", "fine_tuning", "models.schema"),
    ),
}


def _also(name: str) -> dict[str, Any]:
    """Write a further model of this name into the sheet, and return nothing to configure."""
    sheet = yaml.safe_load(Path("models.yaml").read_text())
    write(Path("models.yaml"), yaml.safe_dump({**sheet, name: sheet["mine"] | {"prompts": 1}}))
    return {}


def _prompt(name: str, label: str) -> str:
    """Write a prompt with an example of the label, and return its path."""
    path = Path(f"{name}.yaml")
    write(path, yaml.safe_dump(PROMPT | {"examples": {"train:1": [label]}}))
    return str(path)


def _case(config: Callable[[], dict[str, Any]], line: Line) -> Case:
    def read(folder: Path) -> object:
        return study(config())

    return Case(read, line)


CASES = {name: _case(config, line) for name, (config, line) in STUDIES.items()}
