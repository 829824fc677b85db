"""Description of persons: who is described, with which words, and what the engine says of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from described import describing, project_sheets
from hinter.config.method import MentionRule
from hinter.corpora import Text
from hinter.dictionary import WordPair
from hinter.invariant import Annotator, Comparator, Invariant, check_block
from hinter.lattice import parts_of
from hinter.mutants import list_orders
from hinter.mutation import (
    MENTION_RULES,
    Describing,
    Mutant,
    OnePerson,
    Role,
    combinations_of,
    indefinite_article,
    plain,
)
from literal import LiteralCheck, Mutation, RememberingParser, Replacement
from tries import tries


@pytest.fixture(scope="session")
def annotator(parser_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Annotator:
    return Annotator(parser_folder, store=tmp_path_factory.mktemp("annotations"))


@pytest.fixture(scope="session")
def few(annotator: Annotator) -> Describing:
    return describing(annotator)


def mutants_of(
    texts: Sequence[Text], *, how: Describing, invariant: Invariant, orders: Sequence[int]
) -> list[tuple[Mutant, str]]:
    """Every mutant with its check."""
    checked = list(check_block(texts, operating=how, orders=orders, invariant=invariant))
    originals = {text.original_id: text.text for text in texts}
    return [
        (Mutant.of_row(row, originals[row["original_id"]]), row["reason"] or "valid")
        for row in list_orders(checked, orders=orders, index=how.index).to_pylist()
    ]


@pytest.mark.parametrize(
    ("text", "pair_ids", "expected"),
    [
        ("A doctor slept.", ["body:doctor>deaf"], "A deaf doctor slept."),
        ("A doctor slept.", ["age:doctor>elderly"], "An elderly doctor slept."),
        ("Two doctors slept.", ["race:doctor>Korean"], "Two Korean doctors slept."),
        ("My friend slept.", ["race:friend>African"], "My African friend slept."),
        (
            "She saw a doctor.",
            ["age:doctor>elderly", "body:doctor>blind", "race:doctor>Korean"],
            "She saw an elderly blind Korean doctor.",
        ),
        (
            "I knew a very kind doctor.",
            ["body:doctor>deaf", "race:doctor>African"],
            "I knew a very kind deaf African doctor.",
        ),
        (
            "I knew a chief medical doctor.",
            ["age:doctor>elderly", "race:doctor>African"],
            "I knew an elderly African chief medical doctor.",
        ),
        ("I met a young doctor.", ["age:young>elderly"], "I met an elderly doctor."),
        (
            "I met a Korean doctor.",
            ["age:doctor>elderly", "race:Korean>African"],
            "I met an elderly African doctor.",
        ),
        ("I met an elderly doctor.", ["race:doctor>Korean"], "I met an elderly Korean doctor."),
        (
            "I met the hard-of-hearing doctor.",
            ["body:hard-of-hearing>blind", "race:doctor>Korean"],
            "I met the blind Korean doctor.",
        ),
        ("I saw <b>a doctor</b>.", ["age:doctor>elderly"], "I saw <b>an elderly doctor</b>."),
        ("I saw a <i>doctor</i>.", ["age:doctor>elderly"], "I saw an <i>elderly doctor</i>."),
        (
            "I saw [a young doctor](a/b) and slept.",
            ["age:young>elderly", "body:doctor>deaf"],
            "I saw [an elderly deaf doctor](a/b) and slept.",
        ),
        (
            "I saw a nurse.<br />A doctor slept &amp; woke.",
            ["age:doctor>elderly", "race:doctor>African"],
            "I saw a nurse.<br />An elderly African doctor slept &amp; woke.",
        ),
        ("Two police doctors slept.", ["race:doctor>Korean"], "Two Korean police doctors slept."),
        ("A toll-gate doctor slept.", ["race:doctor>Korean"], "A Korean toll-gate doctor slept."),
        ("My friend and I slept.", ["race:friend>Korean"], "My Korean friend and I slept."),
        ("The sleeping doctor woke.", ["race:doctor>Korean"], "The Korean sleeping doctor woke."),
        (
            "A fully medical kind doctor slept.",
            ["race:doctor>Korean"],
            "A Korean fully medical kind doctor slept.",
        ),
        (
            "No doctor slept. The doctor ran.",
            ["body:doctor>deaf"],
            "No doctor slept. The deaf doctor ran.",
        ),
        ("We saw that a\ndoctor slept.", ["body:doctor>deaf"], "We saw that a\ndeaf doctor slept."),
        (
            "Tom saw a doctor. The doctor slept.",
            ["body:doctor>deaf"],
            "Tom saw a deaf doctor. The doctor slept.",
        ),
    ],
)
def test_a_person_is_described(
    text: str,
    pair_ids: list[str],
    expected: str,
    few: Describing,
    invariants: Mapping[Comparator, Invariant],
) -> None:
    mutants = mutants_of(
        [Text("o", text)],
        how=few,
        invariant=invariants[Comparator.TOLERANT],
        orders=range(1, len(pair_ids) + 1),
    )
    texts = {mutant.pair_ids: mutant.text for mutant, _ in mutants}
    assert texts[tuple(pair_ids)] == expected


@pytest.mark.parametrize(
    ("text", "noun", "rule"),
    [
        ("Then doctors slept.", "doctor", "undetermined"),
        ("Any worker may leave.", "worker", "general"),
        ("A worker shall be paid.", "worker", "general"),
        ("Call me if a worker is hurt.", "worker", "general"),
        ("They refused to call a doctor.", "doctor", "general"),
        ("It was a sign of a good doctor.", "doctor", "general"),
        ("Everybody was a doctor.", "doctor", "general"),
        ("Maybe a doctor came.", "doctor", "general"),
        ("Suppose a doctor came.", "doctor", "general"),
        ("The drug was bought to save the doctor.", "doctor", "timeless"),
        ("The law required the doctor to sleep.", "doctor", "timeless"),
        ("They saw Tom Hanks, a doctor, there.", "doctor", "named_person"),
        ("They saw the doctor, Tom Hanks, there.", "doctor", "named_person"),
        ("The doctor, Mrs Hanks, slept.", "doctor", "named_person"),
        ("The teachers voted.", "teacher", "whole_group"),
        ("Those teachers slept.", "teacher", "whole_group"),
        ("The city's teachers slept.", "teacher", "whole_group"),
        ("The friend was a company. The friend slept.", "friend", "legal_person"),
        ("Our friend slept. The friend company slept.", "friend", "legal_person"),
        ("They saw a doctor like Tom Hanks.", "doctor", "named_person"),
        ("She liked being a doctor.", "doctor", "becoming"),
        ("That made him a doctor.", "doctor", "becoming"),
        ("They paid the doctor general.", "doctor", "part_of_expression"),
        ("The worker shall be paid.", "worker", "timeless"),
        ("It is enough that the worker left.", "worker", "timeless"),
        ("An opera is the work of a teacher.", "teacher", "timeless"),
        ("A teacher of music.", "teacher", "timeless"),
        ("The teachers' room was lit.", "teacher", "part_of_expression"),
        ("We saw the doctor's office.", "doctor", "part_of_expression"),
        ("The man-doctor slept.", "doctor", "part_of_expression"),
        ("I met the best doctor.", "doctor", "singled_out"),
        ("The only teacher slept.", "teacher", "singled_out"),
        ("Another teacher slept.", "teacher", "singled_out"),
        ("My friend became a doctor.", "doctor", "becoming"),
        ("My friend worked as a doctor.", "doctor", "becoming"),
        ("My friend gave birth to a child.", "child", "becoming"),
        ("A doctor and nurse slept.", "doctor", "coordinated_person"),
        ("The doctor, Tom Hanks, slept.", "doctor", "named_person"),
        ("Tom Hanks is a doctor.", "doctor", "named_person"),
        ("They met in a doctor show.", "doctor", "part_of_expression"),
        ('I saw "the doctor" yesterday.', "doctor", "quoted"),
        ("It gave “the right of the worker” to nobody.", "worker", "quoted"),
        ("He said that “a doctor\n\nslept in the house” of Tom.", "doctor", "quoted"),
        ("My “friend” slept in the house.", "friend", "quoted"),
        ("The reason was a doctor.", "doctor", "timeless"),
        ("The second doctor slept.", "doctor", "singled_out"),
        ("THE DOCTOR SLEPT IN THE HOUSE.", "doctor", "capitals"),
        ("We paid the Teacher.", "teacher", "capitals"),
        ("The care- worker slept.", "worker", "part_of_expression"),
        ("Dear doctor, I slept.", "doctor", "undetermined"),
        ("I MET HIM. THEN A DOCTOR CAME.", "doctor", "capitals"),
        ("I met a deaf, blind doctor.", "blind", "told_twice"),
    ],
)
def test_a_rule_leaves_a_mention_alone(text: str, noun: str, rule: str, few: Describing) -> None:
    rulings = [ruling for ruling in few.rulings(text) if ruling.occurrence.source == noun]
    assert {ruling.rule for ruling in rulings if ruling.occurrence.attribute == "body"} == {rule}


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("A doctor did not come.", "doctor"),
        ("My friend knew a person who saw a doctor.", "doctor"),
        ("Two teachers slept.", "teacher"),
        ("Some of the teachers slept.", "teacher"),
        ("Her teachers slept.", "teacher"),
        ("My doctor's friends slept.", "friend"),
        ("The drug was bought to save his doctor.", "doctor"),
        ("The friend saw a company.", "friend"),
        ("“My friend slept.” So it was.", "friend"),
        ('A 3" nail hit the doctor near a 4" nail.', "doctor"),
        ("Tom saw the doctor - and slept.", "doctor"),
        ("Tom was good as the doctor.", "doctor"),
        ("We had a doctor.", "doctor"),
        ("Her own doctor slept.", "doctor"),
    ],
)
def test_who_is_somebody_is_described(text: str, noun: str, few: Describing) -> None:
    rulings = [ruling for ruling in few.rulings(text) if ruling.occurrence.source == noun]
    assert {ruling.rule for ruling in rulings if ruling.occurrence.attribute == "body"} == {None}


@pytest.mark.parametrize(
    ("text", "left_alone"),
    [
        ("A doctor of Polish descent slept.", {"race"}),
        ("A doctor from Korea slept.", {"race"}),
        ("A doctor was born in 1956.", {"age"}),
        ("A doctor was Korean.", {"race"}),
        ("A doctor of old age slept.", {"age"}),
        ("A doctor slept. In 1990 the doctor was Korean.", {"race"}),
        ("My friend is Korean. Then my friend was a doctor.", {"race"}),
        ("A doctor saw that the child had become deaf.", {"body"}),
        ("A doctor saw a young Korean friend.", set()),
    ],
)
def test_what_a_text_tells_of_a_person_stays(
    text: str, left_alone: set[str], few: Describing
) -> None:
    anytime = replace(few, rules=tuple(rule for rule in few.rules if rule != "timeless"))
    found = {
        ruling.occurrence.attribute: ruling.rule
        for ruling in anytime.rulings(text)
        if ruling.occurrence.source == "doctor"
    }
    assert {attribute for attribute, rule in found.items() if rule} == left_alone


def test_a_descriptor_fits_the_pronouns_of_the_person(
    few: Describing, invariants: Mapping[Comparator, Invariant]
) -> None:
    found = mutants_of(
        [Text("o", "A doctor slept. She was tired.")],
        how=few,
        invariant=invariants[Comparator.TOLERANT],
        orders=[1],
    )
    gender = {mutant.pair_ids[0] for mutant, _ in found if mutant.attributes == ("gender",)}
    assert gender == {"gender:doctor>transgender"}


def test_a_descriptor_goes_before_no_noun_that_excludes_it(few: Describing) -> None:
    pair_ids = {pair.pair_id for pair in few.index.pairs}
    assert "age:doctor>elderly" in pair_ids
    assert not {"age:boy>elderly", "age:child>young", "gender:woman>female"} & pair_ids


@pytest.mark.parametrize("text", ["The film was long.", "Tom slept.", '<a href="a doctor">It</a>'])
def test_a_text_without_a_mention_has_no_ruling(text: str, few: Describing) -> None:
    assert few.rulings(text) == []


@pytest.mark.parametrize(
    ("text", "noun", "left_alone"),
    [
        ("I met a quiet child.", "child", {"age": "nothing_fits"}),
        ("A Korean doctor slept. We were Korean, too.", "doctor", {"race": "told_of_person"}),
        ("I met a young quiet boy.", "boy", {"age": "nothing_fits"}),
        ("I met a young friend and a young doctor.", "doctor", {"age": "same_descriptor"}),
    ],
)
def test_an_attribute_that_takes_nothing_is_told(
    text: str, noun: str, left_alone: Mapping[str, str], few: Describing
) -> None:
    rulings = [one for one in few.rulings(text) if text[slice(*one.occurrence.span)] == noun]
    assert {one.occurrence.attribute for one in rulings} == {*few.index.by_source}
    assert {one.occurrence.attribute: one.rule for one in rulings if one.rule} == left_alone
    assert all(few.index.targets_of(one.term) for one in rulings if one.rule is None)


def test_edits_of_a_mutant_concern_one_person(
    few: Describing, invariants: Mapping[Comparator, Invariant]
) -> None:
    mutants = mutants_of(
        [Text("o", "A doctor saw my friend.")],
        how=few,
        invariant=invariants[Comparator.TOLERANT],
        orders=[2],
    )
    nouns = [
        {pair_id.partition(":")[2].partition(">")[0] for pair_id in one.pair_ids}
        for one, _ in mutants
    ]
    assert {frozenset(those) for those in nouns} == {frozenset({"doctor"}), frozenset({"friend"})}
    found = combinations_of("A doctor saw my friend.", orders=[1, 2], substituting=few)
    assert {(len(one.terms), one.one_person) for one in found} == {(1, None), (2, OnePerson.YES)}


def test_the_settings_know_the_rules() -> None:
    assert get_args(MentionRule) == tuple(MENTION_RULES)


def test_pairs_are_drawn_for_each_mention_and_their_parts_with_them(
    annotator: Annotator, reviews: list[Text], invariants: Mapping[Comparator, Invariant]
) -> None:
    persons, sheets = project_sheets()
    attributes = ["age", "body", "race"]
    rules = [rule for rule in MENTION_RULES if rule not in ("timeless", "whole_group")]
    every = {
        "annotator": annotator,
        "persons": persons,
        "sheets": sheets,
        "attributes": attributes,
        "rules": rules,
    }
    texts, invariant = reviews[:24], invariants[Comparator.TOLERANT]
    sampled = describing(**every, most=2)
    found = mutants_of(texts, how=sampled, invariant=invariant, orders=[1, 2])
    turned = mutants_of(
        texts[::-1], how=describing(**every, most=2), invariant=invariant, orders=[1, 2]
    )
    ids = {mutant.mutant_id for mutant, _ in found}
    assert ids == {mutant.mutant_id for mutant, _ in turned}
    for mutant, _ in found:
        for part in parts_of(mutant.pair_ids)[1:]:
            assert "|".join([mutant.original_id, *part]) in ids
    by_source: dict[tuple[str, str], int] = {}
    for mutant, _ in found:
        if len(mutant.pair_ids) == 1:
            key = (mutant.original_id, mutant.pair_ids[0].partition(">")[0])
            by_source[key] = by_source.get(key, 0) + 1
    assert set(by_source.values()) == {2}
    other = mutants_of(
        texts, how=describing(**every, most=2, seed=2), invariant=invariant, orders=[1]
    )
    assert ids.isdisjoint({mutant.mutant_id for mutant, _ in other}) is False
    assert {mutant.mutant_id for mutant, _ in other} - ids


@tries(1, 3)
def test_checks_are_those_of_whole_texts(
    tried: int,
    annotator: Annotator,
    reviews: list[Text],
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    persons, sheets = project_sheets()
    attributes = ["age", "body", "gender", "race", "religion"]
    rules = [rule for rule in MENTION_RULES if rule not in ("timeless", "whole_group")]
    every = {"persons": persons, "sheets": sheets, "attributes": attributes, "rules": rules}
    how = describing(annotator, **every, most=tried)
    pairs = {pair.pair_id: pair for pair in how.index.pairs}
    for comparator, invariant in invariants.items():
        found = mutants_of(reviews[: 48 * tried], how=how, invariant=invariant, orders=[1, 2, 3])
        assert {reason for _, reason in found} > {"valid"}
        check = LiteralCheck(memory, comparator.value)
        assert {mutant.text: reason for mutant, reason in found} == {
            mutant.text: check.reason(plain(mutant.original), _literally(mutant, pairs=pairs))
            for mutant, _ in found
        }


def _literally(mutant: Mutant, *, pairs: Mapping[str, WordPair]) -> Mutation:
    """The mutant as it is made of what is plain of its original, edit by edit."""
    by_attribute = {pairs[key].attribute: pairs[key] for key in mutant.pair_ids}
    text, replacements = plain(mutant.original), []
    grown = 0
    for edit in mutant.edits:
        start = edit.start + grown
        text = text[:start] + edit.text + text[edit.end + grown :]
        replacements.append(
            Replacement(
                by_attribute[edit.attribute],
                range(edit.start, edit.end),
                range(start, start + len(edit.text)),
            )
        )
        grown += len(edit.text) - (edit.end - edit.start)
    return Mutation(text, replacements)


WRONG_ARTICLE = re.compile(r"\b(an?) ([\w-]+)", re.IGNORECASE)


def test_parts_of_mutants_are_mutants_with_right_articles(
    annotator: Annotator, reviews: list[Text], invariants: Mapping[Comparator, Invariant]
) -> None:
    persons, sheets = project_sheets()
    how = describing(
        annotator, persons=persons, sheets=sheets, attributes=["age", "body", "race"], most=3
    )
    found = mutants_of(
        reviews, how=how, invariant=invariants[Comparator.TOLERANT], orders=[1, 2, 3]
    )
    edits = {mutant.mutant_id: mutant.edits for mutant, _ in found}
    assert len(edits) > 150
    for mutant, _ in found:
        assert mutant.edits == tuple(sorted(mutant.edits, key=lambda edit: (edit.start, edit.end)))
        for part in parts_of(mutant.pair_ids)[1:]:
            own = mutant.part(part)
            assert own.edits == edits[own.mutant_id]
        for edit, behind in zip(mutant.edits, mutant.edits[1:], strict=False):
            if edit.role is Role.ARTICLE:
                assert edit.text.lower() == indefinite_article(behind.text.strip())
