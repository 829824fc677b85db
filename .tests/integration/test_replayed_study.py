"""Each job of the small study once more, elsewhere and killed on the way: the same bytes."""

import shutil
from pathlib import Path

import pytest
from replaying import replay_study
from runs import checkout, digests

# A job of each stage, with the steps of which some are drawn: it is killed before them, or as it
# ends; at one of them, or for a release at so many. A server of LanguageTool takes long to start.
KILLED = {
    "prepare_corpus": (range(1, 4), 3),
    "generate_mutants/imdb/1": (range(1, 41), 3),
    "select_suite": (range(1, 4), 3),
    "match_controls": (range(1, 21), 3),
    "fine_tune_encoder": (range(1, 9), 3),
    "predict_suite/minilm": (range(5, 9), 3),
    "score_grammar": (range(5, 8), 1),
    "judge_mutants/minilm": (range(1, 4), 3),
    "examine_cases/minilm": (range(1, 7), 3),
    "tabulate_rq1_rates": (range(1, 7), 3),
    "plot_rq1": (range(1, 7), 3),
    "write_report": (range(1, 4), 3),
}
# These look at the traces of Snakemake itself.
ALSO_RUN = ("fetch_resource", "write_provenance", "write_crate")
# Unless for a release, one job of each of some stages is run again, and the files of the others are
# taken from the study.
AGAIN = (
    *("build_dictionary", "prepare_corpus", "generate_mutants/imdb/1", "select_suite"),
    *("judge_mutants/minilm", "tabulate_rq1_rates", "write_report"),
)
ELSEWHERE = {
    "PYTHONHASHSEED": "2",
    "LC_ALL": "C",
    "TZ": "Pacific/Kiritimati",
    "OMP_NUM_THREADS": "1",
}


@pytest.fixture(scope="module")
def replayed(
    root: Path,
    resources: Path,
    small: Path,
    study: Path,
    checks: Path,
    thorough: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return a folder in which jobs of the study were run again, for a release all of them.

    All is different there that must not change a byte; the stages were killed as often as `KILLED`
    says.
    """
    place = tmp_path_factory.mktemp("elsewhere") / 'it\'s the "ωther" stüdy, 100 %'
    folder = checkout(place, root=root, resources=resources, config=small)
    shutil.copytree(checks, folder / "store" / "checks")
    again = ("",) if thorough else AGAIN
    killed = {
        job: (steps, times if thorough else 1)
        for job, (steps, times) in KILLED.items()
        if job.startswith(again)
    }
    replay_study(
        study, folder, killed=killed, also_run=ALSO_RUN, again=again, environment=ELSEWHERE
    )
    return folder


def test_kills_another_hash_seed_place_time_zone_and_locale_give_the_same_bytes(
    study: Path, replayed: Path
) -> None:
    expected = digests(study)
    assert len(expected) >= 25
    assert digests(replayed) == expected
