import logging
import re
import time
from pathlib import Path

from snakemake.logging import DefaultFormatter
from snakemake_interface_logger_plugins.common import LogEvent

# Snakemake's `quiet` would also hide jobs that fail.
UNSHOWN_EVENTS = {
    LogEvent.WORKFLOW_STARTED,
    LogEvent.RUN_INFO,
    LogEvent.RESOURCES_INFO,
    LogEvent.GROUP_INFO,
    LogEvent.JOB_INFO,
    LogEvent.JOB_STARTED,
    LogEvent.JOB_FINISHED,
}
UNSHOWN_LINES = (
    "Building DAG",
    "Conda environments: ignored",
    "Group jobs: inactive",
    "Removing temporary output",
    "Select jobs",
    "Using shell",
)
# Snakemake's text around an error for users, and the position in the code where it was raised.
USERS_ERROR = re.compile(
    r"^(?:InputError in file .*:\n|  InputError: )((?:.*\n)*?.*)" r'(?=\nWildcards:|\n  File "|\Z)',
    flags=re.MULTILINE,
)


def leave_out_code(record):
    """Return the part of a message about a user's input that is meant for the user."""
    message = USERS_ERROR.search(str(record.msg))
    if message:
        record.msg = message[1]
    return True


class Brief(DefaultFormatter):
    """Show a line for each job that is done or interrupted, and the end of a failed job's log."""

    def __init__(self):
        super().__init__(show_failed_logs=True)
        self._names, self._finished, self._interrupted = {}, [], False

    def filter(self, record):
        """Return whether a record is shown, and store what later lines need."""
        event, said = getattr(record, "event", None), str(record.msg)
        failed = "CalledProcessError" in said
        # Ctrl-C may end a job before Snakemake hears of it.
        self._interrupted |= failed and "<Signals.SIGINT" in said
        self._interrupted |= said.startswith("Terminating processes on user request")
        if event == LogEvent.JOB_INFO:
            place = "".join(record.log[:1]).partition("logs/")[2].removesuffix(".log")
            self._names[record.jobid] = place or record.rule_name
        elif event == LogEvent.JOB_FINISHED:
            self._finished.append(self._names.get(record.job_id, f"job {record.job_id}"))
        # The line about the job has already said why it failed.
        told_again = failed and (self._interrupted or "non-zero exit status" in said)
        return not told_again and event not in UNSHOWN_EVENTS and not said.startswith(UNSHOWN_LINES)

    def format_progress(self, msg):
        """Return the line about the jobs done since the last line."""
        names, self._finished = ", ".join(self._finished), []
        return f"[{time.strftime('%H:%M:%S')}] {msg['done']} of {msg['total']} done: {names}"

    def format_job_error(self, msg):
        """Return the end of the failed job's log, or Snakemake's own message if there is none."""
        name = self._names.get(msg["jobid"], msg["rule_name"])
        if self._interrupted:
            return f"{name}: interrupted; run again to continue"
        logs = [path for path in msg["log"] if Path(path).is_file()]
        said = next(filter(None, map(_last_error, logs)), None)
        if said is None:
            return super().format_job_error(msg)
        return f"{name} failed ({', '.join(logs)}):\n{said}"


def _last_error(log):
    """Return the log from its last error on."""
    _, found, after = Path(log).read_text("utf-8", "replace").rpartition("\nERROR ")
    return (found + after).strip() if found or after.startswith("ERROR ") else ""


OUTPUT = workflow.output_settings
for handler in logger.handlers:
    if handler.name == "DefaultStreamHandler" and not OUTPUT.verbose:
        handler.addFilter(leave_out_code)
        if workflow.is_main_process and not OUTPUT.dryrun:
            brief = Brief()
            handler.addFilter(brief)
            handler.setFormatter(brief)
