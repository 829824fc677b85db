"""Run the scripts of jobs, each in a fork of this process, which has imported what they use.

A line of standard input is JSON: the folder in which a script is run, the script, and the file of
the moment at which it is killed (see `killing`) or null. A line of standard output is its exit
status.
"""

import atexit
import importlib
import json
import os
import pkgutil
import runpy
import sys
import traceback
from pathlib import Path
from typing import NoReturn

import hinter
from killing import Killer

for name in ("torch", "transformers", "spacy", "snakemake.script", "snakemake.logging"):
    importlib.import_module(name)
for module in pkgutil.walk_packages(hinter.__path__, "hinter."):
    importlib.import_module(module.name)


def run_script(*, folder: str, script: str, moment: str | None) -> NoReturn:
    """Run a script as a job of its own, and end this process as it ends."""
    os.setsid()
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if moment is not None:
        Killer(Path(moment)).watch()
    status = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else bool(end.code)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    os._exit(status)


for line in sys.stdin:
    if not (child := os.fork()):
        run_script(**json.loads(line))
    _, ended = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(ended), flush=True)
