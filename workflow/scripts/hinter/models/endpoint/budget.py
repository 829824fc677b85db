"""A hard limit on the cost of paid endpoints, in US dollars.

Before every call, its highest possible price is reserved, and after it the real price is settled,
in one SQLite file that any number of jobs share. Sums are whole nano-dollars. If a call may have
been billed at an unknown price, its reservation remains (`calling` says which calls these are).
"""

import sqlite3
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import NamedTuple

from ...errors import InputError
from .completions import Tokens
from .ledger_file import LedgerFile

NANO_DOLLARS = 10**9
PER_MILLION = 10**6


class BudgetReached(InputError):
    """The next call could cost more than the rest of the budget."""


class Prices(NamedTuple):
    """The prices of an endpoint, in US dollars per million tokens."""

    input_per_million: float
    output_per_million: float

    def cost(self, *, input_tokens: int, output_tokens: int) -> int:
        """Return the price of these numbers of tokens in nano-dollars, rounded up."""
        tokens = (input_tokens, output_tokens)
        dollars = sum(Decimal(str(price)) * n for price, n in zip(self, tokens, strict=True))
        nano_dollars = dollars * NANO_DOLLARS / PER_MILLION
        return int(Decimal(nano_dollars).to_integral_value(ROUND_CEILING))


class Ledger:
    """The account of spent and reserved dollars in the file `path`, limited by `cap_usd` if given.

    Every entry is on the disk before its call is made. Answers are counted by model (its
    fingerprint), for comparison with the stored responses.
    """

    def __init__(self, path: Path, cap_usd: float | None) -> None:
        self.path, self._file = path, LedgerFile(path)
        self._cap = None if cap_usd is None else int(Decimal(str(cap_usd)) * NANO_DOLLARS)

    def reserve(self, nano_dollars: int) -> int:
        """Reserve the highest possible price of a call and return the number of the reservation.

        Raises `BudgetReached`, and reserves nothing, if that would exceed the limit.
        """
        with self._file.transaction() as connection:
            spent, reserved = _sums(connection)
            if self._cap is not None and spent + reserved + nano_dollars > self._cap:
                raise BudgetReached(
                    where=f"budget ({self.path})",
                    found=f"{_dollars(spent)} spent, and {_dollars(reserved)} reserved by calls "
                    f"that are pending or were cut off, of {_dollars(self._cap)}",
                    expected=f"enough left for the next call, at most {_dollars(nano_dollars)}",
                    fix="All answers are kept. Raise the budget and run again: it continues from "
                    "there.",
                )
            (number,) = connection.execute(
                "insert into reserved (nano_dollars, digest) values (?, '') returning id",
                (nano_dollars,),
            ).fetchone()
            connection.execute(
                "update reserved set digest = digest(id, nano_dollars) where id = ?", (number,)
            )
        return int(number)

    def settle(
        self, reservation: int, nano_dollars: int | None, *, fingerprint: str, answers: int
    ) -> None:
        """Replace a call's reservation by its real price, if it is known, and count its answer."""
        with self._file.transaction() as connection:
            if nano_dollars is not None:
                deleted = connection.execute("delete from reserved where id = ?", (reservation,))
                if deleted.rowcount != 1:
                    raise sqlite3.DatabaseError(f"no reservation {reservation}")
            _add(connection, fingerprint, nano_dollars=nano_dollars or 0, answers=answers)

    def answers(self, fingerprint: str) -> int:
        """Return how many answers a model gave."""
        with self._file.connection() as connection:
            return _answers(connection, fingerprint)

    def correct_answers(self, fingerprint: str, *, counted: int, right: int) -> bool:
        """Correct the number of a model's answers, unless another job has changed it."""
        with self._file.transaction() as connection:
            unchanged = _answers(connection, fingerprint) == counted
            if unchanged:
                _add(connection, fingerprint, nano_dollars=0, answers=right - counted)
        return unchanged

    def sums(self) -> tuple[int, int]:
        """Return the spent and the reserved sum, in nano-dollars."""
        with self._file.connection() as connection:
            return _sums(connection)


class Spending:
    """The account of one endpoint in a ledger, at its prices."""

    def __init__(self, ledger: Ledger, prices: Prices) -> None:
        self.ledger = ledger
        self._prices = prices

    def reserve(self, *, input_tokens: int, output_tokens: int) -> int:
        """Reserve the price of a call of at most these tokens; raises `BudgetReached`."""
        cost = self._prices.cost(input_tokens=input_tokens, output_tokens=output_tokens)
        return self.ledger.reserve(cost)

    def settle(
        self, reservation: int, tokens: Tokens | None, *, fingerprint: str, answers: int
    ) -> None:
        """Settle a call that took these tokens, and count its answer.

        If the tokens are unknown, the reservation remains.
        """
        known = tokens and self._prices.cost(input_tokens=tokens.asked, output_tokens=tokens.said)
        if known is not None or answers:
            self.ledger.settle(reservation, known, fingerprint=fingerprint, answers=answers)


def _add(
    connection: sqlite3.Connection, fingerprint: str, *, nano_dollars: int, answers: int
) -> None:
    connection.execute(
        """
        insert into spent values (?, ?, ?, '') on conflict (fingerprint) do update
        set nano_dollars = nano_dollars + excluded.nano_dollars,
            answers = answers + excluded.answers
        """,
        (fingerprint, nano_dollars, answers),
    )
    connection.execute(
        "update spent set digest = digest(fingerprint, nano_dollars, answers) "
        "where fingerprint = ?",
        (fingerprint,),
    )


def _answers(connection: sqlite3.Connection, fingerprint: str) -> int:
    query = "select coalesce(sum(answers), 0) from spent where fingerprint = ?"
    ((answers,),) = connection.execute(query, (fingerprint,))
    return int(answers)


def _sums(connection: sqlite3.Connection) -> tuple[int, int]:
    query = "select coalesce(sum(nano_dollars), 0) from {}"
    spent, reserved = (
        connection.execute(query.format(table)).fetchone()[0] for table in ("spent", "reserved")
    )
    return spent, reserved


def _dollars(nano_dollars: int) -> str:
    return f"${Decimal(nano_dollars) / NANO_DOLLARS:f}"
