"""Algorithms 1 and 2, literally: the oracle that the engine's checks are held against.

Every mutant is made and checked by itself, from its whole text. Only splitter and parser are
the engine's, and both are given exactly what the algorithms give them: a whole text, and one
sentence at a time. Parses are kept by sentence, so a sentence that comes back is not parsed again;
this changes no check as long as a parser answers the same question the same way.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from hinter.corpora import Text
from hinter.dictionary import WordPair
from hinter.invariant import Parse, Parser, split_sentences
from hinter.mutation import Operating, Role, indefinite_article, plain
from hinter.mutation.combinations import TermSpans
from hinter.mutation.edits import wording
from hinter.mutation.plain import MARK

HYPHENS = ("-", "\N{SOFT HYPHEN}", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}")


class Mutant(NamedTuple):
    """A mutant's text and its check: `valid`, `unchecked`, or why it is discarded."""

    text: str
    reason: str


class Replacement(NamedTuple):
    """A pair at one of its places: where its source stands, and where its target does."""

    pair: WordPair
    source: range
    target: range


class Mutation(NamedTuple):
    """A mutated text with all that was replaced in it."""

    text: str
    replacements: list[Replacement]

    def of(self, original: str) -> str:
        """The text, had it been made of this original, which is as long as its own."""
        mutant, position = "", 0
        for _, source, target in self.replacements:
            mutant += original[position : source.start] + self.text[target.start : target.stop]
            position = source.stop
        return mutant + original[position:]


class Token(NamedTuple):
    """One token of a parsed sentence; `replaced` where it overlaps a replaced place."""

    tag: int
    label: int
    head: int
    replaced: bool


NOTHING = Token(-1, -1, -1, replaced=True)
"""What a replaced place without characters holds."""


class RememberingParser:
    """Parses one sentence at a time, no sentence twice."""

    def __init__(self, parser: Parser) -> None:
        self.max_chars = parser.max_chars
        self._parser = parser
        self._parses: dict[str, Parse] = {}

    def starts(self, text: str, sentence: range) -> list[int]:
        """Return where each token of a sentence of `text` starts in it."""
        parse = self._parse(text[sentence.start : sentence.stop])
        return [sentence.start + start for start, _ in parse.token_spans]

    def tokens(self, text: str, sentence: range, replaced: Iterable[range]) -> list[Token]:
        """Return the tokens of a sentence of `text`, given the replaced places of that text."""
        parse = self._parse(text[sentence.start : sentence.stop])
        columns = zip(parse.tags, parse.labels, parse.heads, parse.token_spans, strict=True)
        taken = {character for span in replaced for character in span}
        return [
            Token(tag, label, head, not taken.isdisjoint(sentence[start:end]))
            for tag, label, head, (start, end) in columns
        ]

    def _parse(self, sentence: str) -> Parse:
        if sentence not in self._parses:
            [self._parses[sentence]] = self._parser.parse([sentence])
        return self._parses[sentence]


@dataclass(frozen=True)
class LiteralCheck:
    """Algorithm 2 on one original and one mutant.

    `comparator` is `tolerant`, `strict` or `heads`. A changed sentence that is longer than
    `max_chars` before or after, or than the parser takes, is not compared. With `tail_passes`, the
    last sentence passes if it would go on were there more text.
    """

    parser: RememberingParser
    comparator: str = "tolerant"
    max_chars: int | None = None
    tail_passes: bool = False

    def reason(self, original: str, mutation: Mutation) -> str:
        """Return `valid`, `unchecked`, or why the mutant fails: `sentence_count`, `pos` or `dep`.

        Of several failing sentences that with the fewest replaced terms counts, then the first.
        """
        sentences, mutated_sentences = _split(original), _split(mutation.text)
        if len(sentences) != len(mutated_sentences):
            return "sentence_count"
        failing: list[tuple[int, int, str]] = []
        unchecked = False
        has_tail = len(_split(f"{original.rstrip()} x")) == len(sentences)
        compared = len(sentences) - (self.tail_passes and has_tail)
        for i in range(compared):
            reason = self._sentence_reason(original, mutation, sentences[i], mutated_sentences[i])
            if reason == "unchecked":
                unchecked = True
            elif reason != "valid":
                terms = {
                    replacement.pair.attribute
                    for replacement in mutation.replacements
                    if _overlap(replacement.target, mutated_sentences[i])
                }
                failing.append((len(terms), i, reason))
        if failing:
            return min(failing)[-1]
        return "unchecked" if unchecked else "valid"

    def _sentence_reason(
        self, original: str, mutation: Mutation, before: range, after: range
    ) -> str:
        if original[before.start : before.stop] == mutation.text[after.start : after.stop]:
            return "valid"
        longest = max(len(before), len(after))
        if longest > self.parser.max_chars or (self.max_chars and longest > self.max_chars):
            return "unchecked"
        sources = [replacement.source for replacement in mutation.replacements]
        targets = [replacement.target for replacement in mutation.replacements]
        tree = self.parser.tokens(original, before, sources)
        if self.comparator != "tolerant":
            tree = _with_nothing(tree, self.parser.starts(original, before), sources)
        mutated_tree = self.parser.tokens(mutation.text, after, targets)
        if not self._same(
            [token.tag for token in tree], tree, [token.tag for token in mutated_tree], mutated_tree
        ):
            return "pos"
        if not self._same(
            [token.label for token in tree],
            tree,
            [token.label for token in mutated_tree],
            mutated_tree,
        ):
            return "dep"
        if self.comparator == "heads" and not same_arcs(tree, mutated_tree):
            return "dep"
        return "valid"

    def _same(
        self,
        values: Sequence[int],
        tree: Sequence[Token],
        mutated_values: Sequence[int],
        mutated_tree: Sequence[Token],
    ) -> bool:
        if self.comparator == "tolerant":
            return tolerant_table_comp(values, mutated_values)
        flags = [token.replaced for token in tree]
        mutated_flags = [token.replaced for token in mutated_tree]
        return same_in_place(values, flags, mutated_values, mutated_flags)


def _with_nothing(
    tree: Sequence[Token], starts: Sequence[int], sources: Iterable[range]
) -> list[Token]:
    """Return the tokens with a replaced `NOTHING` wherever something is put in between them."""
    empty = {source.start for source in sources if not source}
    shifts = [sum(other <= start for other in empty) for start in starts]
    full: list[Token] = []
    for token, start in zip(tree, starts, strict=True):
        if start in empty:
            full.append(NOTHING)
        full.append(token._replace(head=token.head + shifts[token.head]))
    return full


def word_pairs(pair_ids: Iterable[str]) -> list[WordPair]:
    """Return the word pairs with ids that read `attribute:source>target`, spaces kept."""
    pairs = []
    for pair_id in pair_ids:
        attribute, words = pair_id.split(":")
        source, target = words.split(">")
        pairs.append(WordPair(pair_id, attribute, "one", "another", source, target))
    return pairs


def literal_answers(
    texts: Iterable[Text],
    *,
    pairs: Sequence[WordPair],
    orders: Sequence[int],
    check: LiteralCheck,
    substituting: Operating | None = None,
) -> dict[str, Mutant]:
    """Return the check and the text of every mutant of several originals by its mutant_id.

    Where `substituting` is given, it tells what changes with each term of a text.
    """
    answers: dict[str, Mutant] = {}
    for text in texts:
        answers |= literal_mutants(
            text.original_id,
            text.text,
            pairs=pairs,
            orders=orders,
            check=check,
            edit_spans=substituting.edit_spans(text.text) if substituting else None,
        )
    return answers


def literal_mutants(
    original_id: str,
    original: str,
    *,
    pairs: Iterable[WordPair],
    orders: Iterable[int],
    check: LiteralCheck,
    edit_spans: TermSpans | None = None,
) -> dict[str, Mutant]:
    """Return the check and the text of every mutant of an original by its mutant_id.

    All is done to what is plain of the original, and at last to itself.
    """
    shown = plain(original)
    present = present_pairs(shown, pairs)
    mutants = {}
    for order in orders:
        for chosen in pairs_of_different_attributes(present, order=order):
            if edit_spans is None:
                mutation = substitute(shown, chosen)
            else:
                mutation = substitute_at(shown, chosen, edit_spans=edit_spans)
            if mutation is not None:
                mutant_id = "|".join([original_id, *(pair.pair_id for pair in chosen)])
                text = mutation.of(original)
                mutants[mutant_id] = Mutant(text, check.reason(shown, mutation))
    return mutants


def present_pairs(original: str, pairs: Iterable[WordPair]) -> list[WordPair]:
    """Return the pairs whose source stands in the original, sorted by attribute."""
    pairs = list(pairs)
    sources = {pair.source for pair in pairs}
    present = {source for source in sources if any(occurrences(source, original))}
    return sorted(
        (pair for pair in pairs if pair.source in present), key=lambda pair: pair.attribute
    )


def pairs_of_different_attributes(
    pairs: Sequence[WordPair], *, order: int
) -> Iterator[tuple[WordPair, ...]]:
    """Yield every choice of `order` pairs, no two of the same attribute."""
    for chosen in combinations(pairs, order):
        if len({pair.attribute for pair in chosen}) == order:
            yield chosen


def substitute(original: str, pairs: Sequence[WordPair]) -> Mutation | None:
    """Return the original with all pairs substituted at once, or None where one has no place left.

    Pairs take their characters in turn, those with the longest source first; an occurrence that
    has lost a character to an earlier pair is left alone.
    """
    owners: list[WordPair | None] = [None] * len(original)
    sources: list[tuple[int, range, WordPair]] = []
    for pair in sorted(pairs, key=lambda pair: -len(pair.source)):
        edit_spans = [
            span
            for span in occurrences(pair.source, original)
            if all(owners[position] is None for position in span)
        ]
        if not edit_spans:
            return None
        for span in edit_spans:
            sources.append((span.start, span, pair))
            for position in span:
                owners[position] = pair
    return _put_in(
        original,
        [
            (source, pair, recased(seen(original[start : source.stop]), pair.target))
            for start, source, pair in sources
        ],
    )


def substitute_at(
    original: str, pairs: Sequence[WordPair], *, edit_spans: TermSpans
) -> Mutation | None:
    """Return the original with all pairs substituted at the given places.

    None where a pair has no place, or where the places of two pairs share a character.
    """
    owners: dict[int, WordPair] = {}
    changes = []
    for pair in pairs:
        own = edit_spans[pair.attribute].get(pair.source, ())
        if not own:
            return None
        for start, end, role, _ in own:
            if any(owners.setdefault(position, pair) != pair for position in range(start, end)):
                return None
            changes.append((range(start, end), pair, _put(original, start, end, role, pair)))
    return _put_in(original, changes)


def _put(original: str, start: int, end: int, role: Role, pair: WordPair) -> str:
    """Return what replaces a place; what stands behind an article is the pair's target."""
    if role is not Role.ARTICLE:
        return wording(seen(original[start:end]), role, pair.target)
    article = indefinite_article(pair.target)
    behind = seen(original[end:]).lstrip()[: len(pair.source)]
    among_capitals = behind == behind.upper() and len(behind) > 1
    return (
        article.upper()
        if original[start].isupper() and among_capitals
        else recased(original[start:end], article)
    )


def _put_in(original: str, changes: Iterable[tuple[range, WordPair, str]]) -> Mutation:
    mutant, position = "", 0
    replacements = []
    for source, pair, replacement in sorted(changes, key=lambda change: change[0].start):
        mutant += original[position : source.start]
        target = range(len(mutant), len(mutant) + len(replacement))
        replacements.append(Replacement(pair, source, target))
        mutant += replacement
        position = source.stop
    return Mutation(mutant + original[position:], replacements)


def occurrences(term: str, text: str) -> Iterator[range]:
    """Yield the whole-word places of `term` in `text`, in any case, left to right, none twice."""
    signs, spelled, lowered = _spelled(text)
    term = _one_spelling(seen(term))
    if term.lower() not in lowered:
        return
    free = 0
    for match in re.finditer(f"(?={re.escape(term)})", _one_spelling(spelled), re.IGNORECASE):
        start, end = match.start(), match.start() + len(term)
        # The case folding of regular expressions is wider than lower-casing: the long s is an s.
        same = _one_spelling(spelled[start:end]).lower() == term.lower()
        if same and start >= free and _stands_alone(spelled[:start], spelled[end:]):
            yield range(signs[start][1].start, signs[end - 1][1].stop)
            free = end


# Thousands of terms are looked for in the same text.
@lru_cache(maxsize=8)
def _spelled(text: str) -> tuple[list[tuple[str, range]], str, str]:
    """Return the signs of a text with their ranges, the text of them, and that in lower case."""
    signs = [*_signs(text)]
    spelled = "".join(sign for sign, _ in signs)
    return signs, spelled, _one_spelling(spelled).lower()


def seen(text: str) -> str:
    """Return a text as it is seen, without what has no width."""
    return "".join(sign for sign, _ in _signs(text))


def _signs(text: str) -> Iterator[tuple[str, range]]:
    """Yield each sign that is seen of a text, with the characters that make it.

    White space is one blank, or one `MARK` or line break where it holds one.
    """
    signs: list[tuple[str, range]] = []
    position = 0
    while position < len(text):
        end = position + 1
        while (
            end < len(text) and not text[position].isspace() and "\u0300" <= text[end] <= "\u036f"
        ):
            end += 1
        for sign in _sign(text[position:end], text[end : end + 1]):
            if sign.isspace() and signs and signs[-1][0].isspace():
                wider = max(signs[-1][0], sign, key=(" ", MARK, "\n").index)
                signs[-1] = wider, range(signs[-1][1].start, end)
            else:
                signs.append((sign, range(position, end)))
        position = end
    return iter(signs)


def _sign(characters: str, following: str) -> str:
    if characters.isspace():
        return "\n" if _ends_a_line(characters) else MARK if characters == MARK else " "
    if characters == "\u00ad" and following.isspace():
        return "-"
    if unicodedata.category(characters[0]) == "Cf":
        return characters[1:]
    composed = unicodedata.normalize("NFC", characters)
    taken_apart = unicodedata.normalize("NFKC", composed)
    is_ligature = composed.isalpha() and taken_apart.isascii() and len(taken_apart) > len(composed)
    return taken_apart if is_ligature else composed


def _one_spelling(text: str) -> str:
    for sign in "‘’ʼ＇":
        text = text.replace(sign, "'")
    for sign in (*HYPHENS[2:], "\ufe63", "\uff0d"):
        text = text.replace(sign, "-")
    return text


def recased(found: str, target: str) -> str:
    """Return `target` in the case of `found`; capitals it is declared with are never lost."""
    letters = [character for character in found if character.isalpha()]
    if len(letters) > 1 and found == found.upper() != found.lower():
        return target.upper()
    if found[0] != found[0].lower():
        return target[0].upper() + target[1:]
    return target


def tolerant_table_comp(first: Sequence[int], second: Sequence[int]) -> bool:
    """Compare two sequences as the paper's appendix does, in the words of its released code.

    Walk both with one pointer each. At a mismatch count an error and, if fewer shifts than the
    difference of the lengths were made, count a shift and move the pointer of the longer sequence
    one further; then both move on. What is left over adds to the errors, which may be as many as
    the difference of the lengths.
    """
    limit = abs(len(first) - len(second))
    i = j = errors = shifts = 0
    while i < len(first) and j < len(second):
        if first[i] != second[j]:
            errors += 1
            if shifts < limit:
                shifts += 1
                if len(first) > len(second):
                    i += 1
                else:
                    j += 1
        i += 1
        j += 1
    errors += len(first[i:]) + len(second[j:])
    return errors <= limit


def same_in_place(
    values: Sequence[int],
    replaced: Sequence[bool],
    mutated_values: Sequence[int],
    mutated_replaced: Sequence[bool],
) -> bool:
    """Tell whether two sequences are equal outside replaced tokens, and nested inside each run.

    What stands before, between and after the runs of replaced tokens must be equal; of a run and
    its mutated form the shorter must be a subsequence of the longer.
    """
    rests, runs = _cut_at_runs(values, replaced)
    mutated_rests, mutated_runs = _cut_at_runs(mutated_values, mutated_replaced)
    if rests != mutated_rests:
        return False
    return all(
        is_subsequence(*sorted(pair, key=len)) for pair in zip(runs, mutated_runs, strict=True)
    )


def _cut_at_runs(
    values: Sequence[int], replaced: Sequence[bool]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return what stands around the runs of replaced tokens (one more than runs), and the runs."""
    rests: list[list[int]] = [[]]
    runs: list[list[int]] = []
    for i in range(len(values)):
        if not replaced[i]:
            rests[-1].append(values[i])
        elif i > 0 and replaced[i - 1]:
            runs[-1].append(values[i])
        else:
            runs.append([values[i]])
            rests.append([])
    return rests, [[value for value in run if value != NOTHING.tag] for run in runs]


def is_subsequence(shorter: Sequence[int], longer: Sequence[int]) -> bool:
    """Tell whether `shorter` is left of `longer` when some elements are struck out."""
    if not shorter:
        return True
    if len(shorter) > len(longer):
        return False
    return is_subsequence(shorter[shorter[0] == longer[0] :], longer[1:])


def same_arcs(tree: Sequence[Token], mutated_tree: Sequence[Token]) -> bool:
    """Tell whether trees agree, whatever the heads of runs that hold nothing in the original."""
    outside, of_runs = arcs(tree)
    mutated_outside, mutated_of_runs = arcs(mutated_tree)
    empty = [i for i in range(len(of_runs)) if _is_empty(tree, i)]
    for i in empty:
        mutated_of_runs[i] = set()
    return outside == mutated_outside and of_runs == mutated_of_runs


def _is_empty(tree: Sequence[Token], number: int) -> bool:
    """Tell whether a run of replaced tokens holds nothing."""
    runs: list[list[Token]] = []
    for i in range(len(tree)):
        if tree[i].replaced and i > 0 and tree[i - 1].replaced:
            runs[-1].append(tree[i])
        elif tree[i].replaced:
            runs.append([tree[i]])
    return all(token == NOTHING for token in runs[number])


def arcs(tree: Sequence[Token]) -> tuple[list[str], list[set[str]]]:
    """Return the head of each token outside, and the outer heads of each run of replaced tokens.

    Tokens outside are named o0, o1, ... and runs r0, r1, ... in text order.
    """
    names: list[str] = []
    outside = runs = 0
    for i, token in enumerate(tree):
        if not token.replaced:
            names.append(f"o{outside}")
            outside += 1
        elif i > 0 and tree[i - 1].replaced:
            names.append(names[-1])
        else:
            names.append(f"r{runs}")
            runs += 1
    of_tokens: list[str] = []
    of_runs: list[set[str]] = [set() for _ in range(runs)]
    for i, token in enumerate(tree):
        if token == NOTHING:
            continue
        head = "root" if token.head == i else names[token.head]
        if not token.replaced:
            of_tokens.append(head)
        elif head != names[i]:
            of_runs[int(names[i][1:])].add(head)
    return of_tokens, of_runs


def _stands_alone(before: str, after: str) -> bool:
    neighbours = before[-1:], after[:1]
    return not (any(map(_is_joined, neighbours)) or _has_begun(before) or _goes_on(after))


def _has_begun(before: str) -> bool:
    """Tell whether a hyphen joins what follows `before` to a word, on the line before too."""
    line = before.rstrip()
    gap = before[len(line) :]
    return line.endswith(HYPHENS) and _is_joined(line[-2:-1]) and (gap == "" or _ends_a_line(gap))


def _goes_on(after: str) -> bool:
    """Tell whether a hyphen joins what precedes `after` to a word, on the next line too."""
    line = after[1:].lstrip()
    gap = after[1 : len(after) - len(line)]
    return (
        after.startswith(HYPHENS)
        and _is_joined(line[:1])
        and (gap == "" or _ends_a_line(gap) or line[0].islower())
    )


def _ends_a_line(gap: str) -> bool:
    return len(f"one{gap}other".splitlines()) > 1


def _is_joined(character: str) -> bool:
    if not character:
        return False
    mark = unicodedata.category(character).startswith("M")
    return character.isalnum() or character == "_" or mark


def _split(text: str) -> list[range]:
    return [range(start, end) for start, end in split_sentences(text)]


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop
