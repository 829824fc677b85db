"""Shares and differences as the page says them."""


def percent(share: float | None, decimals: int = 1) -> str:
    """Return a share in per cent, a dash where it is unknown."""
    return "–" if share is None else f"{100 * share:.{decimals}f} %"


def points(difference: float | None) -> str:
    """Return a difference of shares in percentage points with its sign."""
    return "–" if difference is None else f"{100 * difference:+z.1f}".replace("+0.0", "0.0")
