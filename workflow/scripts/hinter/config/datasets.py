"""The datasets sheet."""

from collections.abc import Collection
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, RootModel, ValidationInfo, field_validator, model_validator

from .types import (
    Count,
    Distinct,
    FilePath,
    ListTag,
    MappingTag,
    NullTag,
    Sheet,
    TextTag,
    WholeTag,
    by_type,
    fault,
    text,
)

# Names become parts of paths. Only names of models may have dots (gpt-3.5), so that files next to
# the folders of datasets cannot be mistaken for those of a dataset.
NAME = "^[a-z0-9][a-z0-9_-]*$"
SIGNS = "lower-case letters, digits, hyphens and underscores"
DatasetName = Annotated[str, text(NAME, name="name", about=f"a dataset's name of {SIGNS}")]
Names = Annotated[
    Annotated[dict[str, str], MappingTag] | Annotated[Distinct[str], ListTag], by_type
]
Values = Annotated[
    Annotated[str, TextTag] | Annotated[list[str], Field(min_length=1), ListTag], by_type
]
Split = Annotated[
    Annotated[Count, WholeTag]
    | Annotated[None, NullTag]
    | Annotated[str, TextTag]
    | Annotated[Distinct[str], Field(min_length=1), ListTag],
    by_type,
    Field(
        description="a number of texts, null for all that are left, or values of the split column"
    ),
]
SplitName = Literal["tested", "held_out", "calibration", "validation", "training"]


def _when(given: Any, then: Any, *, required: Collection[str] = ()) -> dict[str, Any]:
    """Return the part of a JSON schema for some keys, given the values of others."""
    parts = {"if": given, "then": then}
    needed = {name: [key for key in keys if key in required] for name, keys in parts.items()}
    return {
        name: {"properties": keys, **({"required": needed[name]} if needed[name] else {})}
        for name, keys in parts.items()
    }


class Dataset(Sheet):
    """A dataset: where its texts are, what their labels mean and what they are used for."""

    about: str
    """what the texts are and what the labels mean"""
    resource: str | None = None
    """the resource in data/registry.yaml that holds the file; null for a file of yours"""
    file: FilePath
    """path of the CSV (.csv, .tsv), JSON (.jsonl, .ndjson, .json), Parquet (.parquet) or archive
    (.tar.gz) file, inside the resource if there is one; text may be compressed (.csv.gz,
    .jsonl.zst). A pattern such as parts/*.csv stands for several files, sorted by name"""
    member: str | None = None
    """the file inside the archive, CSV or JSON lines; or a pattern such as reviews/*/*.txt: then
    each matching file is a row with the columns text, folder (its full folder), folder_1 (the
    outermost folder), folder_2, ..."""
    text: str
    """the column with the text, or with a list of paragraphs; rows without a text are left out (and
    counted)"""
    label: str | None = None
    """the column with the label or the list of labels, if there is one"""
    multi_label: bool = False
    """whether a text may have no label or several: a list, which in CSV is JSON or separated by
    | # ; or commas"""
    label_names: Names = Field(default={})
    """the name of each value in the label column; or a list, if the values are the names. 1.0 also
    matches 1, True also matches true and 1, and white space around a value is ignored"""
    favourable: Distinct[str] = Field(default=[])
    """the labels that are good for the person a text is about: a mutant that loses them is treated
    worse, one that gains them better, and tables report the two separately; none if no label is
    good or bad"""
    other_labels: Literal["refuse", "leave_out"] = "refuse"
    """what to do with values in the label column that are not in label_names; labels left
    out are counted"""
    where: dict[str, Values] = Field(default={})
    """columns with the value, or the list of values, that a row must have to be used"""
    replacements: dict[str, str] = Field(default={})
    """strings replaced in every text, such as mark-up"""
    clean: Literal["html"] | None = None
    """html removes the tags of every text and replaces its entities (&amp;) by characters; null
    does not change texts: then no terms are found in tags, and texts with either are counted"""
    max_chars: Count | None = None
    """longer texts are left out (and counted); null uses all"""
    split_column: str | None = None
    """the column that contains the dataset's own splits, if there is one"""
    splits: dict[SplitName, Split] = Field(json_schema_extra={"required": ["tested"]})
    """tested (mutated), held_out (accuracy), calibration, validation (early stopping), training:
    the values of split_column that make the split; or how many texts are sampled for it, in this
    order and disjointly, from those in no split yet (null: all that are left, once the others have
    theirs). Tested texts are sampled from all, so with a split_column a text may be tested and also
    in another split"""
    prompt: FilePath | None = None
    """the prompt file for models that are prompted"""
    more_prompts: list[FilePath] = Field(default=[])
    """further prompt files, such as other wordings, for models with several `prompts`"""
    licence: str | None = None
    """the licence of the texts in a file of yours (an SPDX identifier if there is one); null if it
    is unknown, and for a resource, whose licence is in the registry"""
    redistribute: bool = False
    """whether this licence allows `snakemake export` to redistribute the texts"""

    # Only the values of a split column can make a split. Only a user's own file needs a licence.
    model_config = ConfigDict(
        json_schema_extra={
            **_when(
                {"split_column": {"type": "null"}},
                {"splits": {"additionalProperties": {"type": ["integer", "null"]}}},
            ),
            "allOf": [
                _when(
                    {"redistribute": {"const": True}},
                    {"licence": {"type": "string"}},
                    required=("redistribute", "licence"),
                ),
                _when(
                    {"resource": {"type": "string"}},
                    {"licence": {"type": "null"}, "redistribute": {"const": False}},
                    required=("resource",),
                ),
            ],
        }
    )

    @field_validator("splits")
    @classmethod
    def _check_splits(cls, splits: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if "tested" not in splits:
            raise fault(found="no key 'tested'")
        for name, made_of in splits.items():
            if isinstance(made_of, str | list) and info.data.get("split_column") is None:
                raise fault(
                    key=name,
                    found=repr(made_of),
                    expected="a number of texts, or null (values of a column need a split_column)",
                )
        return splits

    @model_validator(mode="after")
    def _check_licence(self) -> Self:
        if self.resource is not None and (self.licence is not None or self.redistribute):
            expected = "neither for a resource: they are in data/registry.yaml"
            raise fault(found="'licence' or 'redistribute'", expected=expected)
        if self.redistribute and self.licence is None:
            expected = "the licence that allows redistribution, under 'licence'"
            raise fault(key="redistribute", found="true without a licence", expected=expected)
        return self

    @model_validator(mode="after")
    def _check_favourable(self) -> Self:
        names = self.names()
        for label in self.favourable:
            if names and label not in names:
                raise fault(key="favourable", found=repr(label), expected=f"one of {names}")
        # Then nothing could be worse or better, and rates of either would be 0.
        if names and {*names} == {*self.favourable} and not self.multi_label:
            raise fault(key="favourable", found="all labels", expected="only good ones, or none")
        return self

    def names(self) -> list[str]:
        """Return the names of the labels, each once, in the order of the sheet."""
        names = self.label_names
        return list(dict.fromkeys(names.values() if isinstance(names, dict) else names))


class Datasets(RootModel[dict[DatasetName, Dataset]]):
    """The datasets sheet."""
