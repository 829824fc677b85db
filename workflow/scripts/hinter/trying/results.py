"""Format the results for the terminal: the mentions in a text, and its biased mutants."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..corpora import Text
from ..lattice import lattice_of
from ..mutation import Mutant, Span

Row = Mapping[str, Any]
SHOWN = 5


def show_tried(
    texts: Sequence[Text],
    *,
    mentioned: Mapping[str, Sequence[str]],
    mutants: Sequence[Row],
    verdicts: Sequence[Row],
    predictions: Mapping[str, Row],
) -> str:
    """Return the mentions in texts, lattices of biased mutants, hidden ones first, and the totals.

    `mentioned` has lines by original_id, `mutants` all checked mutants, `verdicts` those on the
    mutants asked about, and `predictions` are by input_id. At most `SHOWN` lattices are shown for a
    text. A mutant inside another lattice has none.
    """
    lines: list[str] = []
    by_id = {row["mutant_id"]: row for row in mutants}
    for text in texts:
        of_text = [row for row in verdicts if row["original_id"] == text.original_id]
        tops, asked = _tops(of_text), {row["mutant_id"]: row for row in of_text}
        lines += [_line("original", text.text, predictions.get(text.original_id))]
        lines += ["", *mentioned[text.original_id]]
        if not of_text:
            lines += ["", "  not asked: no valid mutant of several attributes"]
        for top in tops[:SHOWN]:
            lines += ["", f"  {_verdict(top)}: {', '.join(top['pair_ids'])}"]
            for key in lattice_of(top["original_id"], top["pair_ids"]):
                if key not in by_id:
                    continue
                # A part has its check if it was not asked about.
                part = {**by_id[key], **asked.get(key, {})}
                mutant = Mutant.of_row(part, text.text)
                shown = marked(mutant.text, mutant.spans.values())
                lines += [f"    {_line(_verdict(part), shown, predictions.get(key))}"]
        if len(tops) > SHOWN:
            lines += ["", f"  and {len(tops) - SHOWN} more that are biased"]
        lines += [""]
    return "\n".join([*lines, _summary(mutants, verdicts)])


def _tops(verdicts: Iterable[Row]) -> list[Row]:
    """Return biased mutants, hidden ones first, then by order, without those inside another."""
    biased = [row for row in verdicts if row["biased"]]
    outer = [
        row
        for row in biased
        if not any(set(row["pair_ids"]) < set(other["pair_ids"]) for other in biased)
    ]
    return sorted(outer, key=lambda row: (not row["hidden"], -row["order"], row["mutant_id"]))


def _verdict(row: Row) -> str:
    if row["valid"] is None:
        return "unchecked"
    if not row["valid"]:
        return f"discarded ({row['reason']})"
    if row.get("status") == "identical":
        return "not seen"
    if row.get("hidden"):
        return "hidden"
    words = {True: "biased", False: "benign", None: "no verdict"}
    return words[row.get("biased")]


def marked(text: str, spans: Iterable[Span]) -> str:
    """Return a text with square brackets around those of its spans that are not empty."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}" if start < end else text
    return text


def _line(what: str, text: str, prediction: Row | None) -> str:
    return f"{what:10} {show_outcome(prediction):20} {text}"


def show_outcome(prediction: Row | None) -> str:
    """Return the outcome of a prediction, if there is one, with the score of its first label."""
    if prediction is None:
        return "not asked"
    if prediction["status"] != "ok" and not prediction["outcome"]:
        return str(prediction["status"])
    labels = ", ".join(prediction["outcome"] or []) or "no label"
    scores = dict(prediction["scores"] or ())
    first = next((scores[label] for label in prediction["outcome"] or [] if label in scores), None)
    return labels if first is None else f"{labels} ({first:+.2f})"


def _summary(mutants: Sequence[Row], verdicts: Sequence[Row]) -> str:
    valid = sum(row["valid"] is True for row in mutants)
    seen = [row for row in verdicts if row["visible_order"] == row["order"]]
    biased = sum(row["biased"] is True for row in seen)
    hidden = sum(row["hidden"] is True for row in seen)
    beyond = len(verdicts) - len(seen)
    return (
        f"{len(mutants):,} mutants, {valid:,} valid, {len(seen):,} asked (sampled by the seed "
        f"if there are more than `suite.pairs_per_attribute` pairs): "
        f"{biased:,} biased, {hidden:,} of them hidden"
        + (f"; {beyond:,} more change what is beyond the model's window" if beyond else "")
    )
