"""The time of records."""

from datetime import UTC, datetime

import pytest
from hinter.errors import InputError
from hinter.exports import record_time

ENDED = datetime(2026, 1, 1, 12, 30, 15, 999999, tzinfo=UTC)


def test_it_is_when_the_study_ended() -> None:
    assert record_time(ENDED, epoch=None) == "1767270615"


def test_it_is_the_one_that_is_asked_for() -> None:
    assert record_time(ENDED, epoch="0") == "0"


@pytest.mark.parametrize("epoch", ["", "-1", "1.5", "now", "١"])
def test_another_value_is_refused(epoch: str) -> None:
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        record_time(ENDED, epoch=epoch)
