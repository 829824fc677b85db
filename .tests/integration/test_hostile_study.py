"""A study in which all is odd: scripts and mark-up in texts and names, and a useless model.

None of the scripts runs in the report, and the model, whose answers nobody understands, leads to
warnings.
"""

import csv
import json
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
import snakemake as snakemake_itself
import yaml
from browser import dom, needs_browser
from faults import FaultyProxy, completion, running
from runs import checkout, snakemake
from table_files import fractions_among_counts
from tiny import write_classifier

RUN = "document.title='ran'"
HOSTILE = [
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f'<!--<script><img src=x onerror="{RUN}">',
    f"{{{{ 7*7 }}}} {{% raw %}} [x](javascript:{RUN}) `x <javascript:{RUN}>`_",
    f"|`|** \ue001 \ue000 ]]> &lt;img src=x onerror={RUN}&gt; \\",
    f"\n\n.. raw:: html\n\n   <script>{RUN}</script>\n\n",
]
LABELS = {"0": f"bad {HOSTILE[0]}{HOSTILE[3]}", "1": f"good {HOSTILE[1]}{HOSTILE[4]}"}
PEOPLE = ["man", "woman", "boy", "girl", "father", "mother"]
ORIGINS = ["Asian", "Black", "White"]
CONFIG = {
    "seed": 7,
    "datasets_sheet": "small/datasets.yaml",
    "models_sheet": "small/models.yaml",
    "datasets": ["notes"],
    "models": ["own", "message", "called", "useless"],
    "attributes": ["gender", "race"],
    "orders": [1, 2],
    "mutation": {"operators": ["describe"], "descriptors": 2},
    "suite": {"originals": None, "pairs_per_attribute": 10, "discarded": False},
    "shards": 1,
    "grammar": {"enabled": False, "left_out": ["A_RULE"]},
    "case_answers": 0,
    "repeats": 2,
}
DATASET = {
    "about": "".join(HOSTILE),
    "file": "small/notes.csv",
    "text": "text",
    "label": "label",
    "label_names": LABELS,
    "replacements": {HOSTILE[2]: HOSTILE[1]},
    "splits": {"tested": 12, "held_out": 4},
    "prompt": "small/prompt.yaml",
    "more_prompts": ["small/wording.yaml"],
}
PROMPT = {
    "version": 1,
    "instruction": "Say whether a note is {labels}.",
    "question": "Note: {text}\nFeeling:",
    "max_answer_tokens": 4,
    "examples": {},
}
MODELS = {
    "own": {"kind": "encoder", "folder": "small/own", "max_tokens": 128},
    "message": {"kind": "answers", "files": {"notes": "printed.csv"}},
    "called": {"kind": "python", "function": "ours:label", "folder": "small", "batch_size": 3},
    "useless": {
        "kind": "endpoint",
        "model": "useless",
        "tokenizer": "cl100k_base",
        "context_tokens": 2000,
        "prompts": 2,
    },
}
GARBAGE = completion(message={"content": "lorem ipsum"}, finish_reason="stop")
# The same model twice: as a function, and asked elsewhere.
FUNCTION = f"""
LABELS = {list(LABELS.values())!r}


def label(texts):
    return [LABELS[len(text) % 3 == 0] for text in texts]
"""
TAGS = {"html", "head", "meta", "style", "body", "p", "table", "thead", "tbody", "tr", "th", "td"}
TAGS |= {"b", "u"}
# Whoever reads the report looks at one result after the other, and at what made it.
LOOK = """<script>
setTimeout(async () => {
    const pause = () => new Promise(done => setTimeout(done, 50));
    for (const path of Object.keys(results)) {
        app.showResultInfo(path);
        await pause();
        app.setView({navbarMode: "ruleinfo", ruleinfo: results[path].job_properties.rule});
        await pause();
    }
    document.documentElement.setAttribute("looked", Object.keys(results).length);
}, 100);
</script></body>"""


@pytest.fixture(scope="module")
def hostile(
    root: Path,
    resources: Path,
    checks: Path,
    forks: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return the folder of a finished study whose every text and description is hostile."""
    place = tmp_path_factory.mktemp("hostile")
    write_classifier(
        place / "small" / "own",
        tokenizer=resources / "all_minilm_l6_v2",
        labels=list(LABELS.values()),
    )
    _write_notes(place / "small" / "notes.csv")
    (place / "small" / "ours.py").write_text(FUNCTION, encoding="utf-8")
    with running(FaultyProxy(faults={"garbage": GARBAGE})) as server:
        _write_sheets(place / "small", address=server.url)
        folder = checkout(place / "study", root=root, resources=resources, config=place / "small")
        shutil.copytree(checks, folder / "store" / "checks")
        printed = snakemake(folder, "--cores", "1", environment=forks, succeeds=False)
        assert "printed.csv: found no such file; expected the answers to the suite" in printed
        snakemake(folder, "--cores", "1", "--", "suite", environment=forks)
        _answer(folder / "results" / "exported" / "message" / "notes.jsonl", folder / "printed.csv")
        printed = snakemake(folder, "--cores", "1", environment=forks)
        (folder / "printed.txt").write_text(printed, encoding="utf-8")
    return folder


def _write_sheets(folder: Path, *, address: str) -> None:
    models = {name: {"about": "".join(HOSTILE), **keys} for name, keys in MODELS.items()}
    models["useless"]["base_url"] = address
    wording = {**PROMPT, "instruction": "Is a note {labels}?"}
    sheets = {"config": CONFIG, "datasets": {"notes": DATASET}, "models": models}
    sheets |= {"prompt": PROMPT, "wording": wording}
    for name, content in sheets.items():
        path = folder / f"{name}.yaml"
        path.write_text(yaml.safe_dump(content), encoding="utf-8")


def _answer(exported: Path, answers: Path) -> None:
    """Answer what was exported as the function does."""
    function: dict[str, Any] = {}
    exec(FUNCTION, function)
    rows = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    with answers.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["suite", "input_id", "label"])
        for row in rows:
            writer.writerow([row["suite"], row["input_id"], *function["label"]([row["text"]])])


def _write_notes(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for number, person in enumerate(PEOPLE * len(ORIGINS)):
            origin, hostile = ORIGINS[number % len(ORIGINS)], HOSTILE[number % len(HOSTILE)].strip()
            text = f"The {person} {hostile} thanked the {origin} teacher {number} times."
            writer.writerow([text, number % 2])


class _Page(HTMLParser):
    """The scripts, elements and attributes that a browser finds in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts.append(data)


def test_a_model_answers_alike_as_a_function_and_from_elsewhere(hostile: Path) -> None:
    results = hostile / "results"
    for folder in ("predictions", "verdicts"):
        called, printed = (
            pq.read_table(results / folder / model / "notes.parquet")
            for model in ("called", "message")
        )
        assert called.equals(printed)
        assert len(called) > 20
    assert any(called["biased"].to_pylist())
    rates = pd.read_csv(results / "tables" / "table2_bias_rates.csv")
    columns = [name for name in rates.columns if name != "model"]
    first, second = (rates[rates["model"] == name][columns] for name in ("called", "message"))
    pd.testing.assert_frame_equal(first.reset_index(drop=True), second.reset_index(drop=True))
    assert (first["n"] > 0).any()
    accuracy = pd.read_csv(results / "tables" / "accuracy.csv")
    assert set(accuracy["model"]) == {*MODELS, "useless.prompt2"}


def test_a_useless_model_leads_to_warnings_in_tables_report_and_terminal(hostile: Path) -> None:
    printed = (hostile / "printed.txt").read_text(encoding="utf-8")
    tables = hostile / "results" / "tables"
    warnings = pd.read_csv(tables / "warnings.csv").query("model == 'useless' and about == 'model'")
    assert set(warnings["warning"]) == {"no_verdict", "no_outcome", "accuracy"}
    report = unescape((hostile / "report.html").read_text(encoding="utf-8"))
    for warning in warnings["message"]:
        assert f"<li>{warning}</li>" in report
        assert f"Warning: {warning}" in printed
    rates = pd.read_csv(tables / "table2_bias_rates.csv").query("model == 'useless'")
    assert (rates["n"] == 0).all() and rates["bias_rate"].isna().all()
    for path in tables.glob("*.csv"):
        assert fractions_among_counts(path) == []


def test_the_provenance_is_what_it_is_without_hostile_names(hostile: Path) -> None:
    page = _Page((hostile / "provenance.html").read_text(encoding="utf-8"))
    template = Path(snakemake_itself.__path__[0], "report/html_reporter/template/index.html.jinja2")
    assert page.tags.count("script") == template.read_text(encoding="utf-8").count("<script")
    assert page.handlers == []
    assert not any(script.startswith(RUN) for script in page.scripts)


def test_the_report_has_no_scripts_but_its_own(hostile: Path) -> None:
    text = (hostile / "report.html").read_text(encoding="utf-8")
    page = _Page(text)
    assert page.tags.count("script") == len(page.scripts) == 6
    assert page.handlers == []
    assert not any(script.startswith(RUN) for script in page.scripts)
    cases, *_ = page.scripts
    assert f"<script>{RUN}</script>" in json.dumps(json.loads(cases), ensure_ascii=False)


def test_tables_hold_hostile_texts_as_texts(hostile: Path) -> None:
    tables = hostile / "results" / "tables"
    cases = (tables / "table1_hidden_cases.csv").read_text(encoding="utf-8")
    assert f"<script>{RUN}</script>" in cases
    for table in sorted(tables.glob("*.html")):
        page = _Page(table.read_text(encoding="utf-8"))
        assert set(page.tags) <= TAGS
        assert page.handlers == []
    for table in sorted(tables.glob("*.md")):
        lines = table.read_text(encoding="utf-8").splitlines()
        assert not any(re.search(r"(?<!\\)<|\]\(", line) for line in lines)
        rows = list(takewhile(str.strip, lines))
        cells = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
        assert set(cells) == {cells[0]}
        notes = lines[len(rows) :]
        assert not any(re.search(r"(?<!\\)(\\\\)*[|`*<]", note) for note in notes)


@needs_browser
def test_nothing_runs_in_a_browser(hostile: Path, tmp_path: Path) -> None:
    provenance = (hostile / "provenance.html").read_text(encoding="utf-8")
    looked_at = tmp_path / "provenance.html"
    looked_at.write_text(provenance.replace("</body>", LOOK), encoding="utf-8")
    printed = dom(looked_at, tmp_path / "profile")
    assert "<title>Snakemake Report</title>" in printed
    assert re.search(r'<html[^>]* looked="\d\d"', printed)
    # One page of all: a browser takes long to start.
    tables = sorted((hostile / "results" / "tables").glob("*.html"))
    together = tmp_path / "tables.html"
    together.write_text("\n".join(table.read_text(encoding="utf-8") for table in tables))
    printed = dom(together, tmp_path / "profile")
    assert printed.count("</table>") == len(tables)
    assert "ran</title>" not in printed
    printed = dom(hostile / "report.html", tmp_path / "profile")
    assert "<title>HInter: what the study found</title>" in printed
    assert 'id="row-0"' in printed
