"""What the tests of models share: real texts."""

import pytest
from hinter.corpora import Text


@pytest.fixture(scope="module")
def texts(reviews: list[Text]) -> list[str]:
    return [review.text for review in reviews]
