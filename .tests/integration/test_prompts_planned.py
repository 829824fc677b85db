"""Studies of probes and relations, planned: what they need is made, and of others nothing."""

from pathlib import Path

from runs import planned_jobs


def test_a_study_without_probes_has_no_job_of_theirs(bare: Path, forks: dict[str, str]) -> None:
    jobs = planned_jobs(bare, config="config", forks=forks)
    assert jobs["total"] > 0
    of_probes = ("build_probe", "judge_answers", "find_hits", "tabulate_probes", "plot_probes")
    assert not any(rule.startswith(of_probes) for rule in jobs)


def test_the_papers_size_is_planned_without_any_resource(bare: Path, forks: dict[str, str]) -> None:
    jobs = planned_jobs(bare, config="relations_paper", forks=forks)
    expected = {
        "rewrite_prompts": 1,
        "plan_calls": 2,
        "repeat_originals": 2,
        "fine_tune_encoder": 2,
    }
    # Predictions and repeats of two models, by two metrics.
    assert jobs.items() >= (expected | {"rate_answers": 8, "judge_mutants": 4}).items()
