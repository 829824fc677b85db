"""A hard cap on what paid endpoints may cost, in US dollars.

Before every call its worst case is reserved, and after it the real price is settled, in one SQLite
file that any number of jobs share. The sums are whole nano-dollars. A call that was cut off, in
flight when its job was killed, or answered without a count of tokens may have been billed: its
reservation stands.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import NamedTuple

from ...errors import InputError

NANO_DOLLARS = 10**9
PER_MILLION = 10**6
WAIT_FOR_OTHERS_S = 120
"""How long a job waits for the others that write to the ledger."""

TABLES = """
create table if not exists spent (nano_dollars integer not null);
create table if not exists reserved (id integer primary key autoincrement, nano_dollars integer);
insert into spent select 0 where not exists (select * from spent);
"""


class BudgetReached(InputError):
    """The next call could cost more than what is left of the budget."""


class Prices(NamedTuple):
    """What an endpoint asks for a million tokens, in US dollars."""

    input_per_million: float
    output_per_million: float

    def cost(self, *, input_tokens: int, output_tokens: int) -> int:
        """Return the price of so many tokens in nano-dollars, rounded up."""
        tokens = (input_tokens, output_tokens)
        dollars = sum(Decimal(str(price)) * n for price, n in zip(self, tokens, strict=True))
        nano_dollars = dollars * NANO_DOLLARS / PER_MILLION
        return int(Decimal(nano_dollars).to_integral_value(ROUND_CEILING))


class Ledger:
    """What is spent and reserved, in the file `path`; without `cap_usd` only a record.

    The journal is SQLite's rollback journal, which network file systems bear, and every entry is on
    the disk before the call that it stands for.
    """

    def __init__(self, path: Path, cap_usd: float | None) -> None:
        self._path = path
        self._cap = None if cap_usd is None else int(Decimal(str(cap_usd)) * NANO_DOLLARS)
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._connection() as connection:
            connection.executescript(f"begin immediate; {TABLES} commit;")

    def reserve(self, nano_dollars: int) -> int:
        """Reserve the worst case of a call and return the reservation's number.

        Raises `BudgetReached`, and reserves nothing, where it does not fit below the cap.
        """
        with self._transaction() as connection:
            spent, reserved = _sums(connection)
            if self._cap is not None and spent + reserved + nano_dollars > self._cap:
                raise self._reached(spent=spent, reserved=reserved, asked=nano_dollars)
            row = connection.execute(
                "insert into reserved (nano_dollars) values (?) returning id", (nano_dollars,)
            ).fetchone()
        return int(row[0])

    def settle(self, reservation: int, nano_dollars: int) -> None:
        """Put the real price of a call in the place of its reservation."""
        with self._transaction() as connection:
            connection.execute("delete from reserved where id = ?", (reservation,))
            connection.execute("update spent set nano_dollars = nano_dollars + ?", (nano_dollars,))

    def sums(self) -> tuple[int, int]:
        """Return what is spent and what is reserved, in nano-dollars."""
        with self._connection() as connection:
            return _sums(connection)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            # One connection an entry: calls come from several threads.
            connection = sqlite3.connect(
                self._path, timeout=WAIT_FOR_OTHERS_S, isolation_level=None
            )
            with closing(connection):
                yield connection
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute("begin immediate")
            with connection:
                yield connection

    def _reached(self, *, spent: int, reserved: int, asked: int) -> BudgetReached:
        return BudgetReached(
            where=f"budget ({self._path})",
            found=f"{_dollars(spent)} spent, and {_dollars(reserved)} reserved by calls in flight "
            f"or cut off, of {_dollars(self._cap or 0)}",
            expected=f"room for the next call, at most {_dollars(asked)}",
            fix="All answers are kept. Raise the budget and run again: it goes on from there.",
        )

    def _unusable(self, error: sqlite3.DatabaseError) -> InputError:
        return InputError(
            where=f"budget ({self._path})",
            found=str(error),
            expected="an SQLite file that this job can write",
            fix="Free the file or the disk, or move the file away to begin a new account.",
        )


class Spending:
    """The calls of one endpoint on a ledger: tokens at its prices."""

    def __init__(self, ledger: Ledger, prices: Prices) -> None:
        self._ledger = ledger
        self._prices = prices

    def reserve(self, *, input_tokens: int, output_tokens: int) -> int:
        """Reserve a call of at most so many tokens; raises `BudgetReached`."""
        cost = self._prices.cost(input_tokens=input_tokens, output_tokens=output_tokens)
        return self._ledger.reserve(cost)

    def settle(self, reservation: int, *, input_tokens: int, output_tokens: int) -> None:
        """Settle a call that took so many tokens."""
        cost = self._prices.cost(input_tokens=input_tokens, output_tokens=output_tokens)
        self._ledger.settle(reservation, cost)


def _sums(connection: sqlite3.Connection) -> tuple[int, int]:
    (spent,) = connection.execute("select nano_dollars from spent").fetchone()
    (reserved,) = connection.execute(
        "select coalesce(sum(nano_dollars), 0) from reserved"
    ).fetchone()
    return spent, reserved


def _dollars(nano_dollars: int) -> str:
    return f"${Decimal(nano_dollars) / NANO_DOLLARS:f}"
