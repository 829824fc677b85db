"""The meanings of columns that come with an interval."""

WILSON = "95 % Wilson interval"
BOOTSTRAP = "95 % cluster bootstrap by original"


def with_wilson(name: str, meaning: str) -> dict[str, str]:
    """Return the columns of a share with its Wilson interval (`_low`, `_high`)."""
    return {name: meaning, **_ends(name, WILSON)}


def with_bootstrap(name: str, meaning: str) -> dict[str, str]:
    """Return the columns of a number with its cluster bootstrap by original (`_low`, `_high`)."""
    return {name: meaning, **_ends(name, BOOTSTRAP)}


def with_both(name: str, meaning: str) -> dict[str, str]:
    """Return the columns of a rate with both its intervals, as `rate_columns` has them.

    These are Wilson's (`_low`, `_high`) and the cluster bootstrap by original (`_cluster_low`,
    `_cluster_high`).
    """
    return {**with_wilson(name, meaning), **_ends(f"{name}_cluster", BOOTSTRAP)}


def _ends(name: str, interval: str) -> dict[str, str]:
    return {
        f"{name}_low": f"lower end of its {interval}",
        f"{name}_high": f"upper end of its {interval}",
    }
