"""When records say that they were made: a time of the study's, so that the same study tells it."""

from datetime import datetime

from ..errors import InputError


def record_time(ended: datetime, *, epoch: str | None) -> str:
    """Return the time of the records, in whole seconds since 1970, UTC.

    It is `epoch`, the value of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs), where
    that is set, and otherwise when the study `ended`. Raises `InputError` for another value than a
    whole number.
    """
    if epoch is None:
        return str(int(ended.timestamp()))
    if not (epoch.isascii() and epoch.isdigit()):
        raise InputError(
            where="environment variable SOURCE_DATE_EPOCH",
            found=repr(epoch),
            expected="whole seconds since 1970",
            fix="Correct it, or unset it: the records then have the time of the study.",
        )
    return epoch
