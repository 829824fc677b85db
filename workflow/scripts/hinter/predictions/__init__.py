"""The answers of models on a suite, and their cost; each input is asked about once."""

from .cost import check_budget, show_plan, show_total, tabulate_disk
from .exporting import export_suite
from .judging import JUDGED_SCHEMA, write_judge_plan, write_judged, write_ratings
from .opened import (
    Opened,
    again_once_learnt,
    find_prices,
    find_spending,
    open_for_dataset,
    open_judge,
    planned_prices,
    spent_dollars,
    write_approval,
)
from .planned import PlannedRun, planned_runs
from .planning import write_plan
from .prediction import (
    PREDICTIONS_SCHEMA,
    REPEATS_SCHEMA,
    repeat_keys,
    write_predictions,
    write_repeats,
)
from .supplied_answers import read_answers
