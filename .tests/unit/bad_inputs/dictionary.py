"""Curation files that make no dictionary, and files that are not SBIC's."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import build_groups, check_curation, count_posts, split_files

from .case import Case, Line, write

CURATION: dict[str, Any] = {
    "attribute": "race",
    "categories": ["race"],
    "groups": {"black": {"sbic": ["black folks"]}, "white": {"sbic": []}},
    "pairs": [
        {
            "form": "product",
            "word_class": "noun_plural",
            "terms": {"black": ["Black people"], "white": ["White people"]},
        }
    ],
}
POSTS = {("race", "black folks"): 3, ("culture", "whites"): 2}
IN_SCHEMA = "described in config/schemas/dictionary.schema.yaml"
WITH_SIGNS = [
    "Black.*",
    "(Black)",
    "Bl[ae]ck",
    "Black|White",
    "Black+",
    "Black\\b",
    "^Black",
    "a_b",
]
WITH_LOOSE_SPACE = ["", " ", " Black", "Black ", "Black  people", "a\tb", "a\nb"]
OTHER_NAMES = ["black persons", "whites", "Black folks"]


def _case(line: Line, *, block: Mapping[str, Any] | None = None, **changes: Any) -> Case:
    """Return the case of a curation file with changes to it or to its block of pairs."""
    pairs = [CURATION["pairs"][0] | dict(block or {})]

    def read(folder: Path) -> object:
        sheet = yaml.safe_dump(CURATION | {"pairs": pairs} | changes, sort_keys=False)
        path = write(folder / "race.yaml", sheet)
        document = read_sheet(path, DictionarySheet).model_dump()
        return build_groups([check_curation(document, path=path)], posts=POSTS)

    return Case(read, line)


def _term(term: str, form: str, line: Line) -> Case:
    terms: dict[str, Any] = {"black": [term], "white": ["White people"]}
    rows = [{group: names[0] for group, names in terms.items()}]
    return _case(line, block={"form": form, "terms": terms if form == "product" else rows})


CASES = {
    **{
        f"the term {term!r} of the form {form}": _term(
            term,
            form,
            Line(
                "race.yaml, group 'black'", f"the term '{term}'", "words of letters", "write them"
            ),
        )
        for term, form in product(WITH_SIGNS, ("product", "aligned"))
    },
    **{
        f"the term {term!r}": _term(
            term, "product", Line("race.yaml, group 'black'", "the term", "words of letters", "")
        )
        for term in WITH_LOOSE_SPACE
    },
    **{
        f"the name {name!r}, which SBIC lacks in the categories": _case(
            Line(
                "race.yaml, group 'black'",
                f"the SBIC name '{name}'",
                "SBIC's categories race",
                "data/sbic/group_posts.csv",
            ),
            groups={"black": {"sbic": ["black folks", name]}, "white": {"sbic": []}},
        )
        for name in OTHER_NAMES
    },
    "an unknown word class": _case(
        Line("key 'pairs.0.word_class'", "'interjection'", "adjective, adverb", IN_SCHEMA),
        block={"word_class": "interjection"},
    ),
    "a group that is not declared": _case(
        Line(
            "race.yaml, term 'Asian'",
            "group 'asian'",
            "declared groups black, white",
            "Declare the group under `groups`",
        ),
        block={"terms": {"black": ["Black"], "asian": ["Asian"]}},
    ),
    "another attribute than the file is named after": _case(
        Line(
            "race.yaml, key 'attribute'", "'gender'", "'race', the name of the file", "Correct the"
        ),
        attribute="gender",
    ),
    "a group without SBIC's names": _case(
        Line("key 'groups.black'", "no key 'sbic'", "the keys sbic", IN_SCHEMA),
        groups={"black": {}},
    ),
    "no block of pairs": _case(
        Line("key 'pairs'", "[]", "a list of at least 1: blocks of terms", IN_SCHEMA), pairs=[]
    ),
    "an unknown key": _case(
        Line("race.yaml", "the unknown key 'notes'", "only the keys", IN_SCHEMA), notes="x"
    ),
    "aligned terms without a row": _case(
        Line(
            "key 'pairs.0.terms'", "[]", "a list of at least 1: rows that give one term", IN_SCHEMA
        ),
        block={"form": "aligned", "terms": []},
    ),
    "aligned terms in the form of a product": _case(
        Line(
            "key 'pairs.0.terms'", "{'black': ", "a list of at least 1: rows that give", IN_SCHEMA
        ),
        block={"form": "aligned"},
    ),
    "terms of one group": _case(
        Line(
            "key 'pairs.0.terms'",
            "{'black': ['Black']}",
            "a mapping of at least 2: a list of terms",
            IN_SCHEMA,
        ),
        block={"terms": {"black": ["Black"]}},
    ),
    "a term that YAML takes for false": _case(
        Line("key 'pairs.0.terms.black.0'", "False", "text: a list of terms", "Put text in quotes"),
        block={"terms": {"black": [False], "white": ["White"]}},
    ),
}

UNCHANGED = "the unchanged files of SBIC version 2"
HEADER = "post,targetCategory,targetMinority\n"
CELLS = ["race", "", '"race"', "[1]", "null", '{"race": 1}', '["race"', "race,culture"]
WITHOUT_POSTS = {
    "nothing in it": "",
    "a header alone": HEADER,
    "no post on any group": "targetCategory,targetMinority\n[],[]\n",
}


def _sbic(content: str | bytes, line: Line) -> Case:
    return Case(lambda folder: count_posts([write(folder / "SBIC.csv", content)]), line)


def _cell(column: str, cell: str) -> Case:
    quoted = cell.replace('"', '""')
    good, bad = '"[""race""]"', f'"{quoted}"'
    cells = f"{bad},{good}" if column == "targetCategory" else f"{good},{bad}"
    found = f"{column} = {cell!r}"
    line = Line("SBIC.csv, line 3", found, "a JSON list of names", UNCHANGED)
    return _sbic(f"{HEADER}a,{good},{good}\nb,{cells}\n", line)


SBIC = {
    **{
        f"the {column} {cell!r}": _cell(column, cell)
        for column, cell in product(("targetCategory", "targetMinority"), CELLS)
    },
    **{
        name: _sbic(
            content, Line("SBIC.csv", "no post with a category", "a row per post", UNCHANGED)
        )
        for name, content in WITHOUT_POSTS.items()
    },
    "other separators": _sbic(
        'post;targetMinority\na;"[""b""]"\n',
        Line("SBIC.csv, line 2", "targetCategory = None", "a JSON list", UNCHANGED),
    ),
    "bytes that are not UTF-8": _sbic(
        b'targetCategory,targetMinority\n[],"[""\xe9""]"\n',
        Line("SBIC.csv, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "a folder without its files": Case(
        split_files, Line("", "none of SBIC's", "SBIC.v2.agg.trn.csv", "or sbic_v2")
    ),
}
