"""What a study takes from the default one is listed."""

from hinter.config import inherited_settings

DEFAULT = {
    "seed": 1,
    "orders": [1, 2],
    "suite": {"originals": 60, "discarded": False},
    "grammar": {"enabled": True},
    "rules": [*"abcdefg"],
}


def test_settings_that_a_study_does_not_set_are_listed_by_key() -> None:
    own = {"orders": [1], "suite": {"originals": 9}, "grammar": None}
    assert inherited_settings(DEFAULT, own) == {
        "seed": "1",
        "suite.discarded": "false",
        "rules": "7 values",
    }


def test_lists_and_groups_are_written_as_in_a_sheet() -> None:
    assert inherited_settings(DEFAULT, {"seed": 2}) == {
        "orders": "[1, 2]",
        "suite.originals": "60",
        "suite.discarded": "false",
        "grammar.enabled": "true",
        "rules": "7 values",
    }


def test_the_default_study_inherits_nothing() -> None:
    assert inherited_settings(DEFAULT, {}) == {}
