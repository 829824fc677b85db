"""The answers of models on a suite, and their cost; each input is asked about once."""

from .answered import read_answers
from .approval import (
    compare_account,
    find_prices,
    find_spending,
    open_ledger,
    planned_prices,
    read_spending,
    spent_dollars,
    write_approval,
)
from .cost import affordable_originals, check_budget, show_plan, show_total, tabulate_plan
from .disk import tabulate_disk
from .exporting import EXPORTED_SCHEMA, export_suite
from .judging import JUDGED_SCHEMA, write_judge_plan, write_judged, write_ratings
from .opened import again_once_learnt, open_for_dataset, open_judge
from .planned import PlannedRun, planned_runs
from .planning import PLAN_SCHEMA, write_plan
from .prediction import PREDICTIONS_SCHEMA, write_predictions
from .repeats import REPEATS_SCHEMA, repeat_keys, write_repeats
