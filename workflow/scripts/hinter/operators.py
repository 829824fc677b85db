"""The operators by name: ways to make mutants, each a module of the package `mutation`.

All edits of a mutant come from one operator.
"""

from typing import NamedTuple

TERMS, DESCRIPTORS = "dictionary", "descriptors"
"""The folders in config/ with sheets of terms, and of descriptors of persons."""


class Operator(NamedTuple):
    """The module whose `substituting` makes the edits, and the folder of the sheets of its pairs.

    A study with any other sheets than those of terms describes persons.
    """

    module: str
    sheets: str


OPERATORS = {
    "literal": Operator("literal", TERMS),
    "coherent": Operator("coherent", TERMS),
    "describe": Operator("describing.describing", DESCRIPTORS),
}
