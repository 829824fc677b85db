"""How much less likely a language model finds a mutant than its original, read in several ways."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from likelihoods import Change, Passage, Token
from sklearn.linear_model import LinearRegression

Likelihoods = Mapping[str, Sequence[Token]]
"""The tokens of each text."""
LOSSES = ("plain", "attribute", "term", "surroundings")
"""Ways to read the loss of log-probability from original to mutant in a changed sentence.

`plain` is that of all tokens. `attribute` is what is left of it after subtracting what is expected
of the attributes that change. `term` subtracts what the terms lose by themselves, each read alone
as the beginning of a document: a rare term is not punished for being rare, and a pair and its
reverse lose opposite amounts. `surroundings` leaves out the tokens of the terms.
"""


class _Reading(NamedTuple):
    """Sums of log-probability and numbers of tokens of a passage."""

    whole: float
    tokens: int
    unchanged: float
    unchanged_tokens: int
    alone: float


def terms_alone(passage: Passage) -> list[str]:
    """Return the terms in the changed spans, each with the space before it."""
    return [passage.text[max(0, start - 1) : end] for start, end in passage.changed]


def sentence_losses(changes: Mapping[str, Sequence[Change]], read: Likelihoods) -> pd.DataFrame:
    """Return a row per mutant_id and changed sentence: its losses, per token and in total.

    `rarer` tells whether the new terms alone are less likely than the old ones.
    """
    return pd.DataFrame(
        [
            {"mutant_id": mutant_id, "attributes": change.attributes, **_losses(change, read)}
            for mutant_id, sentences in changes.items()
            for change in sentences
        ]
    )


def subtract_expected(sentences: pd.DataFrame, *, known: pd.Series) -> pd.DataFrame:
    """Return the sentences with the loss `attribute`; expectations come from the `known` rows.

    A sentence is expected to lose the sum of what each attribute that it changes loses.
    """
    names = sorted(frozenset().union(*sentences["attributes"]))
    held = np.array([[name in row for name in names] for row in sentences["attributes"]], float)
    found = sentences.copy()
    for unit in ("per_token", "in_total"):
        plain = sentences[f"plain_{unit}"]
        model = LinearRegression(fit_intercept=False).fit(held[known], plain[known])
        found[f"attribute_{unit}"] = plain - model.predict(held)
    return found


def _losses(change: Change, read: Likelihoods) -> dict[str, float | bool]:
    old, new = (_reading(passage, read) for passage in (change.original, change.mutant))
    return {
        "plain_per_token": old.whole / old.tokens - new.whole / new.tokens,
        "plain_in_total": old.whole - new.whole,
        "term_per_token": (old.whole - old.alone) / old.tokens
        - (new.whole - new.alone) / new.tokens,
        "term_in_total": (old.whole - old.alone) - (new.whole - new.alone),
        "surroundings_per_token": old.unchanged / max(1, old.unchanged_tokens)
        - new.unchanged / max(1, new.unchanged_tokens),
        "surroundings_in_total": old.unchanged - new.unchanged,
        "rarer": old.alone > new.alone,
    }


def _reading(passage: Passage, read: Likelihoods) -> _Reading:
    tokens = read[passage.text]
    unchanged = [
        token
        for token in tokens
        if not any(token.start < end and start < token.end for start, end in passage.changed)
    ]
    terms = [token for term in terms_alone(passage) for token in read[term]]
    return _Reading(
        whole=_sum(tokens),
        tokens=len(tokens),
        unchanged=_sum(unchanged),
        unchanged_tokens=len(unchanged),
        alone=_sum(terms),
    )


def _sum(tokens: Sequence[Token]) -> float:
    return sum(token.log_probability for token in tokens)
