"""Write the report of a study as one HTML page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hinter.assessments import read_questions
from hinter.dictionary import read_pairs
from hinter.job import logged_to
from hinter.report import (
    LINKED,
    NUMBERS,
    PLOTTED,
    Prompts,
    read_accounts,
    read_cases,
    read_exhibits,
    read_follow_ups,
    read_libraries,
    read_pictures,
    read_probed,
    read_provenance,
    read_stages,
    render_page,
    summarise,
)
from hinter.tables import Results, read_parts, read_table

READ = (*LINKED, *NUMBERS, *PLOTTED)
"""Tables that more is made of than a part of the page."""
OPTIONAL_RESULTS = ("cases", "comparators", "controls")
"""Results that the page shows along with cases."""
PROMPTED = (
    *("follow_up_ratings", "follow_up_verdicts", "hits"),
    *("prompt_corpora", "prompt_predictions", "prompt_suites"),
)
"""Results on the prompts of probes and relations."""


def main(
    *,
    exhibits: Sequence[str],
    tables: Mapping[str, str],
    results: Mapping[str, Sequence[str]],
    pairs: Sequence[str] | str,
    follow_ups: Sequence[str] | str,
    guideline: str,
    page: Mapping[str, str],
    libraries: str,
    declared: Sequence[Mapping[str, str]],
    study: Mapping[str, Any],
    comparator: str,
    inherited: dict[str, str],
    seed: int,
    shards: Mapping[str, int],
    prompts: Mapping[str, str],
    asked: Sequence[str],
    judged: Sequence[str],
    judge: str,
    prices: Mapping[str, Mapping[str, float]],
    store: str,
    benchmarks: str,
    report: str,
) -> None:
    """Write the page of a study to `report`.

    `exhibits` are the HTML of tables and the PNG of figures, and `declared` describes each of them.
    `results` has the CSV of tables and other files by name; a file that the study does not have is
    missing there. `pairs` and `follow_ups` are one file each, or none.
    `page` has the files template, style, script, drawing and licences. `libraries` is the lock of
    the libraries that plot the pictures, and `comparator` is that of the invariant.
    `inherited` settings are those of the default study.
    `shards` and `prompts` are those of the models (see `read_provenance`).
    `asked` are the results of endpoints, and `judged` those of a `judge` behind an endpoint. Their
    answers are in `store`, and `prices` are in dollars per million tokens, by model. `benchmarks`
    has the measured times of jobs.
    """
    parts = {name: read_parts(paths) for name, paths in results.items()}
    rows = {name: read_table(tables[name]) for name in READ if name in tables}
    known = read_pairs(Path(pairs)) if isinstance(pairs, str) else []
    dictionary = {pair.pair_id: pair for pair in known}
    corpora, verdicts = parts["corpora"], parts["verdicts"]
    prompted = _read_prompts(parts, follow_ups=follow_ups, seed=seed)
    answered = read_parts(asked)
    answered += [(judge, dataset, path) for _, dataset, path in read_parts(judged)]
    cases = (
        read_cases(
            verdicts=verdicts,
            predictions=parts["predictions"],
            corpora=corpora,
            others={name: parts[name] for name in OPTIONAL_RESULTS},
            prompts=prompted,
            pairs=dictionary,
            seed=seed,
        )
        if corpora or prompted.total
        else None
    )
    rendered = render_page(
        **{name: Path(path).read_text(encoding="utf-8") for name, path in page.items()},
        libraries=read_libraries(Path(libraries)),
        study=study,
        summary=summarise(rows, corpora=corpora),
        inherited=inherited,
        comparator=comparator,
        stages=read_stages(Path(benchmarks)),
        accounts=read_accounts(answered, store=Path(store), prices=prices),
        exhibits=read_exhibits(declared, exhibits, rows=rows),
        cases=cases,
        pictures=read_pictures(rows, verdicts=verdicts, cases=cases, pairs=dictionary, seed=seed)
        if cases and corpora
        else [],
        provenance=read_provenance(
            [*parts["predictions"], *parts["prompt_predictions"]],
            shards=shards,
            prompts=prompts,
            metrics=list(dict.fromkeys(metric for _, metric, _ in parts["follow_up_ratings"])),
        ),
        questions=read_questions(Path(guideline).read_text(encoding="utf-8")),
    )
    # Texts keep their line breaks, which Python would otherwise make those of the system.
    Path(report).write_text(rendered, encoding="utf-8", newline="")


def _read_prompts(
    parts: Mapping[str, Results], *, follow_ups: Sequence[str] | str, seed: int
) -> Prompts:
    """Return the prompts of those probes and relations that the study has."""
    corpora = parts["prompt_corpora"]
    found = Prompts()
    if parts["hits"]:
        found += read_probed(
            hits=parts["hits"],
            predictions=parts["prompt_predictions"],
            corpora=corpora,
            suites=parts["prompt_suites"],
            seed=seed,
        )
    if isinstance(follow_ups, str):
        (corpus,) = (path for _, dataset, path in corpora if dataset == "relations")
        found += read_follow_ups(
            verdicts=parts["follow_up_verdicts"],
            ratings=parts["follow_up_ratings"],
            follow_ups=Path(follow_ups),
            corpus=corpus,
            seed=seed,
        )
    return found


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        given, params = dict(snakemake.input.items()), snakemake.params
        main(
            tables=dict(zip(params.tables, given.pop("tables"), strict=True)),
            results={name: given.pop(name) for name in params.results},
            page={name: given.pop(name) for name in params.page},
            **given,
            **params.settings,
            **snakemake.output,
        )
