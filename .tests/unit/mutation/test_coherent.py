"""Coherent substitution: what changes with a term, and what the engine says of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, get_args

import pytest
from hinter.config import DictionarySheet, OccurrencesSheet, read_sheet
from hinter.config.method import OccurrenceRule
from hinter.corpora import Text
from hinter.dictionary import build_pairs, check_curation
from hinter.invariant import Annotator, Comparator, Invariant, check_block
from hinter.lattice import parts_of
from hinter.mutants import count_mutants, list_orders
from hinter.mutation import (
    RULES,
    DictionaryIndex,
    Lists,
    Mutant,
    Persons,
    Selective,
    SpannedTerm,
    coherent_pairs,
    compose,
    operating_by,
    render,
)
from hinter.mutation.agreement import gender_of, indefinite_article
from hinter.mutation.describing.mentions import Mention
from hinter.mutation.describing.rules import part_of_name
from hinter.mutation.occurrences import Occurrence, Scene
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from literal import LiteralCheck, RememberingParser, literal_answers, word_pairs

ROOT = Path(__file__).resolve().parents[3]
MOST_ATOMIC = 60
REPEATABLE = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="session")
def annotator(parser_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Annotator:
    return Annotator(parser_folder, store=tmp_path_factory.mktemp("annotations"))


@pytest.fixture(scope="session")
def lists() -> Lists:
    return Lists(**read_sheet(ROOT / "config" / "occurrences.yaml", OccurrencesSheet).model_dump())


def selective(
    pair_ids: Iterable[str],
    *,
    annotator: Annotator,
    lists: Lists,
    rules: Iterable[str] = RULES,
    coherent: bool = True,
) -> Selective:
    index = DictionaryIndex(coherent_pairs(word_pairs(pair_ids), lists=lists))
    return Selective(index, DictionaryIndex([]), Persons(annotator, lists), tuple(rules), coherent)


def mutants_of(text: str, substituting: Selective) -> dict[str, str]:
    """The atomic mutants that a text allows, by pair."""
    edit_spans = substituting.edit_spans(text)
    return {
        pair.pair_id: render(text, compose(text, [(SpannedTerm(*key, own), pair.target)]))[0]
        for pair in substituting.index.pairs
        for key in [(pair.attribute, pair.source)]
        for own in [edit_spans[pair.attribute].get(pair.source)]
        if own
    }


CHANGED = {
    "an article agrees": ("A fat man and an old friend.", "body:fat>overweight", "An overweight"),
    "an article agrees with a consonant": ("He is an old man.", "age:old>young", "a young man"),
    "an article among capitals agrees": ("IT IS A FAT CAT.", "body:fat>obese", "IS AN OBESE CAT"),
    "an article agrees with a faith": (
        "She is a Muslim.",
        "religion:Muslim>atheist",
        "She is an Atheist.",
    ),
    "an article agrees with an orientation": (
        "It is about a gay couple and an old dog.",
        "sexual_orientation:gay couple>opposite-sex couple",
        "an opposite-sex couple and an old dog",
    ),
    "an article agrees with a status": (
        "An impoverished student met a wealthy widow.",
        "socioeconomic_status:impoverished>wealthy",
        "A wealthy student met a wealthy widow.",
    ),
    "the pronouns of a noun change with it": (
        "The widow lost her ring. She cried, and nobody helped her or loved her as herself.",
        "gender:widow>widower",
        "The widower lost his ring. He cried, and nobody helped him or loved him as himself.",
    ),
    "a possessive without a noun": (
        "The widower said that the ring was his.",
        "gender:widower>widow",
        "The widow said that the ring was hers.",
    ),
    "a pronoun changes in all its forms": (
        "The tenant may keep his dog if he cleans up after himself and it obeys him.",
        "gender:he>she",
        "The tenant may keep her dog if she cleans up after herself and it obeys her.",
    ),
    "a pair of the same gender changes no pronoun": (
        "The man lost his ring.",
        "gender:man>gay man",
        "The gay man lost his ring.",
    ),
    "a chain in capitals keeps them": (
        "The widow lost HER ring.",
        "gender:widow>widower",
        "The widower lost HIS ring.",
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_belongs_to_a_term_changes_with_it(
    name: str, annotator: Annotator, lists: Lists
) -> None:
    text, pair_id, expected = CHANGED[name]
    substituting = selective([pair_id], annotator=annotator, lists=lists, rules=())
    assert expected in mutants_of(text, substituting)[pair_id]


ALONE = {
    "part_of_longer_term": ("The Native American law.", "race:American>Thai", "American"),
    "broken_word": ("For many of the rea- sons we gave.", "gender:sons>daughters", "sons"),
    "defined_term": ("We owe it to such Person.", "body:person>blind person", "Person"),
    "language": ("It was written in French.", "race:French>Thai", "French"),
    "country_named": ("The Greek law of Greece.", "race:Greek>Thai", "Greek"),
    "compound": ("Each legal person pays tax.", "body:person>blind person", "person"),
    "address": ("Oh man, this was bad.", "gender:man>woman", "man"),
    "gender_told": (
        "The mother asked for the consent of the fathers.",
        "gender:mother>father",
        "mother",
    ),
    "other_number": ("A teenager met two teenagers.", "age:teenager>youngster", "teenager"),
}


def test_every_rule_has_an_example_and_can_be_named_in_the_configuration() -> None:
    assert list(ALONE) == list(RULES) == list(get_args(OccurrenceRule))


WORDS = {
    "a": "man Thai unicorn university European user uterus Ugandan UN one-armed once young hero",
    "an": "old Ethiopian obese MP hour heir honest honour ugly uncle uninsured unimportant LGBT",
}


@pytest.mark.parametrize("article", WORDS)
def test_an_article_goes_by_the_sound(article: str) -> None:
    for word in WORDS[article].split():
        assert (word, indefinite_article(word)) == (word, article)


def test_every_singular_noun_of_the_gender_dictionary_has_its_gender() -> None:
    sheet = read_sheet(ROOT / "config" / "dictionary" / "gender.yaml", DictionarySheet)
    nouns = [
        block
        for block in sheet.pairs
        if block.form == "aligned" and block.word_class in ("noun_singular", "pronoun")
    ]
    rows = chain.from_iterable(block.terms for block in nouns)
    for row in (row for row in rows if row.keys() == {"male", "female"}):
        abstract = row["male"].endswith(("hood", "ity", "archy"))
        expected = (None, None) if abstract else ("masculine", "feminine")
        assert (gender_of(row["male"]), gender_of(row["female"])) == expected


@pytest.mark.parametrize("rule", ALONE)
def test_a_rule_leaves_its_example_alone(rule: str, annotator: Annotator, lists: Lists) -> None:
    text, pair_id, found = ALONE[rule]
    longer = ["race:Native American>Thai"] if rule == "part_of_longer_term" else []
    substituting = selective([pair_id, *longer], annotator=annotator, lists=lists, rules=[rule])
    source = pair_id.partition(":")[2].partition(">")[0]
    [ruling] = [one for one in substituting.rulings(text) if one.occurrence.source == source]
    start, end = ruling.occurrence.span
    assert (ruling.rule, text[start:end]) == (rule, found)
    free = selective([pair_id], annotator=annotator, lists=lists, rules=(), coherent=False)
    assert free.edit_spans(text)[pair_id.partition(":")[0]]


@pytest.mark.parametrize(
    ("text", "is_part"),
    [
        ("He read the American Civil Code.", True),
        ("He works at the American Bar Association.", True),
        ("He met American tourists.", False),
    ],
)
def test_a_part_of_a_name_is_told_by_the_name(
    text: str, is_part: bool, annotator: Annotator, lists: Lists
) -> None:
    span = (text.index("American"), text.index("American") + len("American"))
    annotation = annotator.annotate(text)
    scene = Scene(annotation, {"race": {"American": [span]}}, lists)
    occurrence = Occurrence("race", "American", span, annotation.inside(span))
    mention = Mention("American", occurrence.head, (occurrence.head,))
    assert part_of_name(mention, occurrence, scene) is is_part


TOLD = {
    "a gendered word in the sentence": (
        "gender_told",
        "The waiter saw a queen.",
        "gender:waiter>waitress",
    ),
    "a pronoun beside a plural": (
        "gender_told",
        "I took my sons. He cried.",
        "gender:sons>daughters",
    ),
    "one beside several": ("other_number", "My sons came. One son cried.", "gender:sons>daughters"),
}


@pytest.mark.parametrize("name", TOLD)
def test_words_beside_a_term_tell_what_it_is(name: str, annotator: Annotator, lists: Lists) -> None:
    rule, text, pair_id = TOLD[name]
    substituting = selective([pair_id], annotator=annotator, lists=lists, rules=[rule])
    assert {one.rule for one in substituting.rulings(text)} == {rule}
    other = [name for name in RULES if name != rule]
    free = selective([pair_id], annotator=annotator, lists=lists, rules=other)
    assert mutants_of(text, free)


PLAIN = {
    "a name of nothing but the term": ("He met Americans.", "race:Americans>Cubans", "met Cubans"),
    "a compound with a hyphen": (
        "A part-time nurse came.",
        "gender:nurse>doctor",
        "part-time doctor",
    ),
    "an actor on the stage": ("No actor in this movie.", "gender:actor>actress", "No actress"),
    "a person": ("A person came.", "body:person>blind person", "A blind person"),
    "a demonym": ("A Greek tourist.", "race:Greek>Thai", "A Thai tourist"),
    "a believer": ("A Sikh tourist.", "religion:Sikh>Hindu", "A Hindu tourist"),
    "believers": ("We met Muslims.", "religion:Muslims>Christians", "met Christians"),
    "an orientation": (
        "A homosexual student came.",
        "sexual_orientation:homosexual>bisexual",
        "A bisexual student",
    ),
    "a class": (
        "A film about the working class.",
        "socioeconomic_status:working class>upper class",
        "the upper class",
    ),
    "a status": (
        "A wealthy widow came.",
        "socioeconomic_status:wealthy>homeless",
        "A homeless widow",
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_no_rule_leaves_plain_terms_alone(name: str, annotator: Annotator, lists: Lists) -> None:
    text, pair_id, expected = PLAIN[name]
    substituting = selective([pair_id], annotator=annotator, lists=lists)
    assert expected in mutants_of(text, substituting)[pair_id]


DOUBTFUL = {
    "two persons": ("The tenant met the guest, and he left.", "gender:he>she"),
    "a name": ("The tenant met John Smith, and he left.", "gender:he>she"),
    "six persons": (
        "The judge, the tenant, the guest, the owner, the agent and the driver saw that he left.",
        "gender:he>she",
    ),
    "two men": ("The widower told the monk that he was ill.", "gender:widower>widow"),
    "a pronoun of nobody": ("He left.", "gender:he>she"),
    "a pronoun before its noun": ("When he came, the tenant left.", "gender:he>she"),
    "a pronoun elsewhere": ("The tenant said he left.\n\nHe came.", "gender:he>she"),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_is_in_doubt_is_left_alone(name: str, annotator: Annotator, lists: Lists) -> None:
    text, pair_id = DOUBTFUL[name]
    substituting = selective([pair_id], annotator=annotator, lists=lists, rules=())
    assert mutants_of(text, substituting) == {}
    assert {ruling.rule for ruling in substituting.rulings(text)} == {"ambiguous_chain"}


def test_a_chain_belongs_to_its_first_form(annotator: Annotator, lists: Lists) -> None:
    text = "The tenant may keep his dog if he likes it."
    pair_ids = ["gender:he>she", "gender:his>her"]
    substituting = selective(pair_ids, annotator=annotator, lists=lists, rules=())
    assert list(mutants_of(text, substituting)) == ["gender:he>she"]
    rules = {one.occurrence.source: one.rule for one in substituting.rulings(text)}
    assert rules == {"he": None, "his": "other_form"}


def test_pairs_that_would_make_the_same_mutants_are_one(lists: Lists) -> None:
    pairs = word_pairs(["gender:her>him", "gender:her>his", "gender:Mr>Mrs", "gender:Mr>Ms"])
    assert [pair.pair_id for pair in coherent_pairs(pairs, lists=lists)] == [
        "gender:her>him",
        "gender:Mr>Mrs",
        "gender:Mr>Ms",
    ]


def test_occupations_are_replaced_by_others_of_their_rows_alone(lists: Lists) -> None:
    pairs = word_pairs(
        ["gender:doctor>nurse", "gender:lawyer>hairdresser", "gender:clerk>nun", "body:fat>thin"]
    )
    assert [pair.pair_id for pair in coherent_pairs(pairs, lists=lists)] == [
        "gender:doctor>nurse",
        "gender:clerk>nun",
        "body:fat>thin",
    ]


def test_occurrences_of_terms_without_a_partner_are_counted(annotator: Annotator) -> None:
    sheet = read_sheet(ROOT / "config" / "occurrences.yaml", OccurrencesSheet).model_dump()
    mutation = {"operator": "coherent", "occurrences": [], "lists": sheet}
    # A doctor may become a nurse, and a lawyer no hairdresser: they are not alike.
    pairs = [
        replace(pair, operator="coherent")
        for pair in word_pairs(["gender:doctor>nurse", "gender:lawyer>hairdresser"])
    ]
    made = operating_by([mutation], pairs=pairs, annotator=lambda: annotator)
    substituting = made["coherent"]
    counts: Counter[tuple[str, str | None]] = Counter()
    for text in ("The doctor met a lawyer and a Lawyer.", "No lawyer came."):
        counts.update((one.occurrence.source, one.rule) for one in substituting.rulings(text))
        assert "lawyer" not in substituting.edit_spans(text)["gender"]
    assert counts == {("doctor", None): 1, ("lawyer", "without_partner"): 3}


def test_every_occupation_of_the_dictionary_has_a_row(lists: Lists) -> None:
    sheet = read_sheet(ROOT / "config" / "dictionary" / "occupation.yaml", DictionarySheet)
    groups = [block.terms for block in sheet.pairs]
    occupations = {term for terms in groups for names in terms.values() for term in names}
    assert len(occupations) > 50
    assert occupations == lists.alike.keys()


def test_a_chain_that_overlaps_another_term_makes_no_mutant_with_it(
    annotator: Annotator, lists: Lists, invariants: Mapping[Comparator, Invariant]
) -> None:
    text = "The widow lost her old ring."
    ids = ["gender:widow>widower", "age:her old>his new"]
    substituting = selective(ids, annotator=annotator, lists=lists, rules=())
    rows = _rows_of(
        [Text("t", text)], substituting, orders=[1, 2], invariant=invariants[Comparator.TOLERANT]
    )
    assert [row["attributes"] for row in rows] == ["age", "gender"]


HARD = {
    "quotes never closed": "“He said \"The widow 'lost her ring and never ‘came back.",
    "all capitals": "THE WIDOW LOST HER RING AND SHE CRIED.",
    "one name": "Mary Jane Watson",
    "nothing": "",
    "white space": " \n\t ",
    "no word": "... !!! ???",
    "broken lines": "The wid-\now lost her\n\n\nring. She\u2028cried",
    "a surrogate's worth of signs": "👩🏽‍🚀 she 👍🏽 her 👍🏽 widow İ",
}


@pytest.mark.parametrize("name", HARD)
def test_hard_texts_are_ruled_on(name: str, annotator: Annotator, lists: Lists) -> None:
    ids = ["gender:widow>widower", "gender:she>he", "gender:her>his", "race:Jane>Thai"]
    substituting = selective(ids, annotator=annotator, lists=lists)
    text = HARD[name]
    rulings = substituting.rulings(text)
    assert len({(one.occurrence.source, one.occurrence.span) for one in rulings}) == len(rulings)
    for mutant in mutants_of(text, substituting).values():
        assert mutant != text


def test_a_sentence_too_long_to_parse_is_left_alone(
    parser_folder: Path, tmp_path: Path, lists: Lists
) -> None:
    short = Annotator(parser_folder, store=tmp_path, max_sentence_chars=20)
    text = "The widow left. The widow lost her ring in the garden."
    substituting = selective(["gender:widow>widower"], annotator=short, lists=lists)
    assert [one.rule for one in substituting.rulings(text)] == ["elsewhere", "unannotated"]


def test_annotations_are_kept(parser_folder: Path, tmp_path: Path) -> None:
    text = "Mary saw a man. He left."
    made = repr(Annotator(parser_folder, store=tmp_path).annotate(text))
    assert "lemma='see'" in made
    [entry] = tmp_path.rglob("*.annotation")
    assert repr(Annotator(parser_folder, store=tmp_path).annotate(text)) == made
    entry.write_bytes(b"damaged")
    assert repr(Annotator(parser_folder, store=tmp_path).annotate(text)) == made


# Small pools, so that persons meet, chains cross and places overlap.
PEOPLE = ("man", "widow", "tenant", "actor", "John Smith", "nurse", "Executive", "American", "boys")
FRAMES = (
    "The {0} told the {1} that {2} lost {3} ring",
    "A {0} came. {2} left {3} dog with an old {1}",
    "{0} is an {1}, and {2} hurt {4}",
    "In {3} house the {0} may do as {2} or she likes",
    "The American {0} saw {5}. An {1} saw {3} old car and {2} cried",
    "“The {0} of the {1}” is {3} book",
    "{0}, {1}. {2} {3} {4} {5}",
)
TEXTS = st.lists(
    st.builds(
        lambda frame, words, casing, end: casing(frame.format(*words)) + end,
        st.sampled_from(FRAMES),
        st.tuples(
            st.sampled_from(PEOPLE),
            st.sampled_from(PEOPLE),
            st.sampled_from(("he", "she", "He", "She")),
            st.sampled_from(("his", "her", "His", "the")),
            st.sampled_from(("himself", "herself", "him")),
            st.sampled_from(("him", "her", "it")),
        ),
        st.sampled_from((str, str, str, str.upper)),
        st.sampled_from((". ", ". ", "! ", ".\n", ".\n\n", " ")),
    ),
    min_size=1,
    max_size=4,
).map("".join)
POOL = (
    *("gender:man>woman", "gender:man>gay man", "gender:widow>widower", "gender:actor>actress"),
    *("gender:he>she", "gender:she>he", "gender:his>her", "gender:her>his", "gender:her>him"),
    *("gender:him>her", "gender:himself>herself", "gender:herself>himself", "gender:nurse>cop"),
    *("race:American>Ethiopian", "race:American>Thai", "race:African American>Thai"),
    *("age:old>young", "age:old man>boy", "age:old>elderly", "body:tenant>obese tenant"),
    *("body:man>disabled man", "body:nurse>blind nurse", "body:actor>ugly actor"),
)


@pytest.mark.release
@settings(REPEATABLE, max_examples=150)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=2),
    pair_ids=st.sets(st.sampled_from(POOL), min_size=3, max_size=10),
    rules=st.sampled_from([(), (), tuple(RULES), ("compound", "gender_told", "country_named")]),
    coherent=st.sampled_from([True, True, True, False]),
    comparator=st.sampled_from(Comparator),
)
def test_the_engine_is_literal_over_the_same_substitution(
    texts: list[str],
    pair_ids: set[str],
    rules: tuple[str, ...],
    coherent: bool,
    comparator: Comparator,
    annotator: Annotator,
    lists: Lists,
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    substituting = selective(
        sorted(pair_ids), annotator=annotator, lists=lists, rules=rules, coherent=coherent
    )
    _assert_engine_is_literal(
        [Text(str(number), text) for number, text in enumerate(texts)],
        substituting,
        orders=[1, 2, 3],
        invariant=invariants[comparator],
        memory=memory,
    )


@pytest.mark.parametrize("rules", [(), tuple(RULES)])
@pytest.mark.parametrize("count", [2, pytest.param(6, marks=pytest.mark.release)])
def test_the_engine_is_literal_on_real_reviews(
    count: int,
    rules: tuple[str, ...],
    reviews: list[Text],
    annotator: Annotator,
    lists: Lists,
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    files = sorted((ROOT / "config" / "dictionary").glob("*.yaml"))
    pairs = build_pairs(
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in files
    )
    index = DictionaryIndex(coherent_pairs(pairs, lists=lists))
    none = DictionaryIndex([])
    substituting = Selective(index, none, Persons(annotator, lists), rules, coherent=True)
    few = (review for review in reviews if 0 < _atomic(review.text, substituting) <= MOST_ATOMIC)
    chosen = list(islice(few, count))
    assert len(chosen) == count
    _assert_engine_is_literal(
        chosen,
        substituting,
        orders=[1, 2],
        invariant=invariants[Comparator.TOLERANT],
        memory=memory,
    )


def _atomic(text: str, substituting: Selective) -> int:
    """How many atomic mutants a text has."""
    return sum(
        len(substituting.index.by_source[attribute][source])
        for attribute, sources in substituting.edit_spans(text).items()
        for source in sources
    )


def _assert_engine_is_literal(
    originals: Sequence[Text],
    substituting: Selective,
    *,
    orders: list[int],
    invariant: Invariant,
    memory: RememberingParser,
) -> None:
    rows = _rows_of(originals, substituting, orders=orders, invariant=invariant)
    answers = literal_answers(
        originals,
        pairs=substituting.index.pairs,
        orders=orders,
        check=LiteralCheck(memory, str(invariant.comparator)),
        substituting=substituting,
    )
    assert {row["mutant_id"]: row["reason"] or "valid" for row in rows} == {
        key: mutant.reason for key, mutant in answers.items()
    }
    texts = {text.original_id: text.text for text in originals}
    mutants = {row["mutant_id"]: Mutant.of_row(row, texts[row["original_id"]]) for row in rows}
    for key, mutant in mutants.items():
        assert (mutant.mutant_id, mutant.text) == (key, answers[key].text)
    if substituting.coherent:
        for mutant in mutants.values():
            for part in parts_of(mutant.pair_ids)[1:]:
                own = mutant.part(part)
                assert own == mutants[own.mutant_id]


def _rows_of(
    texts: Sequence[Text], substituting: Selective, *, orders: list[int], invariant: Invariant
) -> list[dict[str, Any]]:
    checked = list(check_block(texts, operating=substituting, orders=orders, invariant=invariant))
    rows: list[dict[str, Any]] = list_orders(
        checked, orders=orders, index=substituting.index
    ).to_pylist()
    counted = count_mutants(checked, operator=substituting.index.operator)
    assert sum(counted["mutants"].to_pylist()) == len(rows)
    return rows
