"""Check that the models of a study can be reached and loaded: each is asked about one text."""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..corpora import TESTED, read_split
from ..dollars import in_dollars
from ..errors import InputError
from ..models import NANO_DOLLARS, ParsedAnswer, Prices, Status, find_facts, open_model, read_task
from ..predictions import Opened, again_once_learnt, find_prices, find_spending
from ..responses import ResponseStore
from .results import show_outcome

SAMPLE = "This is a text, written to be tried."
LARGEST_MB = 3000
"""The weights of larger models are not loaded, as that would take too long for a check."""
YES, LATER, UNSURE, NO = "yes", "not yet", "unsure", "NO"
Entry = Mapping[str, Any]
Say = Callable[[str], object]
_say = partial(print, file=sys.__stdout__, flush=True)


class Checked(NamedTuple):
    """Whether a model can be used, in a word; what it said or what is wrong; and further facts."""

    usable: str
    said: str
    facts: Mapping[str, str] = {}


def check_models(entries: Sequence[Entry], *, paid: Entry, say: Say = _say) -> None:
    """Report for each model whether it can be used, how, and what it said; raise if one cannot.

    Each of the `entries` has the model's `name`, `kind` and the `fault` of its entry in the models
    sheet, if any; the resource or folder that it comes from (`source`), and the `folder` from which
    it is run, with its size in `megabytes`; and how it is asked about one dataset (`asking`, with
    the paths of its `inputs` and its `corpus`). `paid` has the budget and prices of endpoints, each
    of which is asked at most one question. If a model fails, all others are still checked.
    """
    broken = []
    for entry in entries:
        checked = _checked(entry, paid=paid, say=say)
        say(f"{entry['name']:24} {entry['kind']:9} {checked.usable:8} {checked.said}")
        for name, fact in checked.facts.items():
            say(f"  {name:22} {fact}")
        broken += [entry["name"]] * (checked.usable == NO)
    if broken:
        raise InputError(
            where="models sheet",
            found=f"{len(broken)} of {len(entries)} that cannot be used: {', '.join(broken)}",
            expected="models that can be reached and loaded",
            fix="The table above says for each what to do.",
        )
    say(f"{len(entries)} checked: none that cannot be used")


def _checked(entry: Entry, *, paid: Entry, say: Say) -> Checked:
    try:
        if entry["fault"]:
            return Checked(NO, entry["fault"])
        return _unasked(entry) or _asked(entry, paid=paid, say=say)
    except InputError as error:
        return Checked(NO, str(error))
    except Exception as error:  # A model, or a function of the user, may fail in any way.
        logging.exception("%s", entry["name"])
        said = " ".join(str(error).split())[:300]
        return Checked(NO, f"{type(error).__name__}: {said}. See the job's log.")


def _unasked(entry: Entry) -> Checked | None:
    """Return the result for a model that cannot be asked now, or None for one that can."""
    source, folder = Path(entry["source"]), Path(entry["folder"])
    if entry["kind"] == "answers":
        missing = [path for path in entry["files"] if not Path(path).is_file()]
        said = f"asked elsewhere: `snakemake suite` writes its texts; no {', '.join(missing)}"
        return Checked(LATER, said) if missing else Checked(YES, "its answers are there")
    if not source.exists():
        size = f"{entry['megabytes']:,} MB"
        return Checked(LATER, f"not fetched ({size}): run `snakemake --cores 1 resources`")
    if folder.exists() and entry["megabytes"] <= LARGEST_MB:
        return None
    if folder.exists() or entry["asking"]["sheet"].get("kind") == "encoder":
        facts = find_facts(source, sheet=entry["asking"]["sheet"], model=None)
        why = "is fine-tuned in the run" if folder != source else "not loaded, as it is large"
        return Checked(LATER, f"{why}; settings and tokenizer open", facts)
    return Checked(LATER, "its weights are converted in the run")


def _asked(entry: Entry, *, paid: Entry, say: Say) -> Checked:
    asking, folder, corpus = entry["asking"], Path(entry["folder"]), Path(entry["corpus"])
    prompt, task = entry["inputs"].get("prompt"), entry["asking"]["task"]
    is_paid = entry["kind"] == "endpoint"
    sheet = {**asking["sheet"], **({"patient": False} if is_paid else {})}
    store = Path(asking["store"])
    spending = find_spending(**paid, model=sheet["model"], store=store) if is_paid else None
    with TemporaryDirectory() as scratch:
        kept = store if is_paid else Path(scratch)
        model = open_model(
            folder,
            sheet=sheet,
            **task,
            task=read_task(corpus=corpus, prompt=prompt, **task) if prompt else None,
            offsets={} if entry["inputs"].get("offsets") else None,
            seed=asking["seed"],
            spending=spending,
            notes=kept,
        )
        # A tested text, which the study asks about anyway, if there is a corpus.
        tested = read_split(corpus, split=TESTED)[:1] if corpus.exists() else []
        text = tested[0].text if tested else SAMPLE
        if is_paid:
            # This costs nothing, and explains best why a server cannot be reached.
            find_facts(folder, sheet=sheet, model=model)
            prices = find_prices(paid["prices"], model=sheet["model"])
            say(f"{entry['name']}: asked one question, {_price(model, text, prices=prices)}")
        responses = ResponseStore(kept, fingerprint=model.fingerprint)
        parsed = _answer(Opened(model, responses), text=text)
        facts = find_facts(folder, sheet=sheet, model=model)
    usable = UNSURE if parsed.status is Status.UNPARSED else YES
    return Checked(usable, _said(parsed), {**facts, "asked about": repr(text[:60])})


def _price(model: Any, text: str, *, prices: Prices | None) -> str:
    if prices is None:
        return "which has no price in the price sheet"
    [asked] = model.input_tokens([text])
    most = prices.cost(input_tokens=asked, output_tokens=model.max_answer_tokens) / NANO_DOLLARS
    return f"for {in_dollars(most)} at most, unless its answer is known"


@again_once_learnt
def _answer(opened: Opened, *, text: str) -> ParsedAnswer:
    [window] = opened.asked.windows([text])
    return opened.ask({window.digest: text}, advance=lambda _: None)[window.digest]


def _said(parsed: ParsedAnswer) -> str:
    outcome = show_outcome(
        {"status": parsed.status, "outcome": parsed.outcome, "scores": parsed.scores}
    )
    if parsed.answer is None:
        return outcome
    return f"{' '.join(parsed.answer.split())[:60]!r}, read as {outcome}"
