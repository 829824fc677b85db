"""The paper's study, planned: its run book tells how many jobs it has."""

from pathlib import Path

from runs import planned_jobs


def test_the_jobs_of_the_run_book_are_planned_without_any_resource(
    root: Path, bare: Path, forks: dict[str, str]
) -> None:
    counts = planned_jobs(bare, config="paper", forks=forks)
    book = (root / "docs" / "paper_run.md").read_text(encoding="utf-8")
    assert f"\n{counts['total']} jobs in all" in book
    for rule in ("fetch_resource", "generate_mutants", "fine_tune_encoder", "predict_suite"):
        assert f"| `{rule}` | {counts[rule]} |" in book
