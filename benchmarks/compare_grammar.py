"""Compare the grammar of texts by their units with that of the whole texts, by LanguageTool.

`.venv/bin/python benchmarks/compare_grammar.py`.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from corpus import add_texts, read_texts, resource_folder
from hinter.config import Grammar
from hinter.grammar import GrammarChecker, LanguageToolServer
from hinter.grammar.checker import split_units
from hinter.grammar.request import ask_server

Rules = Counter[tuple[str, str]]


def main(*, texts: Path | None, count: int, characters: int | None) -> None:
    """Print how many texts differ in their matches, and which rules match oftener on which side."""
    rules = Grammar()
    categories, left_out = rules.categories, rules.left_out
    read = [text.text[:characters] for text in read_texts(texts, count=count)]
    differing, units = 0, 0
    more_in_whole, more_by_unit = Rules(), Rules()
    with LanguageToolServer(resource_folder("languagetool")) as server:
        checker = GrammarChecker(server, left_out=left_out)
        for text in read:
            parts = split_units(text)
            answer = ask_server(server.url, text, left_out=left_out, seconds=60 + len(text))
            whole = Rules((match.category, match.rule) for match in answer.matches)
            by_unit = _rules_by_unit(checker, parts)
            units += len(parts)
            differing += _counted(whole, categories) != _counted(by_unit, categories)
            more_in_whole += _counted(whole - by_unit, categories)
            more_by_unit += _counted(by_unit - whole, categories)
    print(
        json.dumps(
            {
                "texts": len(read),
                "characters": sum(map(len, read)),
                "units": units,
                "texts_differing": differing,
                "more_in_whole": {rule: count for (_, rule), count in more_in_whole.items()},
                "more_by_unit": {rule: count for (_, rule), count in more_by_unit.items()},
            }
        )
    )


def _rules_by_unit(checker: GrammarChecker, units: Sequence[str]) -> Rules:
    return Rules(
        (category, rule)
        for part in checker.responses(units)
        for _, response in part
        for category, rule in json.loads(response)
    )


def _counted(rules: Rules, categories: Sequence[str]) -> Rules:
    return Rules({rule: count for rule, count in rules.items() if rule[0] in categories})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_texts(parser)
    parser.add_argument("--count", type=int, default=1000, help="texts, at equal distances")
    parser.add_argument("--characters", type=int, help="of each text, from its start; default all")
    main(**vars(parser.parse_args()))
